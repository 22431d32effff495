// The proof: a box is made, and /bin/true is run in it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"
#include "os/file.h"
#include "os/process.h"
#include "sandbox/sandbox.h"

namespace assay::cli::checkup {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;
// What the child tells, one line each; any other line is the warden's own.
constexpr std::string_view kMode = "mode ";
constexpr std::string_view kInstance = "instance ";
constexpr std::string_view kMissing = "missing ";
constexpr std::string_view kError = "error ";

std::string what_went_wrong(const sandbox::Facts& facts) {
  if (const auto* failure = std::get_if<sandbox::NotStarted>(&facts.end))
    return sandbox::describe(*failure);
  if (const auto* killed = std::get_if<sandbox::Signaled>(&facts.end))
    return "/bin/true was killed by " + sandbox::name_of_signal(killed->signal);
  if (const auto* refused = std::get_if<sandbox::Forbidden>(&facts.end))
    return "/bin/true was refused " + sandbox::name_of_syscall(refused->syscall);
  const int code = std::get<sandbox::Exited>(facts.end).code;
  return code == 0 ? "" : fmt::format("/bin/true exited with {}", code);
}

std::string report_of(sandbox::Sandbox& engine) {
  const sandbox::Spec spec{.argv = {"/bin/true"}, .limits = {.wall_time = 10s}};
  const auto facts = engine.run(spec);
  if (!facts) return fmt::format("{}{}\n", kError, describe(facts.error()));
  std::string report = fmt::format("{}{}\n", kInstance, engine.instance());
  for (const std::string& line : facts->missing)
    report += fmt::format("{}{}\n", kMissing, line);
  if (const std::string wrong = what_went_wrong(*facts); !wrong.empty())
    return fmt::format("{}{}{}\n", report, kError, wrong);
  return fmt::format("{}{}{}\n", report, kMode, sandbox::name_of(facts->box));
}

std::string try_it() {
  auto engine = sandbox::Sandbox::start({.profiles = profile_directory(), .allow_degraded = true});
  if (!engine) return fmt::format("{}{}\n", kError, describe(engine.error()));
  return report_of(*engine);
}

// In a child, because the engine waits for its warden without limit: a host on which that hangs is
// one we must still be able to report on. The warden's own complaints come through the same pipe.
Result<os::Process> start_trial(os::Pipe& pipe) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return system_error("start a process for the trial");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent || ::dup2(pipe.write_end.get(), STDERR_FILENO) < 0) ::_exit(1);
    pipe.write_end.reset();
    ::_exit(os::write_all(STDERR_FILENO, try_it()) ? 0 : 1);
  }
  pipe.write_end.reset();
  const auto pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  return os::Process(child, os::OwnedFd(pidfd));
}

BoxTrial parse_report(const std::string& text) {
  BoxTrial trial;
  std::string said;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view view(line);
    if (view.starts_with(kMode))
      trial.mode = line.substr(kMode.size());
    else if (view.starts_with(kInstance))
      trial.instance = line.substr(kInstance.size());
    else if (view.starts_with(kMissing))
      trial.missing.push_back(line.substr(kMissing.size()));
    else if (view.starts_with(kError))
      trial.error = line.substr(kError.size());
    else if (!line.empty())
      said += (said.empty() ? "" : "; ") + line;
  }
  if (trial.mode == "none") trial.error += (trial.error.empty() || said.empty() ? "" : ": ") + said;
  return trial;
}

// The line of a missing thing begins with the group it belongs to.
std::string fix_for(const Host& host, const std::string& missing) {
  if (missing.starts_with("cgroups")) return cgroup_fix(host);
  if (missing.starts_with("identities")) return identity_fix(host);
  return "see the checks above";
}

// No box at all: whatever is missing comes first, and what it is was found by the checks before us.
std::string first_fix(std::span<const Line> above) {
  for (const Line& line : above)
    if (line.finding.state == State::Missing && !line.finding.fix.empty())
      return fmt::format("begin with '{}': {}", line.name, line.finding.fix);
  return "the checks above found nothing missing; dmesg may say more";
}

Finding look_at_warden() {
  const std::string warden = os::own_directory() + "/assay-warden";
  if (::access(warden.c_str(), X_OK) == 0) return {State::Ok, warden};
  return {State::Missing, warden + ": " + words_of(errno),
          "install assay-warden beside assay: cmake --install BUILD_DIR"};
}

}  // namespace

BoxTrial try_box() {
  auto pipe = os::make_pipe();
  if (!pipe) return {.error = describe(pipe.error())};
  auto child = start_trial(*pipe);
  if (!child) return {.error = describe(child.error())};
  const Said said = listen(pipe->read_end.get(), kPatience);
  BoxTrial trial = parse_report(said.text);
  if (trial.mode == "none" && !said.in_time)
    trial.error = fmt::format("no answer within {} s", kPatience.count());
  if (trial.mode == "none" && trial.error.empty())
    trial.error = "the trial ended without an answer";
  return trial;
}

std::vector<Line> box_lines(const Host& host, const BoxTrial& trial, std::span<const Line> above) {
  Finding made{State::Ok, "full: /bin/true ran in the profile 'default'"};
  if (trial.mode == "none")
    made = {State::Missing, "no box: " + trial.error, first_fix(above)};
  else if (trial.mode != "full")
    made = {State::Degraded, fmt::format("{}: /bin/true ran in the profile 'default'", trial.mode),
            "mend what the box lacks, or allow degraded boxes: assay exec --allow-degraded …"};
  std::vector<Line> lines{{"box", "warden", look_at_warden()}, {"box", "trial", std::move(made)}};
  for (const std::string& line : trial.missing)
    lines.push_back({"box", "lacks", {State::Degraded, line, fix_for(host, line)}});
  return lines;
}

}  // namespace assay::cli::checkup
