#include "journal/lasting.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <limits>

#include "journal/result_form.h"
#include "os/file.h"

namespace assay::journal {
namespace {

judge::Problem sample_problem() {
  judge::Problem problem{
      .kind = judge::ProblemKind::Interactive,
      .passes = 7,
      .build = judge::BuildStrategy::MakeNormal,
      .io_mode = judge::IoMode::FileIo,
      .input_file = "in",
      .limits = {.cpu_time = std::chrono::milliseconds(1500), .memory = 64_MiB},
      .checker = judge::CheckerProgram{.source = {.language = "cpp", .sources = {{"c.cc", "int"}}},
                                       .protocol = judge::Protocol::Icpc,
                                       .arguments = {"-x", ""}},
      .stop = judge::StopRule::Group,
      .run_profiles = {{"run", "wide"}, {"", "empty"}}};
  problem.tests.push_back({.id = "1", .input = {.text = std::string("a\0b", 3)}, .score = -0.5});
  problem.tests.push_back({.id = "2", .answer = {.text = ""}, .subtask = "s"});
  problem.subtasks.push_back(
      {.id = "s", .score = 1e12, .rule = judge::SubtaskRule::Min, .depends_on = {"a", "b"}});
  problem.interactor = judge::Interactor{.protocol = judge::Protocol::Noj, .starts_first = true};
  problem.manager = judge::Manager{.protocol = judge::Protocol::Cms, .arguments = {"-m"}};
  problem.processes = 3;
  problem.process_io = judge::ProcessIo::Fifo;
  return problem;
}

judge::JudgeResult sample_result() {
  judge::JudgeResult result{.submission_id = "s",
                            .status = judge::JudgeStatus::Failed,
                            .verdict = verdict::Verdict::TimeLimit,
                            .letters = "TLE",
                            .score = 12.25,
                            .language = "cpp",
                            .compile = judge::CompileResult{.ok = true, .exit_code = -1},
                            .script = judge::ScriptScore{.breakdown = "{}"},
                            .received_at = judge::JudgeResult::Clock::time_point(
                                std::chrono::nanoseconds(1'700'000'000'123'456'789))};
  sandbox::Facts facts{.end = sandbox::Signaled{.signal = 11, .core = true},
                       .cut_off_by = sandbox::CutOff::Wall,
                       .cpu_total = std::chrono::nanoseconds(-1),
                       .memory_peak = {std::numeric_limits<std::uint64_t>::max()},
                       .section_peak = 0_B,
                       .streams = {{1, true}, {}},
                       .file_errors = {{.name = "n", .stage = sandbox::FileStage::Take}},
                       .missing = {"a meter"}};
  judge::TestResult test{.id = "1", .exit_code = 0, .run_times = {std::chrono::seconds(1), {}}};
  test.facts = facts;
  test.processes = {{}, facts};
  test.interaction = judge::InteractionResult{
      .taught = true,
      .managed = true,
      .dialogue = exec::Dialogue{.remarks = {{1, std::chrono::seconds(2), "hi"}}, .bytes = 2}};
  result.tests = {test, {}};
  return result;
}

TEST(Lasting, GivesAProblemBackAsItWas) {
  const std::string bytes = to_lasting(sample_problem()).bytes;
  const auto problem = from_lasting<judge::Problem>(bytes);
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(to_lasting(*problem).bytes, bytes);
  EXPECT_EQ(problem->tests.at(0).input.text, std::string("a\0b", 3));
  EXPECT_EQ(problem->tests.at(0).score, -0.5);
  EXPECT_EQ(problem->tests.at(1).score, std::nullopt);
  EXPECT_EQ(problem->run_profiles, sample_problem().run_profiles);
  EXPECT_EQ(problem->limits, sample_problem().limits);
  EXPECT_EQ(std::get<judge::CheckerProgram>(problem->checker).arguments,
            (std::vector<std::string>{"-x", ""}));
  EXPECT_EQ(problem->stop, judge::StopRule::Group);
  EXPECT_EQ(problem->manager->protocol, judge::Protocol::Cms);
  EXPECT_EQ(problem->manager->arguments, std::vector<std::string>{"-m"});
  EXPECT_EQ(problem->processes, 3U);
  EXPECT_EQ(problem->process_io, judge::ProcessIo::Fifo);
}

TEST(Lasting, GivesAResultBackAsItWas) {
  const std::string bytes = to_lasting(sample_result()).bytes;
  const auto result = from_lasting<judge::JudgeResult>(bytes);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(to_lasting(*result).bytes, bytes);
  EXPECT_EQ(result->received_at, sample_result().received_at);
  EXPECT_EQ(result->compile->exit_code, -1);
  EXPECT_EQ(result->tests.at(0).facts->memory_peak, sample_result().tests[0].facts->memory_peak);
  EXPECT_EQ(result->tests.at(0).facts->end, sample_result().tests[0].facts->end);
  EXPECT_EQ(result->tests.at(0).interaction->dialogue,
            sample_result().tests[0].interaction->dialogue);
  EXPECT_TRUE(result->tests.at(0).interaction->managed);
  EXPECT_EQ(result->tests.at(0).processes.at(1).end, sample_result().tests[0].facts->end);
  EXPECT_FALSE(result->tests.at(1).facts);
}

// Bytes that an earlier version wrote: they must be read as they were meant for ever.
TEST(Lasting, ReadsWhatWasWrittenBefore) {
  const std::string bytes{
      "\x01\x01\x01"                           // output-only
      "\x02\x01\x03"                           // three passes
      "\x0a\x07\x01\x05\x80\xbc\xc1\x96\x0b"   // 1.5 s of CPU time
      "\x0e\x09\x01\x01t\x02\x04\x01\x02in"};  // test "t"
  const auto problem = from_lasting<judge::Problem>(bytes);
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->kind, judge::ProblemKind::OutputOnly);
  EXPECT_EQ(problem->passes, 3U);
  EXPECT_EQ(problem->limits.cpu_time, std::chrono::milliseconds(1500));
  EXPECT_EQ(problem->tests.at(0).id, "t");
  EXPECT_EQ(problem->tests.at(0).input.text, "in");
}

TEST(Lasting, SkipsFieldsThatItDoesNotKnow) {
  std::string bytes = to_lasting(judge::SourceFile{.name = "n", .content = "c"}).bytes;
  bytes += std::string("\xe7\x07\x03new", 6);
  const auto file = from_lasting<judge::SourceFile>(bytes);
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->name, "n");
  EXPECT_EQ(file->content, "c");
}

TEST(Lasting, RefusesChoicesThatDoNotExist) {
  const auto result = from_lasting<judge::JudgeResult>("\x03\x01\x7f");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().context.find("choice"), std::string::npos) << result.error().context;
}

TEST(Lasting, NeverBreaksOnDamagedBytes) {
  const std::string whole = to_lasting(sample_result()).bytes + to_lasting(sample_problem()).bytes;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    (void)from_lasting<judge::JudgeResult>(std::string_view(whole).substr(0, cut));
    (void)from_lasting<judge::Problem>(std::string_view(whole).substr(cut));
    std::string flipped = whole;
    flipped[cut] = static_cast<char>(flipped[cut] ^ 0x81);
    (void)from_lasting<judge::JudgeResult>(flipped);
    (void)from_lasting<judge::Problem>(flipped);
  }
  EXPECT_FALSE(from_lasting<judge::Problem>("\x01"));
  EXPECT_FALSE(from_lasting<judge::Problem>("\x01\x05zz"));
  EXPECT_FALSE(from_lasting<judge::Problem>("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
}

TEST(Lasting, NamesFilesByTheirNumberAndHostFilesByTheirPath) {
  auto memory = os::sealed_memory("test", "bytes");
  ASSERT_TRUE(memory);
  judge::Problem problem;
  problem.tests.push_back(
      {.input = {.file = std::make_shared<const os::OwnedFd>(*std::move(memory))},
       .answer = {.path = "/srv/answer"}});
  const Lasting form = to_lasting(problem);
  ASSERT_EQ(form.files.size(), 1U);
  std::vector<std::string> asked;
  const Sources sources{.file = [&](std::size_t number) -> Result<os::OwnedFd> {
                          asked.push_back(std::to_string(number));
                          return os::duplicate(form.files.at(number)->get());
                        },
                        .host_file = [&](const std::string& path) -> Result<judge::Content> {
                          asked.push_back(path);
                          return judge::Content{.text = "opened", .path = path};
                        }};
  const auto again = from_lasting<judge::Problem>(form.bytes, sources);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(asked, (std::vector<std::string>{"0", "/srv/answer"}));
  EXPECT_EQ(os::read_from_start(again->tests[0].input.file->get()), "bytes");
  EXPECT_EQ(again->tests[0].answer.text, "opened");
  EXPECT_FALSE(from_lasting<judge::Problem>(form.bytes)) << "there is nobody to ask";
}

// Two files in turn once became a link and a descriptor for each test.
TEST(Lasting, AFileThatManyTestsNameIsKeptAndOpenedOnce) {
  const auto file = [](const char* bytes) {
    return std::make_shared<const os::OwnedFd>(os::sealed_memory("test", bytes).value());
  };
  const auto input = file("input");
  const auto answer = file("answer");
  judge::Problem problem;
  for (int i = 0; i < 100; ++i)
    problem.tests.push_back({.input = {.file = input}, .answer = {.file = answer}});
  const Lasting form = to_lasting(problem);
  EXPECT_EQ(form.files, (Files{input, answer}));
  int opened = 0;
  int adopted = 0;
  const auto again = from_lasting<judge::Problem>(
      form.bytes, {.file =
                       [&](std::size_t number) {
                         ++opened;
                         return os::duplicate(form.files.at(number)->get());
                       },
                   .adopt =
                       [&](os::OwnedFd one) {
                         ++adopted;
                         return std::make_shared<const os::OwnedFd>(std::move(one));
                       }});
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(adopted, 2);
  for (const judge::ProblemTest& test : again->tests) {
    EXPECT_EQ(test.input.file, again->tests.front().input.file);
    EXPECT_EQ(test.answer.file, again->tests.front().answer.file);
  }
  EXPECT_EQ(os::read_from_start(again->tests.back().answer.file->get()), "answer");
}

}  // namespace
}  // namespace assay::journal
