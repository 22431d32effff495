// Every program that tries to get out, in every box of a judging: as what a recipe runs, as a
// solution, as a checker and as an interactor.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "judge/compilers.h"
#include "os/file.h"
#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"
#include "tests/support/attempts.h"
#include "tests/support/places.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using judge::JudgeResult;
using std::string;

string guest_source(const string& name) {
  return os::read_whole(tried_data() + "/tests/guests/" + name).value();
}

// Called with its own arguments whatever it is run with. What it tells goes to stderr, which is
// kept of a checker and of an interactor, too; and if it lives so long it says no.
judge::Submission as_source(const Attempts& tried) {
  string call = "\n#undef main\nint main(void) {\n  char* own[] = {\"guest\"";
  for (const string& argument : tried.arguments)
    call += ", \"" + argument + "\"";
  call += ", 0};\n  guest_main(sizeof own / sizeof *own - 1, own);\n  return 1;\n}\n";
  const string begin =
      "#define _GNU_SOURCE\n#include <unistd.h>\n"
      "__attribute__((constructor(101))) static void aim(void) { dup2(2, 1); }\n"
      "#define main guest_main\n";
  return {.language = "c",
          .sources = {{"main.c", begin + guest_source(tried.guest + ".c") + call},
                      {"attempt.h", guest_source("attempt.h")}}};
}

class HostileBoxesTest : public JudgingTest {
 protected:
  void SetUp() override {
    JudgingTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (!missing().empty()) GTEST_SKIP() << "needs full boxes: " << missing().front();
    string name = (fs::temp_directory_path() / "assay-hostile-XXXXXX").string();
    cache_ = ::mkdtemp(name.data());
    judge::CompilersOptions options;
    options.profiles = judge::load_profile_stamps(tried_data() + "/profiles", languages()).value();
    options.cache.directory = cache_;
    compilers_ = judge::Compilers::open(engine(), std::move(options)).value();
  }
  void TearDown() override {
    compilers_.reset();
    if (!cache_.empty()) fs::remove_all(cache_);
    EXPECT_TRUE(open_.is_untouched());
    EXPECT_TRUE(closed_.is_untouched());
    JudgingTest::TearDown();
  }

  JudgeResult judge_hostile(const judge::Problem& problem, const judge::Submission& submission) {
    const auto rules = scaled_policy("assay");
    const judge::Judge judge(engine(), languages(), profiles(), *rules,
                             {.unpacker = &unpacker(), .compilers = compilers_.get()});
    auto result = judge.judge(problem, submission, {}, {}, cancellation());
    if (result && !result->tests.empty()) return *std::move(result);
    if (!result) ADD_FAILURE() << describe(result.error());
    return {.tests = {{}}};
  }
  static judge::Problem problem() {
    judge::Problem made = problem_of({{"1", random_word()}});
    made.limits.wall_time = scaled(10s);
    return made;
  }
  [[nodiscard]] std::vector<Attempts> attempts() const { return all_attempts(open_.path()); }

  // Nothing was reached, and of the host's secrets nothing is told.
  void expect_refused(const string& told, const Attempts& tried) const {
    EXPECT_EQ(successes(told, tried), std::vector<string>{}) << tried.guest;
    for (const Canary* canary : {&open_, &closed_})
      EXPECT_FALSE(told.contains(canary->secret())) << tried.guest << ": " << told;
  }
  // Who comes next is judged as if nobody had been there.
  void expect_unharmed() {
    const JudgeResult result = judge_hostile(problem_of({{"1", "2"}}), in_python("print(2)"));
    EXPECT_EQ(result.letters, "AC") << result.message;
  }

  Canary open_{0644};
  Canary closed_{0600};

 private:
  string cache_;
  std::unique_ptr<judge::Compilers> compilers_;
};

// Two end by what they do in the end: over the memory limit, and by a signal to themselves.
string end_of_author(const Attempts& tried) {
  return tried.guest == "escape_cgroup" || tried.guest == "signal_everyone" ? "JE" : "WA";
}

// The strict filter of solutions ends most at their first attempt.
TEST_F(HostileBoxesTest, NoSolutionCheckerOrInteractorGetsOut) {
  const judge::Submission honest = in_c("int main(void) { return 0; }\n");
  for (const Attempts& tried : attempts()) {
    const judge::Submission hostile = as_source(tried);
    const JudgeResult solution = judge_hostile(problem(), hostile);
    expect_refused(solution.tests[0].output + solution.tests[0].errors, tried);
    EXPECT_EQ(solution.letters, "RE") << tried.guest << ": " << solution.message;

    judge::Problem checked = problem();
    checked.checker = judge::CheckerProgram{.source = hostile, .limits = checked.limits};
    const JudgeResult by_checker = judge_hostile(checked, honest);
    expect_refused(by_checker.tests[0].checker_log, tried);
    EXPECT_GT(count_attempts(by_checker.tests[0].checker_log), 1U) << tried.guest;
    EXPECT_EQ(by_checker.letters, end_of_author(tried)) << tried.guest << by_checker.message;

    judge::Problem talk = problem();
    talk.kind = judge::ProblemKind::Interactive;
    talk.interactor = {.source = hostile, .limits = talk.limits};
    const JudgeResult by_interactor = judge_hostile(talk, honest);
    expect_refused(by_interactor.tests[0].checker_log, tried);
    EXPECT_GT(count_attempts(by_interactor.tests[0].checker_log), 1U) << tried.guest;
    EXPECT_EQ(by_interactor.letters, end_of_author(tried)) << tried.guest << by_interactor.message;
    for (const JudgeResult* result : {&solution, &by_checker, &by_interactor})
      EXPECT_EQ(result->score, 0) << tried.guest;
  }
  expect_unharmed();
}

// make and its shell are of one user and in one box with what they run: its neighbours, and the
// only ones.
Attempts beside_make(Attempts tried) {
  for (const string own : {"parent", "everyone", "parent 7", "parent 6", "parent 1", "parent 9",
                           "parent 0", "lowered 2", "lowered 3"})
    tried.allowed.push_back(own);
  for (const string pid : {"2", "3"})
    for (const string file : {"mem", "environ", "maps", "cwd/.", "root/.", "fd/0", "exe",
                              "exe with 0", "exe as a handle"})
      tried.allowed.push_back("opened /proc/" + pid + "/" + file);
  tried.allowed.emplace_back("opened /proc/self/fd/4 with 0");  // that handle, for reading
  return tried;
}

TEST_F(HostileBoxesTest, NoRecipeGetsOut) {
  for (const Attempts& tried : attempts()) {
    judge::Problem made = problem();
    made.build = judge::BuildStrategy::MakeNormal;
    string recipe = "all:\n\t./guest";
    for (const string& argument : tried.arguments)
      recipe += " " + argument;
    const string program = os::read_whole(guest_path(tried.guest)).value();
    const string archive =
        pack({{"Makefile", recipe + "\n\tfalse\n"}, {"guest", program, EntryType::File, 0755}});
    const JudgeResult result =
        judge_hostile(made, {.language = "c", .archive = judge::Content{.text = archive}});
    const string told = result.compile ? result.compile->log : "";
    expect_refused(told, beside_make(tried));
    EXPECT_GT(count_attempts(told), 1U) << tried.guest << ": " << told;
    EXPECT_EQ(result.letters, "CE") << tried.guest << ": " << result.message;
  }
  expect_unharmed();
}

// One attempt for each input, as the filter ends most of them.
const char* const kTriesInPython = R"(
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = dict(ptrace=101, mount=165, umount2=166, pivot_root=155, chroot=161, unshare=272, setns=308, bpf=321, add_key=248,
               keyctl=250, io_uring_setup=425, io_setup=206, perf_event_open=298, userfaultfd=323, process_vm_readv=310,
               open_by_handle_at=304, init_module=175, personality=135, mknod=133, fork=57, vfork=58, clone3=435, kexec_load=246,
               reboot=169, settimeofday=164, sethostname=170, fanotify_init=300, syslog=103, fsopen=430, memfd_secret=447)
def call(name):
    result = libc.syscall(NUMBERS[name], -1, 0, 0, 0, 0)
    if result < 0: raise OSError(ctypes.get_errno(), name)
def connect():
    import socket
    socket.create_connection(('127.0.0.1', 22), 1)
OTHERS = {
    'clone_user': lambda: libc.syscall(56, 0x10000011, 0, 0, 0, 0) >= 0 or 1 / 0,
    'connect': connect,
    'kill': lambda: os.kill(-1, 9),
    'kill_init': lambda: os.kill(1, 9),
    'exec': lambda: os.execv('/bin/sh', ['sh', '-c', 'echo exec: done']),
    'system': lambda: os.system('echo system: done') and 1 / 0,
    'read_init': lambda: open('/proc/1/environ').read(),
    'read_shadow': lambda: open('/etc/shadow').read(),
    'read_canary': lambda: print(open('CANARY').read()),
    'write_own_program': lambda: open('/proc/self/exe', 'r+b'),
    'write_usr': lambda: open('/usr/evil', 'w'),
    'write_proc': lambda: open('/proc/sys/kernel/core_pattern', 'w'),
    'cgroup': lambda: os.listdir('/sys/fs/cgroup'),
    'setuid': lambda: os.setuid(0),
    'link_canary': lambda: os.link('CANARY', 'hard'),
}
name = input()
try:
    OTHERS[name]() if name in OTHERS else call(name)
    print(name + ': done')
except Exception as problem:
    print(f'{name}: {errno.errorcode.get(getattr(problem, "errno", None), type(problem).__name__)}')
)";

const char* const kPythonTries =
    "ptrace mount umount2 pivot_root chroot unshare setns bpf add_key keyctl "
    "io_uring_setup io_setup perf_event_open userfaultfd process_vm_readv "
    "open_by_handle_at init_module personality mknod fork vfork clone3 kexec_load "
    "reboot settimeofday sethostname fanotify_init syslog fsopen memfd_secret "
    "clone_user connect kill kill_init exec system read_init read_shadow read_canary "
    "write_own_program write_usr write_proc cgroup setuid link_canary";

TEST_F(HostileBoxesTest, NothingInPythonGetsOut) {
  string source = kTriesInPython;
  for (std::size_t at = 0; (at = source.find("CANARY")) != string::npos;)
    source.replace(at, 6, open_.path());
  judge::Problem tries = problem_of({});
  std::istringstream names(kPythonTries);
  for (string name; names >> name;)
    tries.tests.push_back({.id = name, .input = {.text = name}, .answer = {.text = random_word()}});
  const JudgeResult result = judge_hostile(tries, in_python(source));
  for (const judge::TestResult& test : result.tests) {
    expect_refused(test.output + test.errors, {.guest = test.id});
    const bool ended = test.letters == "RE" && test.message.ends_with("which the profile forbids");
    const bool refused = test.letters == "WA" && test.output.starts_with(test.id + ": E");
    EXPECT_TRUE(ended || refused) << test.id << ": " << test.letters << ", " << test.message;
  }
  expect_unharmed();
}

}  // namespace
}  // namespace assay::test
