#include <thread>

#include "tests/grpc/fixture_judging.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;
using State = v1::JudgingState;

class JudgingCalls : public JudgingTest {
 protected:
  grpc::Status put(const std::string& id, const v1::Problem& problem, v1::PutProblemReply* reply) {
    grpc::ClientContext context;
    v1::PutProblemRequest request;
    request.set_problem_id(id);
    *request.mutable_problem() = problem;
    return judging_->PutProblem(&context, request, reply);
  }
  grpc::Status get_problem(const std::string& id, v1::ProblemInfo* info) {
    grpc::ClientContext context;
    v1::ProblemRef named;
    named.set_problem_id(id);
    return judging_->GetProblem(&context, named, info);
  }
  grpc::Status delete_problem(const std::string& id) {
    grpc::ClientContext context;
    v1::ProblemRef named;
    named.set_problem_id(id);
    google::protobuf::Empty empty;
    return judging_->DeleteProblem(&context, named, &empty);
  }
};

TEST_F(JudgingCalls, SubmitWithWaitAnswersWithTheResult) {
  serve_judging();
  auto order = request("wrong", 3);
  order.set_submission_id("s-1");
  order.set_wait(true);
  State state;
  const auto status = submit(order, &state);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(state.submission_id(), "s-1");
  EXPECT_EQ(state.status(), State::STATUS_FINISHED);
  EXPECT_EQ(state.progress().total_tests(), 3U);
  EXPECT_EQ(state.progress().done_tests(), 3U);
  ASSERT_EQ(state.result().tests_size(), 3);
  EXPECT_EQ(state.result().tests(2).test_id(), "3");
  EXPECT_EQ(state.result().verdict(), "WA");
  EXPECT_TRUE(state.result().compile().ok());
  EXPECT_GE(state.result().timestamps().finished_at().seconds(), state.received_at().seconds());
}

TEST_F(JudgingCalls, SubmitWithoutWaitAnswersAtOnceAndGetTellsTheRest) {
  serve_judging();
  State state;
  ASSERT_TRUE(submit(request("hold it"), &state).ok());
  EXPECT_FALSE(state.has_result());
  const std::string id = state.submission_id();
  ASSERT_TRUE(judge_->await_started(1));
  judge_->release("it");
  await_open(0);
  ASSERT_TRUE(get(id, &state).ok());
  EXPECT_EQ(state.status(), State::STATUS_FINISHED);
  EXPECT_EQ(state.result().verdict(), "AC");
}

TEST_F(JudgingCalls, TheSameOrderAgainIsTheSameJudgingAndAnotherIsRefused) {
  serve_judging();
  auto order = request("right");
  order.set_submission_id("once");
  State state;
  ASSERT_TRUE(submit(order, &state).ok());
  order.set_wait(true);  // waits for it now: still the same order
  ASSERT_TRUE(submit(order, &state).ok());
  EXPECT_EQ(state.result().verdict(), "AC");
  EXPECT_EQ(judge_->started().size(), 1U);
  order.set_language("wrong");
  EXPECT_EQ(submit(order, &state).error_code(), StatusCode::ALREADY_EXISTS);
}

TEST_F(JudgingCalls, CancelEndsOneThatRunsAndForgetsOneThatIsOver) {
  serve_judging();
  auto order = request("hold for ever");
  order.set_submission_id("held");
  State state;
  ASSERT_TRUE(submit(order, &state).ok());
  ASSERT_TRUE(judge_->await_started(1));
  ASSERT_TRUE(cancel("held").ok());
  await_open(0);
  ASSERT_TRUE(get("held", &state).ok());
  EXPECT_EQ(state.status(), State::STATUS_FAILED);
  ASSERT_TRUE(cancel("held").ok());
  EXPECT_EQ(get("held", &state).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(JudgingCalls, UnknownIdsAreNotFound) {
  serve_judging();
  State state;
  v1::ProblemInfo info;
  EXPECT_EQ(get("nobody", &state).error_message(), "no submission 'nobody'");
  EXPECT_EQ(get("nobody", &state).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(cancel("nobody").error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(get_problem("nothing", &info).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(delete_problem("nothing").error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(get("line\nbreak", &state).error_message(), "no such submission");
}

TEST_F(JudgingCalls, AClientThatGoesTakesAJudgingWithItThatOnlyWeCanName) {
  serve_judging();
  auto order = request("hold for ever");
  order.set_wait(true);
  grpc::ClientContext context;
  std::thread client([&] {
    State state;
    EXPECT_EQ(judging_->Submit(&context, order, &state).error_code(), StatusCode::CANCELLED);
  });
  ASSERT_TRUE(judge_->await_started(1));
  context.TryCancel();
  client.join();
  await_open(0);
}

TEST_F(JudgingCalls, AClientThatGoesLeavesANamedJudgingAlone) {
  serve_judging();
  auto order = request("hold it");
  order.set_wait(true);
  order.set_submission_id("named");
  grpc::ClientContext context;
  std::thread client([&] {
    State state;
    EXPECT_EQ(judging_->Submit(&context, order, &state).error_code(), StatusCode::CANCELLED);
  });
  ASSERT_TRUE(judge_->await_started(1));
  context.TryCancel();
  client.join();
  judge_->release("it");
  State state;
  ASSERT_TRUE(submit(order, &state).ok());
  EXPECT_EQ(state.result().verdict(), "AC");
}

TEST_F(JudgingCalls, AFullQueueIsExhaustedAndAStoppingServerUnavailable) {
  serve_judging();
  State state;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(submit(request("hold it"), &state).ok());
  ASSERT_TRUE(judge_->await_started(2));
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(submit(request("right"), &state).ok());
  EXPECT_EQ(submit(request("right"), &state).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  judge_->release("it");
  judgings_->drain(std::chrono::seconds(10));
  EXPECT_EQ(submit(request("right"), &state).error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(JudgingCalls, AFailureOfOursIsAResultThatSaysSo) {
  serve_judging();
  auto order = request("broken");
  order.set_wait(true);
  State state;
  ASSERT_TRUE(submit(order, &state).ok());
  EXPECT_EQ(state.status(), State::STATUS_FAILED);
  EXPECT_EQ(state.result().message(), "the judge broke");
}

TEST_F(JudgingCalls, ProblemsArePutOnceJudgedByIdListedAndDeleted) {
  serve_judging();
  v1::PutProblemReply reply;
  ASSERT_TRUE(put("a-plus-b", problem(4), &reply).ok());
  EXPECT_TRUE(reply.is_new());
  EXPECT_EQ(reply.problem().tests(), 4U);
  ASSERT_TRUE(put("a-plus-b", problem(5), &reply).ok());
  EXPECT_FALSE(reply.is_new());
  v1::ProblemInfo info;
  ASSERT_TRUE(get_problem("a-plus-b", &info).ok());
  EXPECT_EQ(info.digest(), reply.problem().digest());
  EXPECT_EQ(info.digest().size(), 64U);
  auto order = request("right");
  order.set_problem_id("a-plus-b");
  order.set_wait(true);
  State state;
  ASSERT_TRUE(submit(order, &state).ok());
  EXPECT_EQ(state.result().tests_size(), 5);
  grpc::ClientContext context;
  v1::ProblemList list;
  ASSERT_TRUE(judging_->ListProblems(&context, {}, &list).ok());
  ASSERT_EQ(list.problems_size(), 1);
  EXPECT_EQ(list.problems(0).problem_id(), "a-plus-b");
  ASSERT_TRUE(delete_problem("a-plus-b").ok());
  EXPECT_EQ(submit(order, &state).error_message(), "problem_id: no problem 'a-plus-b'");
}

TEST_F(JudgingCalls, APackageBecomesAProblem) {
  // As the daemon's, on another thread; this one only counts the bytes.
  std::thread loader;
  doors_->load_package = [&](const judge::Content& archive, service::Packages::Loaded loaded) {
    if (loader.joinable()) loader.join();
    loader = std::thread([text = archive.text, told = std::move(loaded)]() mutable {
      judge::Problem made;
      for (std::size_t i = 0; i < text.size(); ++i)
        made.tests.push_back({.id = std::to_string(i)});
      if (text.empty())
        told(invalid("the package: the archive has no files"));
      else
        told(std::move(made));
    });
  };
  serve_judging();
  v1::PutProblemRequest request;
  request.set_problem_id("packed");
  request.mutable_package()->set_content("abc");
  v1::PutProblemReply reply;
  const auto put_package = [&] {
    grpc::ClientContext context;
    return judging_->PutProblem(&context, request, &reply);
  };
  EXPECT_TRUE(put_package().ok());
  EXPECT_TRUE(reply.is_new());
  EXPECT_EQ(reply.problem().tests(), 3U);
  request.mutable_package()->set_content("");
  EXPECT_EQ(put_package().error_message(), "the package: the archive has no files");
  request.mutable_package()->set_file_id("NOSUCHID");
  EXPECT_EQ(put_package().error_message(), "package.file_id: no file has this id");
  *request.mutable_problem() = problem(1);
  EXPECT_EQ(put_package().error_message(), "package: there is a problem beside it");
  loader.join();
}

TEST_F(JudgingCalls, ListLanguagesTellsWhatTheHouseKnows) {
  serve_judging();
  grpc::ClientContext context;
  v1::LanguageList list;
  ASSERT_TRUE(judging_->ListLanguages(&context, {}, &list).ok());
  ASSERT_EQ(list.languages_size(), 1);
  EXPECT_EQ(list.languages(0).id(), "cpp");
  EXPECT_EQ(list.languages(0).extensions(1), "cc");
  EXPECT_TRUE(list.languages(0).compile_enabled());
  EXPECT_EQ(list.languages(0).time_multiplier(), 1);
}

}  // namespace
}  // namespace assay::transport::module
