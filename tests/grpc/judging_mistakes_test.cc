#include <functional>
#include <limits>

#include "os/file.h"
#include "tests/grpc/fixture_judging.h"
#include "transport/grpc_module/judging_convert.h"

namespace assay::transport::module {
namespace {

class JudgingMistakes : public JudgingTest {
 protected:
  std::string refusal(const std::function<void(v1::SubmitRequest&)>& spoil) {
    auto message = request("cpp");
    spoil(message);
    const auto order = order_of(message);
    if (order) return "it was accepted";
    EXPECT_EQ(order.error().fault, Fault::InvalidRequest);
    return describe(order.error());
  }
  static v1::Test& test(v1::SubmitRequest& message, int i = 0) {
    return *message.mutable_problem()->mutable_tests(i);
  }
  static v1::Manager& manager(v1::SubmitRequest& message) {
    v1::Manager& made = *message.mutable_problem()->mutable_manager();
    made.set_language("cpp");
    made.add_sources()->mutable_from()->set_content("x");
    return made;
  }
  static v1::Checker& checker(v1::SubmitRequest& message) {
    return *message.mutable_problem()->mutable_checker();
  }
};

struct Mistake {
  std::string said;
  std::function<void(v1::SubmitRequest&)> spoil;
};

TEST_F(JudgingMistakes, EachMistakeOfASubmissionIsNamedWithItsPlace) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::string nul("a\0b", 3);
  const std::vector<Mistake> mistakes{
      {"sources: expected either at least one or an archive",
       [](auto& m) {
         m.clear_sources();
       }},
      {"sources[0].from: expected one of content, file_id and path",
       [](auto& m) {
         m.mutable_sources(0)->clear_from();
       }},
      {"sources[0].name: has a NUL character in it",
       [&](auto& m) {
         m.mutable_sources(0)->set_name(nul);
       }},
      {"sources[0].from.file_id: no file has this id",
       [](auto& m) {
         m.mutable_sources(0)->mutable_from()->set_file_id("AAAAAAAA");
       }},
      {"sources[0].from.path: files of the host are served below -src-prefix only, and none is set",
       [](auto& m) {
         m.mutable_sources(0)->mutable_from()->set_path("/etc/shadow");
       }},
      {"language: has a NUL character in it",
       [&](auto& m) {
         m.set_language(nul);
       }},
      {"extra_flags[1]: has a NUL character in it",
       [&](auto& m) {
         m.add_extra_flags("-O2");
         m.add_extra_flags(nul);
       }},
      {"what: expected either a problem or a problem_id",
       [](auto& m) {
         m.clear_what();
       }},
      {"what: expected either a problem or a problem_id",
       [](auto& m) {
         m.set_problem_id("");
       }},
      {"priority: expected -1000000 to 1000000, got -2147483648",
       [](auto& m) {
         m.set_priority(INT32_MIN);
       }},
      {"stop: 9 is no value of this field",
       [](auto& m) {
         m.set_stop(static_cast<v1::StopRule>(9));
       }},
      {"soft_time_limit: expected a number from 1 to 10",
       [](auto& m) {
         m.set_soft_time_limit(0.5);
       }},
      {"soft_time_limit: expected a number from 1 to 10",
       [](auto& m) {
         m.set_soft_time_limit(kNone);
       }},
      {"repeats.most: expected at most 10, got 11",
       [](auto& m) {
         m.mutable_repeats()->set_most(11);
       }},
      {"repeats.margin: expected a number from 0 to 1",
       [](auto& m) {
         m.mutable_repeats()->set_margin(2);
       }},
      {"limits.cpu_time_ms: expected at most 86400000, got 86400001",
       [](auto& m) {
         m.mutable_limits()->set_cpu_time_ms(86'400'001);
       }},
      {"limits.memory_mb: expected at most 4294967295, got 18446744073709551615",
       [](auto& m) {
         m.mutable_limits()->set_memory_mb(UINT64_MAX);
       }},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(refusal(mistake.spoil), mistake.said);
}

TEST_F(JudgingMistakes, EachMistakeOfAProblemIsNamedWithItsPlace) {
  const std::vector<Mistake> mistakes{
      {"problem: the problem has no tests",
       [](auto& m) {
         m.mutable_problem()->clear_tests();
       }},
      {"problem.tests: more than 10000",
       [](auto& m) {
         for (int i = 0; i < 10'000; ++i)
           m.mutable_problem()->add_tests();
       }},
      {"problem: there are two tests 'x'",
       [](auto& m) {
         test(m, 0).set_test_id("x");
         test(m, 1).set_test_id("x");
       }},
      {"problem.tests[1].input: expected one of content, file_id and path",
       [](auto& m) {
         test(m, 1).clear_input();
       }},
      {"problem.tests[1].answer.file_id: no file has this id",
       [](auto& m) {
         test(m, 1).mutable_answer()->set_file_id("AAAAAAAA");
       }},
      {"problem.tests[0].score: expected a number from 0 to 1000000000000",
       [](auto& m) {
         test(m).set_score(-1);
       }},
      {"problem.tests[0].score: expected a number from 0 to 1000000000000",
       [](auto& m) {
         test(m).set_score(std::numeric_limits<double>::infinity());
       }},
      {"problem.tests[0].limits.pids: expected at most 4294967295, got 4294967296",
       [](auto& m) {
         test(m).mutable_limits()->set_pids(1ULL << 32U);
       }},
      {"problem.subtasks[0].rule: 7 is no value of this field",
       [](auto& m) {
         m.mutable_problem()->add_subtasks()->set_rule(static_cast<v1::Subtask::Rule>(7));
       }},
      {"problem.io_mode: 5 is no value of this field",
       [](auto& m) {
         m.mutable_problem()->set_io_mode(static_cast<v1::Problem::IoMode>(5));
       }},
      {"problem: fileio needs an inputFileName and an outputFileName without directories",
       [](auto& m) {
         m.mutable_problem()->set_io_mode(v1::Problem::IO_MODE_FILEIO);
       }},
      {"problem.type: 99 is no value of this field",
       [](auto& m) {
         m.mutable_problem()->set_type(static_cast<v1::Problem::Type>(99));
       }},
      {"problem.build_strategy: 4 is no value of this field",
       [](auto& m) {
         m.mutable_problem()->set_build_strategy(static_cast<v1::Problem::BuildStrategy>(4));
       }},
      {"problem.build_archive.file_id: no file has this id",
       [](auto& m) {
         m.mutable_problem()->mutable_build_archive()->set_file_id("AAAAAAAA");
       }},
      {"problem.graders[0].files[0].from: expected one of content, file_id and path",
       [](auto& m) {
         m.mutable_problem()->add_graders()->add_files();
       }},
      {"problem.scorer: a scorer needs a language and a source",
       [](auto& m) {
         m.mutable_problem()->mutable_scorer()->set_language("python3");
       }},
      {"problem.interactor: an interactor needs a language and a source",
       [](auto& m) {
         m.mutable_problem()->mutable_interactor()->set_language("cpp");
       }},
      {"problem: an interactive problem needs an interactor",
       [](auto& m) {
         m.mutable_problem()->set_type(v1::Problem::TYPE_INTERACTIVE);
       }},
      {"problem.manager: a manager needs a language and a source",
       [](auto& m) {
         m.mutable_problem()->mutable_manager()->set_language("cpp");
       }},
      {"problem.manager.protocol: expected one of cms and testlib",
       [](auto& m) {
         manager(m).set_protocol("telepathy");
       }},
      {"problem: a manager is for communication and twostep problems alone",
       [](auto& m) {
         manager(m);
       }},
      {"problem: a communication problem needs a manager",
       [](auto& m) {
         m.mutable_problem()->set_type(v1::Problem::TYPE_COMMUNICATION);
       }},
      {"problem: processes must be from 1 to 32",
       [](auto& m) {
         manager(m);
         m.mutable_problem()->set_type(v1::Problem::TYPE_COMMUNICATION);
         m.mutable_problem()->set_processes(0);
       }},
      {"problem: processes must be from 1 to 32",
       [](auto& m) {
         manager(m);
         m.mutable_problem()->set_type(v1::Problem::TYPE_COMMUNICATION);
         m.mutable_problem()->set_processes(4'000'000'000);
       }},
      {"problem: io is for interactive, communication and twostep problems alone",
       [](auto& m) {
         m.mutable_problem()->set_io(v1::Problem::PROCESS_IO_FIFO);
       }},
      {"problem: passes must be from 2 to 100",
       [](auto& m) {
         m.mutable_problem()->set_type(v1::Problem::TYPE_MULTIPASS);
         m.mutable_problem()->set_passes(1);
       }},
      {"problem: subtask 's' is for a scorer, and there is none",
       [](auto& m) {
         m.mutable_problem()->add_subtasks()->set_id("s");
         m.mutable_problem()->mutable_subtasks(0)->set_rule(v1::Subtask::RULE_SCRIPT);
         test(m).set_subtask_id("s");
       }},
      {"problem.checker: expected either a name or sources",
       [](auto& m) {
         checker(m);
       }},
      {"problem.checker.language: a source needs its language",
       [](auto& m) {
         checker(m).add_sources()->mutable_from()->set_content("x");
       }},
      {"problem.checker.protocol: expected one of testlib, icpc, exitcode, cms, lines and boca",
       [](auto& m) {
         checker(m).add_sources()->mutable_from()->set_content("x");
         checker(m).set_language("cpp");
         checker(m).set_protocol("telepathy");
       }},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(refusal(mistake.spoil), mistake.said);
  EXPECT_TRUE(
      refusal([](auto& m) { checker(m).set_name("nonsense"); }).starts_with("problem.checker: "));
}

// Of a message of some hundred bytes.
TEST_F(JudgingMistakes, ALargeFileIsNotReadForEachOfManySourcesThatNameIt) {
  os::OwnedFd file = store_->scratch().value();
  ASSERT_TRUE(os::write_all(file.get(), std::string(16 << 20, '#')));
  const std::string id = store_->keep("large", std::move(file)).value();
  EXPECT_EQ(refusal([&](auto& m) {
              m.clear_sources();
              for (int i = 0; i < 60; ++i)
                m.add_sources()->mutable_from()->set_file_id(id);
            }),
            "sources[4].from: the sources of a request have at most 64.0 MiB together");
}

}  // namespace
}  // namespace assay::transport::module
