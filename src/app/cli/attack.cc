// `assay attack`: tries every class of attack on the engine of this host, and says what stopped it.
// The attempts are those of the test programs beside this one: there is no second suite.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "app/cli/attack_rows.h"
#include "app/cli/commands.h"
#include "app/cli/doctor.h"
#include "os/file.h"
#include "os/process.h"

namespace assay::cli {
namespace {

// As the test programs themselves match names: '*' is anything, '?' one character.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches(pattern.substr(1), name.substr(1));
}

bool has(const AttackRow& row, const std::string& program, const std::string& name) {
  return std::ranges::any_of(row.tests, [&](const AttackTests& tests) {
    return tests.program == program && matches(tests.pattern, name);
  });
}

class Attacker {
 public:
  Attacker(std::vector<AttackRow>& rows, bool verbose)
      : rows_(rows), verbose_(verbose), visible_(!verbose && ::isatty(STDERR_FILENO) == 1) {}

  Status try_all(const std::string& program) {
    std::vector<std::string> patterns;
    for (const AttackRow& row : rows_)
      for (const AttackTests& tests : row.tests)
        if (tests.program == program) patterns.push_back(tests.pattern);
    const std::string path = attempt_directory() + "/" + program;
    if (os::exists(path)) TRY_STATUS(run(path, program, patterns));
    note_missing(program);
    return {};
  }

 private:
  Status run(const std::string& path, const std::string& program,
             const std::vector<std::string>& patterns) {
    os::Pipe output = TRY(os::make_pipe(O_CLOEXEC));
    const os::OwnedFd nothing = TRY(os::open("/dev/null", O_RDWR));
    const std::array fds{nothing.get(), output.write_end.get(), nothing.get()};
    const std::vector<std::string> arguments{
        fmt::format("--gtest_filter={}", fmt::join(patterns, ":")), "--gtest_color=no"};
    os::Process process = TRY(os::spawn(path, arguments, fds));
    output.write_end.reset();
    TRY_STATUS(listen(output.read_end.get(), program));
    conclude(program, process.wait());
    return {};
  }

  // Dead in a test, or outside of one; then nobody knows which of its classes were not tried to the
  // end.
  void conclude(const std::string& program, int status) {
    const std::string how = WIFSIGNALED(status)
                                ? fmt::format("ended with signal {}", WTERMSIG(status))
                                : fmt::format("ended with code {}", WEXITSTATUS(status));
    const auto left = reader_.left("the attempt " + how);
    if (left) note(program, *left);
    if (!reader_.is_incomplete() && (status == 0 || failed_)) return;
    for (AttackRow& row : rows_)
      if (std::ranges::find(row.tests, program, &AttackTests::program) != row.tests.end())
        row.attempts.push_back(
            {program, Attempted::End::NotStopped,
             program +
                 (reader_.is_incomplete() ? " did not try all that it announced, and "
                                          : " found nothing, but ") +
                 how});
  }

  // Or nobody would miss a test that was renamed.
  void note_missing(const std::string& program) {
    for (AttackRow& row : rows_)
      for (const AttackTests& tests : row.tests)
        if (tests.program == program && std::ranges::none_of(tried_, [&](const auto& name) {
              return matches(tests.pattern, name);
            }))
          row.attempts.push_back({tests.pattern, Attempted::End::NotStopped,
                                  fmt::format("{} ran no test {}", program, tests.pattern)});
  }

  Status listen(int pipe, const std::string& program) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error("read what " + program + " says");
      if (got == 0) return {};
      text.append(buffer.data(), static_cast<std::size_t>(got));
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
        if (const auto attempted = reader_.take(std::string_view(text).substr(0, end)))
          note(program, *attempted);
        text.erase(0, end + 1);
      }
    }
  }

  void note(const std::string& program, const Attempted& attempted) {
    for (AttackRow& row : rows_)
      if (has(row, program, attempted.name)) row.attempts.push_back(attempted);
    tried_.push_back(attempted.name);
    failed_ = failed_ || attempted.end == Attempted::End::NotStopped;
    if (verbose_) std::fprintf(stderr, "%s: %s\n", word_for(attempted.end), attempted.name.c_str());
    if (visible_)
      std::fprintf(stderr, "\r\x1b[K%zu tried: %s", tried_.size(), attempted.name.c_str());
    if (visible_) std::fflush(stderr);
  }

  std::vector<AttackRow>& rows_;
  bool verbose_;
  bool visible_;
  bool failed_ = false;
  std::vector<std::string> tried_;
  AttemptReader reader_;
};

Status choose(const std::vector<std::string>& wanted, std::vector<AttackRow>& rows) {
  for (const std::string& id : wanted)
    if (std::ranges::find(rows, id, &AttackRow::id) == rows.end())
      return invalid(fmt::format("there is no attack '{}'; 'assay attack --list' names them", id));
  if (!wanted.empty())
    std::erase_if(rows, [&](const AttackRow& row) {
      return std::ranges::find(wanted, row.id) == wanted.end();
    });
  return {};
}

Status run_all(std::vector<AttackRow>& rows, bool verbose) {
  std::vector<std::string> programs;
  for (const AttackRow& row : rows)
    for (const AttackTests& tests : row.tests)
      if (std::ranges::find(programs, tests.program) == programs.end())
        programs.push_back(tests.program);
  for (const std::string& program : programs) {
    Attacker attacker(rows, verbose);
    TRY_STATUS(attacker.try_all(program));
  }
  if (::isatty(STDERR_FILENO) == 1) std::fputs("\r\x1b[K", stderr);
  return {};
}

AttackHost look_at_host() {
  const checkup::Host host = checkup::read_host();
  const auto layout =
      std::ranges::find(checkup::cgroup_checks(), std::string_view("layout"),
                        [](const checkup::Check& c) { return std::string_view(c.name); });
  checkup::BoxTrial trial = checkup::try_box();
  return {.kernel = host.release,
          .cgroups = "cgroups " + layout->look(host).found,
          .user = host.user,
          .boxes = std::move(trial.mode),
          .missing = std::move(trial.missing),
          .error = std::move(trial.error)};
}

// The programs of tests try this engine, with the profiles that it has here; of themselves they
// would take that of the build.
void name_engine() {
  const std::string profiles = profile_directory();
  const std::array places{std::pair{"ASSAY_TRIED_PROGRAMS", os::own_directory()},
                          std::pair{"ASSAY_TRIED_DATA", profiles.substr(0, profiles.rfind('/'))},
                          std::pair{"ASSAY_TRIED_GUESTS", guest_directory()}};
  for (const auto& [name, place] : places)
    (void)::setenv(name, place.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
}

// Nothing speaks against "all are stopped", but not all could be tried.
constexpr int kNotTried = 3;

int code_of(const std::vector<AttackRow>& rows) {
  const auto has = [&](Attempted::End end) {
    return std::ranges::any_of(rows, [&](const AttackRow& row) { return end_of(row) == end; });
  };
  if (has(Attempted::End::NotStopped)) return kNotGood;
  const bool all = !has(Attempted::End::NotTried) && !has(Attempted::End::InPart);
  return all ? kGood : kNotTried;
}

}  // namespace

void allow_degraded_attempts() {
  (void)::setenv("ASSAY_TEST_DEGRADED", "1", 1);  // NOLINT(concurrency-mt-unsafe): one thread
}

int attack(const AttackCommand& command) {
  const std::string table = attack_directory() + "/rows.toml";
  if (!os::exists(table))
    return failed("the attacks are not installed: cmake --install BUILD_DIR --component attacks");
  auto rows = load_attack_rows(table);
  if (!rows) return failed(describe(rows.error()));
  if (const Status chosen = choose(command.rows, *rows); !chosen)
    return failed(chosen.error().context);
  if (command.list) {
    for (const AttackRow& row : *rows)
      std::printf("%3s  %s\n", row.id.c_str(), row.what.c_str());
    return kGood;
  }
  const AttackHost host = look_at_host();
  name_engine();
  if (const Status tried = run_all(*rows, command.verbose); !tried)
    return failed(describe(tried.error()));
  const std::string report =
      command.json ? to_json(host, *rows) : to_text(host, *rows, ::isatty(STDOUT_FILENO) == 1);
  std::fputs(report.c_str(), stdout);
  return code_of(*rows);
}

}  // namespace assay::cli
