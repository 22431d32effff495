// A warm engine for the benches: full boxes only, and every run must end as expected.
#pragma once

#include <string>
#include <vector>

#include "os/cores.h"
#include "sandbox/sandbox.h"

namespace assay::cli {

class Engine {
 public:
  // Fails with one clear sentence where a full box cannot be made.
  static Result<Engine> start(unsigned boxes) { return start(boxes, boxes); }
  // `spare`: how many may be being cleaned before a caller waits for one instead of adding another.
  static Result<Engine> start(unsigned boxes, unsigned spare);

  // Files put in are read from their start, and collected text is replaced: a spec can be run again
  // and again.
  Result<sandbox::Facts> run(const sandbox::Spec& spec);
  // Wall time of one whole call, as its caller sees it. Anything but exit code 0 is an error.
  Result<Nanoseconds> time(const sandbox::Spec& spec);
  // Returns when nothing of the engine works in the background any more.
  Status settle();
  sandbox::Sandbox& sandbox() { return sandbox_; }

 private:
  static Result<Engine> make(unsigned boxes, unsigned spare);
  explicit Engine(sandbox::Sandbox sandbox) : sandbox_(std::move(sandbox)) {}
  sandbox::Sandbox sandbox_;
};

// A small file that is the same on the host and in the box, for /bin/cat.
Result<std::string> find_shared_file(Engine& engine);

// `argv` with its output collected into `output`, and the environment that bare runs have.
sandbox::Spec collecting(sandbox::Spec spec, std::string* output);

std::string describe_end(const sandbox::Facts& facts);
[[nodiscard]] bool exited_well(const sandbox::Facts& facts);

using os::usable_cores;

}  // namespace assay::cli
