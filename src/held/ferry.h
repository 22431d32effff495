// Carries the program's streams between its own pipes and the named ones. A client may come late,
// go and come back: nothing is lost, nobody gets SIGPIPE, and a program that nobody reads waits, as
// on any full pipe. The end of either side is passed on.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/units.h"
#include "held/doors.h"

namespace assay::held {

class Ferry {
 public:
  struct Plan {
    os::OwnedFd to_program{};            // its standard input, non-blocking
    os::OwnedFd from_program{};          // its standard output, non-blocking
    std::optional<Bytes> limit{};        // of its output
    std::function<void()> over_limit{};  // told once
    // Called when the output has ended, before any client is shown that: usually the program has
    // ended, too, and who asks why its output did should not hear that it runs normally.
    std::function<void()> before_end{};
  };
  // The doors must outlive it. `downward` and `upward` are its alone.
  static Result<Ferry> start(Doors& doors, Plan plan);
  Ferry(Ferry&&) noexcept;
  Ferry& operator=(Ferry&&) = delete;
  ~Ferry();  // stops; what is under way is dropped

  // The client wants no more output: what still comes is thrown away, so that a program that
  // waits for a reader can end.
  void discard_output();

 private:
  class Work;
  explicit Ferry(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace assay::held
