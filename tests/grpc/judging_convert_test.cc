#include "transport/grpc_module/judging_convert.h"

#include "tests/grpc/fixture_judging.h"

namespace assay::transport::module {
namespace {

class JudgingConvert : public JudgingTest {};

TEST_F(JudgingConvert, ASubmissionBecomesAnOrder) {
  auto message = request("cpp", 1);
  message.set_submission_id("id");
  message.add_extra_flags("-O3");
  message.set_policy("rbx");
  message.set_stop(v1::STOP_RULE_FIRST);
  message.mutable_limits()->set_cpu_time_ms(1500);
  message.mutable_limits()->set_memory_mb(64);
  message.mutable_limits()->set_pids(3);
  message.mutable_limits()->set_wall_time_ms(0);  // as good as absent
  message.set_soft_time_limit(2);
  message.mutable_repeats()->set_most(2);
  message.mutable_repeats()->set_counts(v1::Repeats::COUNTS_SLOWEST);
  message.set_priority(-4);
  message.set_facts(true);
  message.set_webhook("http://a/");
  const auto order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->submission.id, "id");
  EXPECT_EQ(order->submission.sources.at(0).content, "int main() {}");
  EXPECT_EQ(order->submission.extra_flags, std::vector<std::string>{"-O3"});
  EXPECT_EQ(order->policy, "rbx");
  EXPECT_EQ(order->options.stop, judge::StopRule::First);
  EXPECT_EQ(order->options.limits.cpu_time, std::chrono::milliseconds(1500));
  EXPECT_EQ(order->options.limits.memory, 64_MiB);
  EXPECT_EQ(order->options.limits.processes, 3U);
  EXPECT_FALSE(order->options.limits.wall_time);
  EXPECT_EQ(order->options.soft.thousandths, 2000U);
  EXPECT_EQ(order->options.repeats.most, 2U);
  EXPECT_EQ(order->options.repeats.margin.thousandths, 100U);
  EXPECT_EQ(order->options.repeats.counts, judge::Repeats::Counts::Slowest);
  EXPECT_EQ(order->priority, -4);
  EXPECT_TRUE(order->wants_facts);
  EXPECT_EQ(order->webhook, "http://a/");
  ASSERT_TRUE(order->problem);
  EXPECT_EQ(order->problem->tests.at(0).id, "1");
  EXPECT_EQ(order->problem->tests.at(0).answer.text, "out");
}

TEST_F(JudgingConvert, AnArchiveStandsForSources) {
  auto message = request("cpp", 1);
  message.mutable_archive()->set_content("PK");
  EXPECT_EQ(describe(order_of(message).error()),
            "sources: expected either at least one or an archive");
  message.clear_sources();
  const auto order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  ASSERT_TRUE(order->submission.archive);
  EXPECT_EQ(order->submission.archive->text, "PK");
}

TEST_F(JudgingConvert, AProblemSaysHowSubmissionsAreBuilt) {
  auto message = request("cpp", 1);
  v1::Grader& grader = *message.mutable_problem()->add_graders();
  grader.set_language("cpp");
  grader.set_submission("solution.h");
  grader.add_files()->set_name("grader.cpp");
  grader.mutable_files(0)->mutable_from()->set_content("int main() {}");
  auto order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->graders.at(0).submission, "solution.h");
  EXPECT_EQ(order->problem->graders.at(0).files.at(0).name, "grader.cpp");

  message = request("make", 1);
  message.mutable_problem()->set_build_strategy(v1::Problem::BUILD_STRATEGY_MAKE_NORMAL);
  order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->build, judge::BuildStrategy::MakeNormal);

  message = request("", 1);
  message.mutable_problem()->set_type(v1::Problem::TYPE_OUTPUT_ONLY);
  order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->kind, judge::ProblemKind::OutputOnly);
}

TEST_F(JudgingConvert, AProblemHasAManagerProcessesAndPasses) {
  auto message = request("cpp", 1);
  v1::Problem& problem = *message.mutable_problem();
  problem.set_type(v1::Problem::TYPE_COMMUNICATION);
  problem.set_processes(3);
  problem.set_io(v1::Problem::PROCESS_IO_FIFO);
  problem.mutable_manager()->set_language("python3");
  problem.mutable_manager()->add_sources()->mutable_from()->set_content("pass");
  problem.mutable_manager()->add_args("-a");
  auto order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->kind, judge::ProblemKind::Communication);
  EXPECT_EQ(order->problem->processes, 3U);
  EXPECT_EQ(order->problem->process_io, judge::ProcessIo::Fifo);
  EXPECT_EQ(order->problem->manager->arguments, std::vector<std::string>{"-a"});
  EXPECT_FALSE(order->problem->manager->protocol);

  message = request("cpp", 1);
  message.mutable_problem()->set_type(v1::Problem::TYPE_TWO_STEP);
  order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->kind, judge::ProblemKind::TwoStep);

  message.mutable_problem()->set_type(v1::Problem::TYPE_MULTIPASS);
  message.mutable_problem()->set_passes(5);
  v1::Checker& checker = *message.mutable_problem()->mutable_checker();
  checker.set_language("cpp");
  checker.set_protocol("icpc");
  checker.add_sources()->mutable_from()->set_content("x");
  order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->problem->kind, judge::ProblemKind::MultiPass);
  EXPECT_EQ(order->problem->passes, 5U);
}

TEST_F(JudgingConvert, ACommunicationSaysWhichProcessSpoke) {
  service::Judging judging(
      {.submission = {.id = "s"}, .problem = service::problem_of(1), .wants_facts = true});
  judge::TestResult test{.id = "1", .facts = sandbox::Facts{}};
  test.processes.resize(2);
  test.interaction = {
      .managed = true,
      .dialogue = exec::Dialogue{.remarks = {{.voice = 3, .bytes = "x"}, {.voice = 1}}}};
  const v1::JudgingEvent event =
      to_event({.step = service::JudgingStep::Tested, .test = test}, judging);
  EXPECT_EQ(event.test().processes_size(), 2);
  const v1::Interaction& said = event.test().interaction();
  EXPECT_EQ(said.first_to_end(), v1::Interaction::SIDE_MANAGER);
  EXPECT_EQ(said.dialogue().events(0).from(), v1::Interaction::SIDE_MANAGER);
  EXPECT_EQ(said.dialogue().events(0).process(), 1U);
  EXPECT_EQ(said.dialogue().events(1).from(), v1::Interaction::SIDE_SOLUTION);
  EXPECT_EQ(said.dialogue().events(1).process(), 0U);
}

TEST_F(JudgingConvert, AFileOfTheStoreCanBeASourceAndATest) {
  const auto id = store_->add("a.cpp", "stored");
  ASSERT_TRUE(id);
  auto message = request("cpp", 1);
  message.mutable_sources(0)->mutable_from()->set_file_id(*id);
  message.mutable_problem()->mutable_tests(0)->mutable_input()->set_file_id(*id);
  const auto order = order_of(message);
  ASSERT_TRUE(order) << describe(order.error());
  EXPECT_EQ(order->submission.sources.at(0).content, "stored");
  EXPECT_TRUE(order->problem->tests.at(0).input.file);
}

TEST_F(JudgingConvert, BytesOfAProgramArriveAsTheyAreAndTextsAsUtf8) {
  service::Judging judging({.submission = {.id = "s"}, .problem = service::problem_of(1)});
  const std::string odd("\xff\0x", 3);
  const v1::JudgingEvent event =
      to_event({.number = 3,
                .step = service::JudgingStep::Tested,
                .test = judge::TestResult{.id = "1",
                                          .time = std::chrono::microseconds(1001),
                                          .memory = 1025_B,
                                          .output = odd,
                                          .checker_log = odd,
                                          .score = 1.0 / 3,
                                          .facts = sandbox::Facts{}}},
               judging);
  EXPECT_EQ(event.test().stdout(), odd);
  EXPECT_EQ(event.test().checker_log(), std::string("\xef\xbf\xbd\0x", 5));
  EXPECT_EQ(event.test().time_ms(), 1U);
  EXPECT_EQ(event.test().memory_kb(), 1U);
  EXPECT_EQ(event.test().score(), 0.333333);
  EXPECT_FALSE(event.test().has_exit_code());
}

TEST_F(JudgingConvert, NothingIsSaidToBeMeasuredOfAnOutputThatWasHandedIn) {
  service::Judging judging({.submission = {.id = "s"}, .problem = service::problem_of(1)});
  const auto told = [&](verdict::Verdict verdict) {
    return to_event({.step = service::JudgingStep::Tested,
                     .test = judge::TestResult{.id = "1", .verdict = verdict}},
                    judging);
  };
  EXPECT_FALSE(told(verdict::Verdict::Accepted).test().has_time_ms());
  EXPECT_FALSE(told(verdict::Verdict::Accepted).test().has_memory_kb());
  EXPECT_TRUE(told(verdict::Verdict::Skipped).test().has_time_ms());
}

TEST_F(JudgingConvert, FactsNameTheEndInItsOwnField) {
  v1::Facts facts;
  fill_facts({.end = sandbox::Signaled{.signal = 11, .core = true},
              .cut_off_by = sandbox::CutOff::Memory,
              .cpu_total = Nanoseconds(7)},
             facts);
  EXPECT_EQ(facts.signaled().signal_name(), "SIGSEGV");
  EXPECT_TRUE(facts.signaled().core());
  EXPECT_EQ(facts.cpu_ns(), 7U);
  EXPECT_EQ(facts.cut_off_by(), sandbox::name_of(sandbox::CutOff::Memory));
}

}  // namespace
}  // namespace assay::transport::module
