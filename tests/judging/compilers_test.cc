#include "judge/compilers.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "store/digest.h"
#include "tests/judging/fixture.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using judge::CacheLevel;
using judge::Compiled;
using judge::Compilers;

class CompilersTest : public JudgingTest {
 protected:
  CompilersTest() {
    std::string name = (fs::temp_directory_path() / "assay-compilers-XXXXXX").string();
    base_ = ::mkdtemp(name.data());
  }
  ~CompilersTest() override { fs::remove_all(base_); }

  std::unique_ptr<Compilers> open(CacheLevel level = CacheLevel::Compilation, bool warm = true) {
    judge::CompilersOptions options;
    options.level = level;
    options.warm = warm;
    options.profiles = stamps();
    options.cache.directory = base_ + "/cache";
    return Compilers::open(engine(), std::move(options)).value();
  }
  static const judge::ProfileStamps& stamps() {
    static const judge::ProfileStamps all =
        judge::load_profile_stamps(tried_data() + "/profiles", languages()).value();
    return all;
  }
  static const verdict::Policy& rules() {
    static const verdict::Policy policy =
        verdict::load_policy(tried_data() + "/policies", "assay").value();
    return policy;
  }
  static judge::CompileOrder order(const judge::Submission& submission) {
    return judge::compile_order(languages(), submission).value();
  }
  Compiled compile(Compilers& compilers, const judge::Submission& submission) {
    auto compiled = compilers.compile(order(submission), rules(), cancellation());
    if (compiled) return *std::move(compiled);
    ADD_FAILURE() << describe(compiled.error());
    return {};
  }
  Compiled cold(const judge::Submission& submission) {
    return judge::compile(engine(), order(submission), rules(), cancellation()).value();
  }
  void tamper() const {  // with every stored file
    for (const auto& blob : fs::directory_iterator(base_ + "/cache/store/blobs")) {
      fs::permissions(blob.path(), fs::perms::owner_write, fs::perm_options::add);
      std::ofstream(blob.path(), std::ios::in | std::ios::out) << "tampered";
    }
  }

  std::string base_;
};

const char* const kHello = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n";

judge::Submission in_cpp(const std::string& source, std::vector<std::string> flags = {}) {
  return {.id = "s", .language = "cpp", .sources = {{"", source}}, .extra_flags = std::move(flags)};
}

TEST_F(CompilersTest, TheSameSourceIsCompiledOnceWhateverItsFileWasCalled) {
  const auto compilers = open();
  const Compiled first = compile(*compilers, in_c(kHello));
  ASSERT_TRUE(first.program);
  EXPECT_FALSE(first.result->cached);
  judge::Submission elsewhere = in_c(kHello);
  elsewhere.sources[0].name = "another_name.c";
  const Compiled second = compile(*compilers, elsewhere);
  ASSERT_TRUE(second.program);
  EXPECT_TRUE(second.result->cached);
  EXPECT_EQ(second.result->log, first.result->log);
  EXPECT_EQ(second.result->time, first.result->time);
  ASSERT_EQ(second.program->files.size(), 1U);
  EXPECT_EQ(second.program->files[0].content, first.program->files[0].content);
  EXPECT_TRUE(second.program->files[0].executable);
  EXPECT_EQ(compilers->counts().compilations, 1U);
  EXPECT_EQ(compilers->counts().hits, 1U);
}

TEST_F(CompilersTest, AnotherProcessFindsWhatWasKept) {
  compile(*open(), in_c(kHello));
  const auto next = open();
  EXPECT_TRUE(compile(*next, in_c(kHello)).result->cached);
  EXPECT_EQ(next->counts().compilations, 0U);
}

TEST_F(CompilersTest, AnotherContentFlagOrLanguageIsCompiled) {
  const auto compilers = open();
  compile(*compilers, in_c(kHello));
  EXPECT_FALSE(compile(*compilers, in_c(std::string(kHello) + "\n")).result->cached);
  judge::Submission flags = in_c(kHello);
  flags.extra_flags = {"-O3"};
  EXPECT_FALSE(compile(*compilers, flags).result->cached);
  EXPECT_FALSE(compile(*compilers, in_cpp(kHello)).result->cached);
  EXPECT_EQ(compilers->counts().compilations, 4U);
}

TEST_F(CompilersTest, AFailedCompilationIsNeverKept) {
  const auto compilers = open();
  for (int i = 0; i < 2; ++i) {
    const Compiled failed = compile(*compilers, in_c("int main(void) { return nonsense; }"));
    EXPECT_FALSE(failed.program);
    EXPECT_FALSE(failed.result->cached);
  }
  EXPECT_EQ(compilers->counts().compilations, 2U);
}

TEST_F(CompilersTest, LevelNoneRemembersNothing) {
  const auto compilers = open(CacheLevel::None);
  compile(*compilers, in_c(kHello));
  EXPECT_FALSE(compile(*compilers, in_c(kHello)).result->cached);
  EXPECT_FALSE(fs::exists(base_ + "/cache"));
  compile(*open(), in_c(kHello));
  EXPECT_FALSE(compile(*compilers, in_c(kHello)).result->cached) << "nor does it look";
}

TEST_F(CompilersTest, LevelTransientRemembersAsLongAsItLivesAndWritesNothing) {
  {
    const auto compilers = open(CacheLevel::Transient);
    compile(*compilers, in_c(kHello));
    EXPECT_TRUE(compile(*compilers, in_c(kHello)).result->cached);
  }
  EXPECT_FALSE(fs::exists(base_ + "/cache"));
  EXPECT_FALSE(compile(*open(CacheLevel::Transient), in_c(kHello)).result->cached);
}

TEST_F(CompilersTest, LevelTransientDoesNotCareWhatSomebodyDidToTheDirectory) {
  compile(*open(), in_c(kHello));
  tamper();
  const auto compilers = open(CacheLevel::Transient);
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).program);
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).program);
}

TEST_F(CompilersTest, ATamperedProgramIsNeverRunButAnErrorThatSaysWhatToDo) {
  const auto compilers = open();
  compile(*compilers, in_c(kHello));
  tamper();
  const auto compiled = compilers->compile(order(in_c(kHello)), rules(), cancellation());
  ASSERT_FALSE(compiled);
  EXPECT_NE(describe(compiled.error()).find("assay cache"), std::string::npos);
  judge::CompileCache::open({.directory = base_ + "/cache"}).value().verify().value();
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).program);
}

TEST_F(CompilersTest, ADeletedProgramIsCompiledAgain) {
  const auto compilers = open();
  compile(*compilers, in_c(kHello));
  for (const char* room : {"blobs", "files"})
    for (const auto& file : fs::directory_iterator(base_ + "/cache/store/" + room))
      fs::remove(file.path());
  EXPECT_FALSE(compile(*compilers, in_c(kHello)).result->cached);
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).result->cached);
}

TEST_F(CompilersTest, GoOnWhenSomebodyRemovesTheWholeStoreUnderThem) {
  const auto compilers = open();
  compile(*compilers, in_c(kHello));
  fs::remove_all(base_ + "/cache/store");
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).program);
  EXPECT_TRUE(compile(*compilers, in_c(kHello)).result->cached);
}

TEST_F(CompilersTest, TenAtOnceCompileOnce) {
  const auto compilers = open();
  std::vector<std::thread> threads;
  std::vector<std::string> programs(10);
  for (std::string& program : programs)
    threads.emplace_back([&] {
      const Compiled compiled = compile(*compilers, in_c(kHello));
      if (compiled.program) program = compiled.program->files.at(0).content;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(compilers->counts().compilations, 1U);
  EXPECT_EQ(compilers->counts().hits + compilers->counts().shared, 9U);
  for (const std::string& program : programs)
    EXPECT_EQ(program, programs[0]);
  EXPECT_FALSE(programs[0].empty());
}

TEST_F(CompilersTest, WhoWaitsStopsWaitingWhenHeIsCancelled) {
  const auto compilers = open();
  const judge::CompileOrder slow = order(in_c("#include \"/dev/zero\"\n"));  // until a limit
  judge::Cancellation first;
  judge::Cancellation second;
  std::thread leader([&] { (void)compilers->compile(slow, rules(), first); });
  std::thread canceller([&] { second.cancel(); });
  const auto result = compilers->compile(slow, rules(), second);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->program);
  canceller.join();
  first.cancel();
  leader.join();
}

TEST_F(CompilersTest, WhoWaitsForACompilationThatIsCancelledCompilesHimself) {
  const auto compilers = open();
  const judge::CompileOrder hello = order(in_c(kHello));
  for (int i = 0; i < 5; ++i) {  // whoever of the two comes first
    judge::Cancellation first;
    std::thread leader([&] { (void)compilers->compile(hello, rules(), first); });
    std::thread canceller([&] { first.cancel(); });
    const auto result = compilers->compile(hello, rules(), cancellation());
    canceller.join();
    leader.join();
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->program);
    ASSERT_TRUE(judge::CompileCache::open({.directory = base_ + "/cache"}).value().clear());
  }
}

TEST_F(CompilersTest, TheSameCacheServesCheckers) {
  const auto compilers = open();
  judge::Problem problem = problem_of({{"1", "1"}, {"2", "2"}});
  problem.checker = judge::CheckerProgram{.source = in_c("int main(void) { return 0; }"),
                                          .protocol = judge::Protocol::ExitCode};
  const judge::Judge judge(engine(), languages(), profiles(), rules(),
                           {.compilers = compilers.get()});
  for (const unsigned expected : {1U, 1U}) {
    const auto result = judge.judge(problem, in_python("print(input())"), {}, {}, cancellation());
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(letters(*result), "AC AC");
    EXPECT_EQ(compilers->counts().compilations, expected);
  }
}

const char* const kSum = R"(#include <bits/stdc++.h>
using namespace std;
int main() { long long a, b; cin >> a >> b; cout << a + b << endl; })";

TEST_F(CompilersTest, AWarmCompilationSaysAndMakesTheSame) {
  const auto compilers = open();
  const std::string sources[] = {
      kSum,
      "#define NDEBUG\n" + std::string(kSum),
      "#define int long long\n#include <bits/stdc++.h>\nusing namespace std;\nsigned main() { "
      "vector<int> v{3, 1}; sort(v.begin(), v.end()); assert(v[0] == 1); cout << __COUNTER__ << "
      "__FILE__ << __INCLUDE_LEVEL__; }\n",
      "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>\nint main() { std::set<int> s; "
      "s.insert(1); return s.size(); }\n",
      "int early;\n" + std::string(kSum),
      "#include <bits/stdc++.h>\nint main() { return undeclared; }\n",
      "#include <bits/stdc++.h>\nstruct S {};\nint main() { std::set<S> s; s.insert(S{}); "
      "std::cout "
      "<< S{}; }\n",
      "#include <bits/stdc++.h>\n#pragma GCC warning \"look\"\nint main() {}\n",
      "#pragma GCC diagnostic warning \"-Winvalid-pch\"\n#define NDEBUG\n" + std::string(kSum),
      "#include <bits/stdc++.h>\n#if __has_include(\"assay-warm.h\")\n#error seen\n#endif\nint "
      "main() {}\n",
  };
  ASSERT_TRUE(compilers->warm_up(*languages().find("cpp").value(), cancellation()).value());
  for (const std::string& source : sources) {
    const Compiled warm = compile(*compilers, in_cpp(source));
    const Compiled plain = cold(in_cpp(source));
    ASSERT_TRUE(warm.result && plain.result) << source;
    EXPECT_EQ(warm.result->ok, plain.result->ok) << source;
    EXPECT_EQ(warm.result->exit_code, plain.result->exit_code) << source;
    EXPECT_EQ(warm.result->log, plain.result->log) << source;
    ASSERT_EQ(warm.program.has_value(), plain.program.has_value()) << source;
    const auto bytes = [](const Compiled& compiled) {
      return compiled.program ? compiled.program->files[0].content : "";
    };
    EXPECT_TRUE(bytes(warm) == bytes(plain)) << source;
  }
  EXPECT_GE(compilers->counts().warm, 9U);
  const std::string another = std::string(kSum) + "\n";
  EXPECT_LT(compile(*compilers, in_cpp(another)).result->time * 10,
            cold(in_cpp(another)).result->time * 7)
      << "g++ took what it was lent";
}

TEST_F(CompilersTest, FlagsThatChangeTheCodeHaveWarmthOfTheirOwn) {
  const auto compilers = open();
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-O3", "-DLOCAL_1"}, {"-g"}, {"-Wall", "-Wextra"}}) {
    const judge::Submission submission = in_cpp(kSum, flags);
    const Compiled warm = compile(*compilers, submission);
    const Compiled plain = cold(submission);
    ASSERT_TRUE(warm.program && plain.program) << flags[0];
    EXPECT_TRUE(warm.program->files[0].content == plain.program->files[0].content) << flags[0];
    EXPECT_EQ(warm.result->log, plain.result->log) << flags[0];
  }
  EXPECT_EQ(compilers->counts().warm, 2U) << "not with -g";
}

TEST_F(CompilersTest, WarmFilesAreKeptForTheNextProcess) {
  const judge::Language& cpp = *languages().find("cpp").value();
  ASSERT_TRUE(open()->warm_up(cpp, cancellation()).value());
  const auto next = open();
  EXPECT_TRUE(compile(*next, in_cpp(kSum)).program);
  EXPECT_EQ(next->counts().warm, 1U);
  tamper();
  const auto third = open();
  const auto compiled =
      third->compile(order(in_cpp(std::string(kSum) + "\n")), rules(), cancellation());
  ASSERT_FALSE(compiled) << "a tampered warm file is an error like any other";
  EXPECT_NE(describe(compiled.error()).find("assay cache"), std::string::npos);
}

// The compiler is made to run code of the submission: what it can reach, it tries to change.
TEST_F(CompilersTest, ACompilationCannotChangeWhatIsWarmForTheNext) {
  judge::Language hostile = *languages().find("cpp").value();
  hostile.compile[0].argv = {
      "bash", "-c",
      "exec 2> /dev/null; f=assay-warm/bits/stdc++.h.gch; chmod 0666 $f /proc/self/fd/3; : > $f; "
      "echo bad > $f; "
      "echo bad >> /proc/self/fd/3; echo bad 1<> /proc/self/fd/3; truncate -s 0 /proc/self/fd/3; "
      "rm -f $f; echo bad > $f; touch /proc/self/fd/3; "
      "head -c 8 /proc/self/fd/3 > {output}; head -c 1000000 <&3 > /dev/null; exit 0"};
  const auto compilers = open();
  const judge::Language& cpp = *languages().find("cpp").value();
  ASSERT_TRUE(compilers->warm_up(cpp, cancellation()).value());
  judge::CompileOrder attack = order(in_cpp(kSum));
  attack.language = &hostile;
  const auto attacked = compilers->compile(attack, rules(), cancellation());
  ASSERT_TRUE(attacked) << describe(attacked.error());
  ASSERT_TRUE(attacked->program) << attacked->result->log;
  EXPECT_TRUE(attacked->program->files[0].content.starts_with("gpch"))
      << "it had the file: " << attacked->program->files[0].content << attacked->result->log;
  EXPECT_EQ(compilers->counts().warm, 1U);

  const Compiled next = compile(*compilers, in_cpp(std::string(kSum) + "\n"));
  ASSERT_TRUE(next.program);
  EXPECT_EQ(compilers->counts().warm, 2U);
  EXPECT_EQ(next.result->log, "");
  EXPECT_TRUE(next.program->files[0].content ==
              cold(in_cpp(std::string(kSum) + "\n")).program->files[0].content);
}

TEST_F(CompilersTest, WarmthThatCannotBeMadeIsDoneWithout) {
  judge::Language broken = *languages().find("cpp").value();
  broken.warmth->step.argv = {"false"};
  judge::CompileOrder plain = order(in_cpp(kSum));
  plain.language = &broken;
  const auto compilers = open();
  const auto compiled = compilers->compile(plain, rules(), cancellation());
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->program);
  EXPECT_EQ(compilers->counts().warm, 0U);
}

}  // namespace
}  // namespace assay::test
