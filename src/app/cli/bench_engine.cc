#include "app/cli/bench_engine.h"

#include <sched.h>
#include <unistd.h>

#include <thread>

#include "app/cli/bench_bare.h"
#include "app/cli/commands.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A box says that it is ready while its next init is still mounting its /proc. Yielding for this
// long lets that end, even on the same core, without putting the core to sleep: a wake-up would
// cost more than what is measured.
constexpr Nanoseconds kSettling = 300us;

}  // namespace

Result<Engine> Engine::start(unsigned boxes, unsigned spare) {
  auto engine = make(boxes, spare);
  if (!engine && !engine.error().context.contains("full box"))
    engine.error().context =
        "a full box cannot be made here; 'assay doctor' says why: " + engine.error().context;
  return engine;
}

Result<Engine> Engine::make(unsigned boxes, unsigned spare) {
  Engine engine(
      TRY(sandbox::Sandbox::start({.profiles = profile_directory(), .spare_boxes = spare})));
  TRY_STATUS(engine.sandbox_.prepare("default", boxes));
  const sandbox::Facts facts = TRY(engine.run({.argv = {"/bin/true"}}));
  if (!exited_well(facts)) return invalid("'/bin/true' in a box " + describe_end(facts));
  TRY_STATUS(engine.settle());
  return engine;
}

Result<sandbox::Facts> Engine::run(const sandbox::Spec& spec) {
  for (const sandbox::FileIn& file : spec.files_in)
    if (::lseek(file.source, 0, SEEK_SET) < 0) return system_error("rewind '" + file.name + "'");
  if (const auto* collect = std::get_if<sandbox::Collect>(&spec.output);
      collect != nullptr && collect->text != nullptr)
    collect->text->clear();
  sandbox::Facts facts = TRY(sandbox_.run(spec));
  if (facts.box != sandbox::BoxMode::Full)
    return invalid("this is not a full box: run 'assay doctor'");
  return facts;
}

Result<Nanoseconds> Engine::time(const sandbox::Spec& spec) {
  const auto begun = Clock::now();
  const sandbox::Facts facts = TRY(run(spec));
  const Nanoseconds taken = Clock::now() - begun;
  if (!exited_well(facts)) return invalid("'" + spec.argv[0] + "' in a box " + describe_end(facts));
  return taken;
}

Status Engine::settle() {
  TRY_STATUS(sandbox_.await_clean());
  for (const auto end = Clock::now() + kSettling; Clock::now() < end;)
    std::this_thread::yield();
  return {};
}

Result<std::string> find_shared_file(Engine& engine) {
  for (const char* path : {"/etc/ld.so.conf", "/usr/lib/os-release", "/etc/localtime"}) {
    const auto content = os::read_whole(path);
    std::string output;
    if (!content || content->empty()) continue;
    const auto facts = TRY(engine.run(collecting({.argv = {"/bin/cat", path}}, &output)));
    if (exited_well(facts) && output == *content) return path;
  }
  return invalid("found no file that /bin/cat reads alike on the host and in a box");
}

sandbox::Spec collecting(sandbox::Spec spec, std::string* output) {
  spec.environment = bench_environment();
  spec.output = sandbox::Collect{.text = output};
  return spec;
}

bool exited_well(const sandbox::Facts& facts) {
  return facts.end == sandbox::End(sandbox::Exited{0}) && facts.cut_off_by == sandbox::CutOff::None;
}

std::string describe_end(const sandbox::Facts& facts) {
  if (facts.cut_off_by != sandbox::CutOff::None)
    return "was cut off by " + std::string(name_of(facts.cut_off_by));
  if (const auto* exited = std::get_if<sandbox::Exited>(&facts.end))
    return "exited with " + std::to_string(exited->code);
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&facts.end))
    return "ended by " + sandbox::name_of_signal(signaled->signal);
  if (const auto* forbidden = std::get_if<sandbox::Forbidden>(&facts.end))
    return "made the forbidden call " + sandbox::name_of_syscall(forbidden->syscall);
  return "did not start: " + describe(std::get<sandbox::NotStarted>(facts.end));
}

}  // namespace assay::cli
