// Secrets of the host, of the problem and of another submission, beside everything of a judging
// that somebody else wrote: solutions, what builds them, checkers and interactors.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <thread>

#include "judge/compilers.h"
#include "judge/dialogue.h"
#include "os/file.h"
#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"
#include "tests/judging/fixture_hunters.h"
#include "tests/support/places.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using judge::JudgeResult;
using std::string;
using Words = std::vector<string>;

string told_by(const std::optional<judge::CompileResult>& compiled) {
  return compiled ? compiled->log + "\n" + compiled->error + "\n" : "";
}

// Every word of a result that is not a name, a number or a verdict.
string all_that_is_told(const JudgeResult& result) {
  string all = result.message + "\n" + told_by(result.compile) + told_by(result.lint);
  if (result.script) all += result.script->message + result.script->breakdown + "\n";
  for (const judge::TestResult& test : result.tests) {
    for (const string* text :
         {&test.message, &test.team_message, &test.output, &test.errors, &test.checker_log})
      all += *text + "\n";
    if (test.interaction && test.interaction->dialogue)
      all += judge::as_interaction(*test.interaction->dialogue);
  }
  return all;
}

void expect_none(const Words& secrets, const string& text, const string& where) {
  for (const string& secret : secrets)
    EXPECT_FALSE(text.contains(secret)) << secret << " in " << where << ": " << text;
}

class CanaryTest : public JudgingTest {
 protected:
  CanaryTest() {
    ::setenv("ASSAY_CANARY", in_environment_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    // NOLINTNEXTLINE(android-cloexec-open): it is there to be inherited
    left_open_ = os::OwnedFd(::open(open_.path().c_str(), O_RDONLY));
    string name = (fs::temp_directory_path() / "assay-hunted-XXXXXX").string();
    cache_ = ::mkdtemp(name.data());
  }
  ~CanaryTest() override {
    ::unsetenv("ASSAY_CANARY");  // NOLINT(concurrency-mt-unsafe)
    fs::remove_all(cache_);
  }
  void SetUp() override {
    JudgingTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    judge::CompilersOptions options;
    options.profiles = judge::load_profile_stamps(tried_data() + "/profiles", languages()).value();
    options.cache.directory = cache_;
    compilers_ = judge::Compilers::open(engine(), std::move(options)).value();
  }
  void TearDown() override {
    compilers_.reset();
    EXPECT_TRUE(open_.is_untouched());
    EXPECT_TRUE(closed_.is_untouched());
    for (const string& secret : secrets_of_the_host())
      EXPECT_FALSE(is_cached(secret)) << secret;
    JudgingTest::TearDown();
  }

  [[nodiscard]] Words secrets_of_the_host() const {
    return {open_.secret(), closed_.secret(), fs::path(closed_.path()).filename(), in_environment_,
            other_source_};
  }
  [[nodiscard]] bool is_cached(const string& text) const {
    return std::ranges::any_of(fs::recursive_directory_iterator(cache_), [&](const auto& entry) {
      return entry.is_regular_file() && os::read_whole(entry.path()).value().contains(text);
    });
  }
  // Input and answer are parts of one file, as those of an archive are.
  [[nodiscard]] judge::Problem problem() const {
    judge::Problem made = problem_of({{"", ""}});
    made.limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s), .memory = 256_MiB};
    const auto file = std::make_shared<const os::OwnedFd>(file_of(input_ + "\n" + answer_ + "\n"));
    const std::uint64_t size = input_.size() + 1;
    made.tests[0].input = {.file = file, .part = judge::FilePart{0, size}};
    made.tests[0].answer = {.file = file, .part = judge::FilePart{size, answer_.size() + 1}};
    return made;
  }
  [[nodiscard]] std::vector<judge::Submission> hunters() const {
    return {in_c("#define PATH \"" + open_.path() + "\"\n" + hunter_in_c()),
            in_python(hunter_in_python())};
  }
  // With a memory for what it compiled, and while the other submission runs.
  JudgeResult hunt(const judge::Problem& problem, const judge::Submission& submission);

  Canary open_{0644};
  Canary closed_{0600};
  const string in_environment_ = random_word();
  const string input_ = random_word();
  const string answer_ = random_word();
  const string other_source_ = random_word();

 private:
  JudgeResult judge_here(const judge::Problem& problem, const judge::Submission& submission,
                         const judge::JudgeEvents& events, judge::Cancellation& cancellation);
  JudgeResult run_neighbour(std::latch& said, judge::Cancellation& end);

  os::OwnedFd left_open_;
  string cache_;
  std::unique_ptr<judge::Compilers> compilers_;
};

JudgeResult CanaryTest::judge_here(const judge::Problem& problem,
                                   const judge::Submission& submission,
                                   const judge::JudgeEvents& events,
                                   judge::Cancellation& cancellation) {
  const auto rules = verdict::load_policy(tried_data() + "/policies", "assay");
  const judge::Judge judge(engine(), languages(), profiles(), *rules,
                           {.unpacker = &unpacker(), .compilers = compilers_.get()});
  auto result = judge.judge(problem, submission, {.dialogue = 64_KiB}, events, cancellation);
  if (result) return *std::move(result);
  ADD_FAILURE() << describe(result.error());
  return {.tests = {{}}};
}

JudgeResult CanaryTest::run_neighbour(std::latch& said, judge::Cancellation& end) {
  judge::Problem talk = problem_of({{other_source_, other_source_}});
  talk.limits = {.wall_time = scaled(100s), .idle_time = scaled(100s), .memory = 128_MiB};
  talk.kind = judge::ProblemKind::Interactive;
  talk.interactor.emplace().source = in_python("import sys\nsys.stdin.read()");
  std::atomic_flag once;
  const auto note = [&](std::size_t, const exec::Remark&) {
    if (!once.test_and_set()) said.count_down();
  };
  const auto source = "print('here', flush=True)\nimport time\ntime.sleep(90)  # " + other_source_;
  JudgeResult result = judge_here(talk, in_python(source), {.said = note}, end);
  if (!once.test()) said.count_down();
  return result;
}

JudgeResult CanaryTest::hunt(const judge::Problem& problem, const judge::Submission& submission) {
  std::latch said(1);
  judge::Cancellation end;
  judge::Cancellation never;
  JudgeResult other;
  std::jthread neighbour([&] { other = run_neighbour(said, end); });
  said.wait();
  JudgeResult result = judge_here(problem, submission, {}, never);
  end.cancel();
  neighbour.join();
  EXPECT_EQ(other.letters, "SKIPPED") << "the other one was over: " << all_that_is_told(other);
  expect_none(secrets_of_the_host(), all_that_is_told(result), "the result");
  return result;
}

TEST_F(CanaryTest, ASolutionFindsItsInputAndNothingElse) {
  NEEDS_METERS();
  for (const judge::Submission& hunter : hunters()) {
    const JudgeResult result = hunt(problem(), hunter);
    EXPECT_EQ(result.letters, "WA") << all_that_is_told(result);
    for (const string& text : {result.tests[0].output, result.tests[0].errors}) {
      EXPECT_TRUE(text.contains("found " + input_)) << text;
      EXPECT_TRUE(text.contains("looked")) << text;
      expect_none({answer_}, text, "its output");
    }
  }
  EXPECT_TRUE(is_cached(open_.path())) << "what is kept cannot be searched";
}

TEST_F(CanaryTest, ACheckerFindsTheAnswerAndNothingOfTheHost) {
  NEEDS_METERS();
  for (const judge::Submission& hunter : hunters()) {
    judge::Problem checked = problem();
    checked.checker = judge::CheckerProgram{.source = hunter, .limits = checked.limits};
    const JudgeResult result = hunt(checked, in_python("print(1)"));
    EXPECT_EQ(result.letters, "AC") << all_that_is_told(result);
    EXPECT_TRUE(result.tests[0].checker_log.contains("found " + answer_));
    EXPECT_TRUE(result.tests[0].checker_log.contains("looked"));
  }
}

// Both look at the same time, and neither is in the other's tree.
TEST_F(CanaryTest, AnInteractorFindsTheAnswerAndItsSolutionDoesNot) {
  NEEDS_METERS();
  for (const judge::Submission& hunter : hunters()) {
    judge::Problem talk = problem();
    talk.kind = judge::ProblemKind::Interactive;
    talk.interactor = {.source = hunter, .limits = talk.limits};
    const JudgeResult result = hunt(talk, hunter);
    const judge::TestResult& test = result.tests[0];
    EXPECT_TRUE(test.checker_log.contains("found " + answer_)) << all_that_is_told(result);
    EXPECT_TRUE(test.checker_log.contains("looked")) << test.checker_log;
    EXPECT_TRUE(test.errors.contains("looked")) << all_that_is_told(result);
    expect_none({answer_, input_}, test.errors, "the solution's stderr");
  }
}

// What the recipe made is run, too.
TEST_F(CanaryTest, AMakefileFindsItsSourceAndNothingElse) {
  NEEDS_METERS();
  judge::Problem made = problem();
  made.build = judge::BuildStrategy::MakeNormal;
  const string bait = random_word();
  const string makefile = "all:\n\tgcc hunt.c -o a.out\n\t./a.out\n\tenv\n\t-cat " + open_.path() +
                          "\n\t-cat /tmp/canary*\n";
  const string archive = pack({{"Makefile", makefile}, {"hunt.c", hunter_in_c()}, {"bait", bait}});
  const JudgeResult result =
      hunt(made, {.language = "c", .archive = judge::Content{.text = archive}});
  ASSERT_TRUE(result.compile) << result.message;
  const string told = all_that_is_told(result);
  EXPECT_TRUE(result.compile->log.contains("found " + bait)) << told;
  EXPECT_TRUE(result.tests[0].output.contains("found " + input_)) << told;
  expect_none({answer_, input_}, result.compile->log, "the compiler's log");
  expect_none({answer_}, result.tests[0].output, "the output");
}

struct Directive {
  string before{}, after{};
};

// A file that is not there, whoever names it: not even whether it is.
TEST_F(CanaryTest, NoDirectiveOfASourceReadsTheHost) {
  const Directive directives[] = {
      {"#include \"", "\"\n"},
      {"#include_next \"", "\"\n"},
      {"__asm__(\".incbin \\\"", "\\\"\");\n"},
      {"__asm__(\".include \\\"", "\\\"\");\n"},
      {"#if !__has_include(\"", "\")\n#error not there\n#endif\n"},
  };
  for (const Canary* canary : {&open_, &closed_})
    for (const auto& [before, after] : directives)
      for (const string language : {"c", "cpp"}) {
        judge::Submission source = in_c(before + canary->path() + after + "int main(void) {}\n");
        source.language = language;
        const JudgeResult result = judge(problem(), source);
        EXPECT_EQ(result.letters, "CE") << before << all_that_is_told(result);
        expect_none({canary->secret()}, all_that_is_told(result), "the result");
      }
}

}  // namespace
}  // namespace assay::test
