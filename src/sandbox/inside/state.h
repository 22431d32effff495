// What launcher, init and program-to-be know together: they share one address space until exec.
#pragma once

#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

#include "sandbox/inside/plan.h"
#include "sandbox/inside/sys.h"

extern "C" void* memcpy(void* to, const void* from, std::size_t size);
extern "C" void* memset(void* to, int value, std::size_t size);

namespace assay::sandbox::inside {

// Our own descriptors live up here, so that those of a run arrive at 0, 1, 2, … and need no
// shuffling; no higher than that, as every clone copies the whole table.
constexpr int kFirstOwnFd = kMaxRunDescriptors + kMaxCopies + 8;

struct Place {
  const char* path;
  const char* options;
  unsigned long flags;
  bool resized;
  struct statfs fresh_space;  // right after mounting: a run that left these alone left nothing
  struct stat fresh_root;
};

// The run that init waits for, carries out, or has finished.
struct Run {
  std::uint64_t sequence;
  std::uint64_t
      kill_wanted;  // the run the daemon wants ended, possibly before init has heard of it
  const RunRequest* request;
  char** candidates;
  char** arguments;
  char** environment;
  const char* put_in;
  const char* put_in_end;
  Ended ended;
  bool finished;  // `ended` says how the program ended
  bool reported;  // and the daemon has been told
  bool killed;    // by us
  bool clean_after;
  std::uint32_t full_places;  // bits: they held as much as a file may before it began
};

struct State {
  const BoxPlan* plan;
  int boot;     // to the warden
  int control;  // to the daemon
  int run;
  int listener;       // of the filter, or -1
  int init_fd;        // pidfd
  int init_pid;       // 0: none
  int over;           // eventfd: init has reported and stays for the next run
  bool idle;          // it has said so, and nothing has been cleaned yet
  bool stayed;        // it has carried out a run before
  int entered_dir;    // V2: the leaf as init has it open, whose descriptors are its own
  int entered_meter;  // the leaf's cpu meter, likewise
  unsigned leaf;
  int box_tasks[kMaxGroups];
  int leaf_tasks[kLeaves][kMaxGroups];
  int cpu_meter[kLeaves];
  int sharing_tasks;  // V1: of the box in the hierarchy of cpu, where no run enters that itself
  int box_dir;        // V2: of the box
  int pids_dir;       // V1: of the box in the pids hierarchy
  int memory_dir;     // V1: of the box in the memory hierarchy
  int pids_peak[kLeaves];
  int memory_now[kLeaves];
  int leaf_dir;               // V2: target of CLONE_INTO_CGROUP
  int leaf_file[kLeafFiles];  // V2 or renewed on V1: to be sent with Ready
  unsigned renewed;
  unsigned renewed_leaf;
  std::uint64_t all_cpus[kMaxCpuWords];  // where we may run
  unsigned home;                         // the core that init waits on, plus one
  bool odd;
  int work_fd;            // the work directory while files are put into it or taken out; else -1
  int sockets_fd;         // /proc/net/sockstat
  int last_pid_fd;        // /proc/sys/kernel/ns_last_pid: of the namespace of who reads it
  bool coarse_times;      // two changes of a file within a tick have the same time
  timespec began;         // the tick in which the last run began
  bool proc_mounted;      // by init, for its run
  std::uint32_t watched;  // bits by WatchedCall
  bool knows_ipc;         // no object can be made in the ipc namespace without our being told
  bool ipc_used;          // we were told
  unsigned shared_count;  // files that are streams of the current run; kMaxSpares + 1: too many
  char shared_name[kMaxSpares][kMaxSpareName];
  std::uint32_t shared_mode[kMaxSpares];
  int lending;  // a descriptor of a new file is on its way out and still open here
  Place places[kMaxPlaces];
  unsigned place_count;
  Slate* slate;
  Run now;
};

extern State state;

inline const char* text_at(std::uint32_t offset) noexcept {
  return reinterpret_cast<const char*>(state.plan) + state.plan->strings + offset;
}

struct Trouble {
  Step step = Step::None;
  std::uint32_t index = 0;
  int error = 0;
  [[nodiscard]] bool any() const noexcept { return step != Step::None; }
};

Trouble shed_inheritance() noexcept;  // shed.cc: what the engine's starter left on us
void receive_plan() noexcept;         // arrive.cc
long receive_meters() noexcept;       // arrive.cc
[[noreturn]] void refuse(const Trouble& met) noexcept;  // arrive.cc
long make_one(const Make& make) noexcept;  // furnish.cc: what is wanted in the box's root
Trouble settle() noexcept;                 // settle.cc: from the host's view into the box
Trouble confine() noexcept;                // settle.cc: privileges, filter
bool mount_place(Place& place, const char* options) noexcept;  // settle.cc
void clean(bool init_stays) noexcept;        // clean.cc: nothing of the last run is left
void open_counters() noexcept;               // clean.cc: while /proc is the box's own
void renew_leaf(bool init_stays) noexcept;   // leaf.cc: the cgroup for the next run
void enter_leaf() noexcept;                  // leaf.cc: init opens what it needs of it
std::uint64_t read_number(int fd) noexcept;  // leaf.cc
bool init_may_stay() noexcept;               // stay.cc
[[noreturn]] void init_main() noexcept;      // init.cc
[[noreturn]] void enter_main() noexcept;     // enter.cc
void serve_file(const ControlRequest& request, const char* name) noexcept;  // files.cc
void forget_work_directory() noexcept;  // files.cc: before its place is unmounted
long make_at(int base, Order order, std::uint32_t mode, const char* name,
             const char* target) noexcept;          // files.cc: a descriptor, 0, or an error
int open_directory(const char* path) noexcept;      // files.cc
const char* below_root(const char* name) noexcept;  // files.cc
unsigned make_spares(int* fds) noexcept;            // spares.cc: after cleaning; how many
void note_shared(const ControlRequest& request, bool in_work,
                 const char* name) noexcept;                                         // spares.cc
void drop_spares() noexcept;                                                         // spares.cc
bool put_in(const RunRequest& request, const char* list, const char* end) noexcept;  // put_in.cc
bool runs_from_descriptor(const RunRequest& request) noexcept;
bool put_program_in(const RunRequest& request) noexcept;

void note_full_places(const RunRequest& request) noexcept;   // survey.cc: before the program
bool a_file_is_full(const RunRequest& request) noexcept;     // survey.cc
void add_up_usage(ControlReply& reply) noexcept;             // usage.cc
void look_at_standing(ControlReply& reply) noexcept;         // usage.cc
std::uint64_t wanted_time_of(const char* process) noexcept;  // usage.cc
void signal_run(int signal) noexcept;                        // usage.cc: every process of the run
void end_descendants() noexcept;                             // bare.cc: isolation "none"

// message.cc
long receive(int socket, void* into, std::size_t size, int* fds, unsigned* fd_count,
             int flags) noexcept;
bool send(int socket, const void* from, std::size_t size, const int* fds,
          unsigned fd_count) noexcept;
// The launcher's. Whoever waits for what cannot be sent would wait for ever, but notices our end.
void tell(int socket, const void* from, std::size_t size, const int* fds,
          unsigned fd_count) noexcept;
int lift(int fd) noexcept;  // moves a descriptor up among our own

}  // namespace assay::sandbox::inside
