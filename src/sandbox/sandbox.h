// The only door to untrusted code. Runs in the daemon or the CLI, without privilege: it asks the
// warden for boxes, sends one message per run to the launcher in a box, watches the limits through
// the box's descriptors, and gives back facts. It never mounts, never clones, never touches
// cgroupfs by path.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"
#include "sandbox/facts.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

// Measured so far, of a program that may still run.
struct Usage {
  Nanoseconds cpu{};
  Nanoseconds wall{};
  Bytes memory_now{};  // without the cache of files
  Bytes memory_peak{};
  std::optional<Bytes> section_peak{};  // of the current section; none: this kernel cannot tell
  bool running = false;
  bool paused = false;
};

class LiveRun;
class Underway;

// Whoever asks for usage between steps may begin a section: its peak of memory is measured alone.
enum class Section { GoesOn, Begins };

// A remote control for one call of run(): any thread may use it while another is inside run().
// Outlives the call.
class Control {
 public:
  Control();
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  void cancel(
      CutOff why = CutOff::Cancelled);  // sticks: cancelling before the start cancels the run
  // Ends one program of a group; the others go on. Nothing happens when it is over.
  void cut_off(std::size_t program, CutOff why);
  // Told by the watcher's thread, once per program and as soon as it is known. Before the run.
  using Ended = std::function<void(std::size_t program, const End& end, CutOff cut_off_by)>;
  void when_ended(Ended told);
  // Asked by the watcher's thread before programs that are idle together are ended: true if
  // something is on its way to one of them. Before the run.
  void when_all_wait(std::function<bool()> asked);
  // A connected socket, borrowed until the run is over: when its peer goes away, the run is
  // cancelled. The watcher looks at it itself, so no other thread needs to. Before the run.
  void watch_hangup(int socket);
  void pause();  // the whole tree stops; wall and idle time stand still with it
  void resume();
  // One per program of the group; empty when nothing runs. A new section begins after the answer.
  std::vector<Usage> usage(Section section = Section::GoesOn);

 private:
  friend class LiveRun;
  friend class Underway;
  class Underway;
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// The warden as a function of this program: serves on the socket until it is hung up.
using WardenMain = int (*)(const std::string& profiles, int socket);

struct Options {
  std::string warden{};  // path of assay-warden; default: beside this program
  // Instead of that program: a fork of this one becomes the warden, which spares an exec. Only
  // while there is one thread, and only for a program that reads no client's bytes.
  WardenMain warden_main = nullptr;
  std::string profiles{};  // directory of *.toml; default: the installation's
  bool allow_degraded = false;
  std::vector<unsigned>
      cores{};  // where launchers and programs live unless a spec says otherwise; empty: anywhere
  bool cpu_quota = false;  // limits of the cpu rate will be asked for; not with warden_main
  bool one_shot = false;   // one run and no more: boxes are neither cleaned nor kept
  unsigned spare_boxes =
      1;  // kept ready per profile beyond those in use, so that cleaning is never awaited
};

// What the engine found on this host.
struct HostMeters {
  unsigned cgroups = 0;                // their version; 0: none
  std::vector<std::string> missing{};  // why boxes are degraded; empty: they are full
};

class Sandbox {
 public:
  // Starts a warden of our own. The caller may drop its privileges afterwards.
  static Result<Sandbox> start(Options options);

  Sandbox(Sandbox&&) noexcept;
  Sandbox& operator=(Sandbox&&) noexcept;
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox();  // retires every box and waits until the warden has removed all traces

  void accept_degraded() noexcept;  // as the option, when that is known only later

  // Has a box for this spec made while the caller does something else: the next run() with the same
  // profile and mounts takes it. Only before the first run, from one thread.
  Status order_ahead(const Spec& spec);

  // Runs one program. An Error is our failure; whatever the program did is in the facts. When it
  // returns, no process of that run exists. Safe from any thread.
  Result<Facts> run(const Spec& spec, Control* control = nullptr);

  // Runs programs that talk to each other: all are started together, and exit_order says who ended
  // first. One whose files cannot be put in never starts, which is a fact here (and an Error
  // above).
  Result<std::vector<Facts>> run_together(std::span<const Spec> specs, Control* control = nullptr);

  // Reads a profile now, so that later runs need no right to read its file.
  Status know(const std::string& profile);

  // Makes sure `count` boxes of a profile are ready, so that the first runs find them warm.
  Status prepare(const std::string& profile, unsigned count);

  // Waits until every free box has finished cleaning itself: nothing of ours runs in the background
  // any more.
  Status await_clean();

  // Boxes that nobody has needed for some seconds, beyond the spare ones. Runs do the same now and
  // then: only an engine that may do nothing for long needs to be told. Safe from any thread.
  void retire_unneeded();

  [[nodiscard]] Result<HostMeters> meters() const;
  struct Boxes {
    std::uint64_t made = 0;     // since the start
    std::uint64_t current = 0;  // of them in use: neither ready nor cleaning
  };
  [[nodiscard]] Boxes boxes() const;

  [[nodiscard]] int warden_pid() const;
  [[nodiscard]] std::string instance() const;  // the name that everything the engine makes carries

 private:
  class Pool;
  explicit Sandbox(std::unique_ptr<Pool> pool);
  std::unique_ptr<Pool> pool_;
};

}  // namespace assay::sandbox
