// `sandbox`: Normal-OJ's command with its own arguments and result file, on this engine. The
// working directory is the work place. Exit code 0: the result file says how it went.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/outputs.h"
#include "app/cli/program_input.h"
#include "app/cli/unprivileged.h"
#include "app/sandbox_noj/streams.h"
#include "app/sandbox_noj/work_place.h"
#include "os/file.h"
#include "os/standard_streams.h"
#include "sandbox/sandbox.h"
#include "sandbox/warden/warden.h"
#include "verdict/noj_lines.h"

namespace assay::noj {
namespace {

constexpr std::size_t kMostFound = 5000;

std::string_view value_of(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? "" : value;
}

bool is_set(const char* variable) {
  return value_of(variable) == "1";
}

// An interactive run says as whom a program is to run.
enum class Whose { Students, Teachers };

Result<Whose> whose() {
  const std::string_view user = value_of("SANDBOX_UID");
  const std::string_view group = value_of("SANDBOX_GID");
  if (!user.empty() && user != "1450" && user != "1451")
    return invalid("SANDBOX_UID: a program is a teacher's (1450) or a student's (1451)");
  if (!group.empty() && group != "1450")
    return invalid("SANDBOX_GID: the group of all programs is 1450");
  return user == "1450" ? Whose::Teachers : Whose::Students;
}

int complain(const std::string& sentence) {
  std::fprintf(stderr, "Error: %s\n", sentence.c_str());
  return 1;
}

std::string profile_of(const Arguments& arguments, Whose whose, bool may_write) {
  if (arguments.compile) return "compile";
  if (whose == Whose::Teachers) return "noj-teacher";
  const std::string kind = arguments.language == Lang::Python ? "noj-python" : "noj-native";
  return may_write ? kind + "-write" : kind;
}

int serve_as_warden(const std::string& profiles, int socket) {
  const Status served = sandbox::warden::serve({.profiles = profiles, .socket = socket});
  return served ? 0 : complain(describe(served.error()));
}

// Every file of the work place is open at once.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

struct Work {
  Arguments arguments{};
  OpenStreams streams{};
  WorkPlace place{};
  Whose whose = Whose::Students;
  bool may_write = false;
  std::optional<cli::PendingFile> program{};  // what a compilation makes
  os::OwnedFd changes{};
};

Result<Work> prepare(Arguments arguments) {
  if (arguments.allow_network)
    return invalid("allow_network: no profile of this sandbox gives programs the network");
  Work work{.arguments = std::move(arguments), .whose = TRY(whose())};
  work.may_write = work.whose == Whose::Teachers || is_set("SANDBOX_ALLOW_WRITE");
  work.streams = TRY(open_streams(work.arguments));
  const std::array left_out{work.streams.output.get(), work.streams.errors.get(),
                            work.streams.result.get()};
  work.place = TRY(WorkPlace::open(".", left_out));
  if (work.arguments.compile && work.arguments.language != Lang::Python)
    work.program = TRY(cli::PendingFile::open("main", cli::PendingFile::Links::Replaced));
  work.changes = os::OwnedFd(::memfd_create("sandbox-changes", MFD_CLOEXEC));
  if (!work.changes.is_open()) return system_error("make room for changes");
  return work;
}

sandbox::Spec spec_of(const Work& work, std::vector<sandbox::FoundFile>& found) {
  sandbox::Spec spec{
      .profile = profile_of(work.arguments, work.whose, work.may_write),
      .argv = command_of(work.arguments),
      .input = sandbox::Descriptor{work.streams.input.get()},
      .output = sandbox::Collect{.sink = work.streams.output.get()},
      .errors = sandbox::Collect{.sink = work.streams.errors.get()},
      .limits = limits_of(work.arguments),
  };
  work.place.put_into(spec);
  if (work.program) spec.files_out.push_back({.name = "main", .sink = work.program->fd()});
  if (!work.arguments.compile && work.may_write)
    spec.trees_out.push_back({.found = &found, .most = kMostFound, .open = true});
  return spec;
}

// A limit that the compiler's children do not share would be none: it is for one program.
void loosen_for_compiler(sandbox::Limits& limits) {
  limits.address_space.reset();
  limits.processes.reset();
}

enum Code { kDone, kFailed, kNothingMade };

int run(sandbox::Sandbox& engine, const Work& work) {
  std::vector<sandbox::FoundFile> found;
  sandbox::Spec spec = spec_of(work, found);
  if (work.arguments.compile) loosen_for_compiler(spec.limits);
  std::optional<int> relayed;
  if (work.streams.relayed) relayed = work.streams.input.get();
  const auto facts = cli::run_with_input(engine, spec, relayed);
  if (!facts) {
    (void)os::write_all(work.streams.result.get(), verdict::noj_failure_lines());
    return complain(describe(facts.error()));
  }
  if (const auto* failure = std::get_if<sandbox::NotStarted>(&facts->end))
    complain(describe(*failure));
  const Status noted = work.place.note_changes(found, work.changes.get());
  if (!noted) return complain(describe(noted.error()));
  if (!os::write_all(work.streams.result.get(),
                     verdict::noj_lines(*facts, {.time = work.arguments.time_limit,
                                                 .memory = work.arguments.memory_limit})))
    return complain("could not write the result file");
  return facts->file_errors.empty() ? kDone : kNothingMade;
}

Result<int> work_in_box(Work& work, sandbox::Sandbox& engine) {
  if (is_set("SANDBOX_ALLOW_DEGRADED")) engine.accept_degraded();
  TRY_STATUS(engine.know(profile_of(work.arguments, work.whose, work.may_write)));
  const int code =
      TRY(cli::run_unprivileged(cli::Afterwards::NeedsRights, [&] { return run(engine, work); }));
  if (code == kFailed) return 1;
  if (work.program && code == kDone) {
    if (::fchmod(work.program->fd(), 0755) < 0) return system_error("make 'main' executable");
    TRY_STATUS(work.program->publish());
  }
  TRY_STATUS(work.place.apply_changes(work.changes.get()));
  return 0;
}

int main_of(const std::vector<std::string>& words) {
  auto arguments = parse_arguments(words);
  if (!arguments) {
    complain(describe(arguments.error()));
    std::fputs(kUsage, stderr);
    return 1;
  }
  allow_many_files();
  // Before anything else, while there is one thread and nothing in memory.
  auto engine = sandbox::Sandbox::start(
      {.warden_main = serve_as_warden, .profiles = cli::profile_directory(), .one_shot = true});
  if (!engine) {
    if (::geteuid() != 0) complain("need root privileges");
    return complain(describe(engine.error()));
  }
  auto work = prepare(*std::move(arguments));
  if (!work) return complain(describe(work.error()));
  const auto code = work_in_box(*work, *engine);
  return code ? *code : complain(describe(code.error()));
}

}  // namespace
}  // namespace assay::noj

int main(int argc, char** argv) {
  assay::os::fill_standard_streams();
  return assay::noj::main_of({argv + 1, argv + argc});
}
