// Flat memory that crosses into a box. Nothing here allocates, and nothing of ours is included.
//
// Theory of operation. Three processes live in a box, all from one freestanding static binary
// (launcher.cc):
//   launcher  pid 1 of the box's pid namespace, root of the box's user namespace, nothing outside.
//   It builds the box
//             from the warden's BoxPlan (settle.cc), then serves the daemon on the control socket:
//             files in and out, kill, clean. It is leashed: end of file on the control socket or
//             death of the warden ends the box.
//   init      made AHEAD of the run: pid 1 of a pid namespace in which nobody was before, already
//   in the meters' cgroups, own
//             /proc mounted, blocked on the run socket. It stays for the next run if this one left
//             no trace in it (stay.cc), and ends with it otherwise. A run is one message to it and
//             one back; nothing else is on the path. Small files travel in that message
//             (put_in.cc); the files that are streams of the program were made, named as last time,
//             when the box was cleaned.
//   program   a vfork child of init (enter.cc) that becomes the program.
// All three share one address space until exec, so results pass through memory, and the launcher
// knows what init knew even when init is gone. When init dies the kernel ends everything in its
// namespace. The system call filter is inherited from the launcher (installing it per run costs 60
// us). Launcher and init pass it by the box's key: a random 64-bit number in the sixth argument
// register, which the kernel ignores for the calls they make.
#pragma once

#include <cstdint>

namespace assay::sandbox::inside {

constexpr unsigned kMaxRunDescriptors = 200;  // in one message; the kernel's own limit is 253
constexpr unsigned kMaxRequest =
    60 * 1024;  // of a message; longer argv and environment travel in a sealed memfd
constexpr unsigned kMaxStrings = 4U << 20;
constexpr unsigned kMaxPlan = 120 * 1024;
constexpr unsigned kMaxName = 4096;
constexpr unsigned kMaxGroups = 8;     // cgroup v1 hierarchies
constexpr unsigned kMaxPlaces = 8;     // writable places
constexpr unsigned kMaxCpuWords = 16;  // 1024 cores

// The step that failed: in NotStarted facts and in the warden's answer when a box could not be
// made.
enum class Step : std::uint32_t {
  None,
  Cgroup,
  Namespace,
  Stage,
  Directory,
  File,
  Link,
  Bind,
  Tmpfs,
  Proc,
  Root,
  Hostname,
  Privileges,
  Filter,
  Init,
  Request,
  Attach,
  WorkDir,
  Limit,
  Affinity,
  Identity,
  Terminal,
  Exec,
  PutIn,
};

// --- Warden to launcher, once
// -------------------------------------------------------------------------------------

enum class MakeKind : std::uint32_t { Directory, File, Link, Bind, Tmpfs, Proc, Mask };

// One thing to make under the new root. Strings are offsets into BoxPlan's string area.
struct Make {
  MakeKind kind;
  std::uint32_t source;   // Bind: host path or "" with `descriptor`; Link: what it points to
  std::uint32_t target;   // path inside the box
  std::uint32_t options;  // Tmpfs: mount options; File: content
  std::uint32_t flags;    // MakeFlag
  std::uint32_t mode;
};
enum MakeFlag : std::uint32_t {
  kWritable = 1,  // Bind: not read-only
  kDevice = 2,    // Bind: a device node may be used through it
  kOptional = 4,  // a missing source is no error
  kNoExec = 8,
  kOwned = 16,    // belongs to the program's user
  kPlace = 32,    // Tmpfs: a writable place, made fresh for every run that dirtied it
  kNoLinks = 64,  // Bind: no symbolic link anywhere in the source
};

enum class Meters : std::uint32_t { None, V1, V2 };
enum class Isolation : std::uint32_t { Full, None };

struct BoxPlan {
  std::uint64_t key;
  Isolation isolation;
  Meters meters;
  std::uint32_t groups;        // v1: hierarchies; their tasks files follow the fixed descriptors
  std::uint32_t leaves;        // v1: how many there are of the run's cgroups, used in turn
  std::uint32_t memory_group;  // which of them only the program enters, so that init is never
                               // charged or killed
  std::uint32_t single_id;     // rootless without newuidmap: the program shares box root's id and
                               // drops capabilities
  std::uint32_t setgroups_allowed;
  std::uint32_t pid_proc;  // mount each run's own /proc
  std::uint32_t user;      // the program's, inside
  std::uint32_t group;
  std::uint32_t stage;  // host directory to build the new root on
  std::uint32_t hostname;
  std::uint32_t domainname;  // "": left alone
  std::uint32_t work_dir;
  std::uint32_t makes, make_count;  // offset of Make[]
  std::uint32_t filtered;           // a FilterPlan follows as a packet of its own
  std::uint32_t strings;            // offset of the string area
  std::uint32_t size;               // of the whole plan
};

// Sent after the plan, so that the launcher builds the box while the warden still compiles the
// filter. Followed by sock_filter[count].
struct FilterPlan {
  std::uint32_t listens;    // some rule notifies
  std::uint32_t watched;    // bits by WatchedCall: notified to be noted, not to be denied
  std::uint32_t knows_ipc;  // each of the WatchedCalls is either watched or denied
  std::uint32_t count;
};
constexpr unsigned kMaxFilter = 4096;  // the kernel's own limit

// What makes an object in the ipc namespace. A run that made none leaves the namespace as it was,
// so that the next can have it: a new one costs 50 us, and as much again later, in a kernel worker.
enum WatchedCall : std::uint32_t { kShmget = 1, kSemget = 2, kMsgget = 4, kMqOpen = 8 };

// Descriptors that come with a BoxPlan, in this order.
enum PlanDescriptor : unsigned { kControlFd, kRunFd, kSlateFd, kFixedFds };

// The word with which the meters of an isolated box come, after its plan. V1: per hierarchy the
// tasks files of the box and of its leaves "a" and "b", then their cpu meters, then the box's
// directories in the memory and in the pids hierarchy; V2: the box's directory.
inline constexpr char kMetersFollow = 'm';
constexpr unsigned kLeaves =
    2;  // used in turn: what the last run left in a meter has time to drain

// The meters and limits of a leaf, as descriptors in the daemon's hands.
enum class LeafFile : std::uint32_t {
  CpuUsage,
  CpuUser,
  CpuSystem,
  MemoryPeak,
  MemoryNow,
  MemoryLimit,
  SwapLimit,
  MemoryEvents,
  ProcessesLimit,
  ProcessesPeak,
  ProcessesEvents,
  Freeze,
  CpuQuota,
  MemoryStat,
};
constexpr unsigned kLeafFiles = 14;

// --- Shared page: written by init and program-to-be, read by the daemon when a timer fires
// ---------------------------

struct Slate {
  std::uint64_t sequence;     // of the run that started_ns belongs to
  std::uint64_t started_ns;   // CLOCK_MONOTONIC just before exec; 0 until then
  std::uint64_t cpu_base_ns;  // the meter just before exec
};

// --- Daemon to init, on the run socket
// ------------------------------------------------------------------------------

struct ResourceLimit {
  std::int32_t resource;
  std::uint32_t pad;
  std::uint64_t soft;
  std::uint64_t hard;
};
constexpr unsigned kMaxResourceLimits = 12;

// Something to make before the program starts: followed by `name` bytes of its name, ended by NUL,
// and `content` bytes: of the file, or of what the link points to, ended by NUL.
struct PutIn {
  enum class Kind : std::uint32_t { Directory, File, Copy, Link };  // Copy: of a descriptor
  Kind kind{};
  std::uint32_t mode = 0;
  std::uint32_t name = 0;
  std::uint32_t content = 0;
};
constexpr unsigned kMaxCopies = 32;
enum class PutInStage : std::int32_t { Make, Fill };
constexpr std::uint32_t kTheProgram = ~0U;  // instead of an index

// Followed by the strings: `candidates` paths to try, argc arguments, envc variables, each ended by
// NUL; inline, or in a memfd that comes as the last descriptor when `long_strings` is set. Then
// `put_ins` times PutIn. The first descriptors become 0, 1, 2, … in order; those of the copies
// follow, then the program's own, if it comes as one.
struct RunRequest {
  std::uint64_t sequence;
  std::uint32_t descriptors;
  std::uint32_t copies;
  std::uint32_t program;  // 1: it is run from its descriptor, where it may be
  std::uint32_t put_ins;
  std::uint32_t candidates, argc, envc;
  std::uint32_t strings;  // bytes
  std::uint32_t long_strings;
  std::uint32_t clean_after;  // nothing will be copied out: clean as soon as the run is over
  std::uint32_t limits;
  std::uint32_t cpu_words;  // 0: leave the affinity alone
  std::uint32_t home;       // the core to wait on after this run, plus one; 0: any
  std::uint32_t umask;
  std::uint32_t session;  // bits: 1 a session of its own, 2 with descriptor 0 as its terminal
  std::uint64_t wall_ns;  // whoever runs for longer is asked how long it got no cpu; 0: nobody is
  ResourceLimit limit[kMaxResourceLimits];
  std::uint64_t cpus[kMaxCpuWords];
};

// --- Init or launcher to daemon, on the run socket. Hostile input for the daemon.
// -----------------------------------

enum class EndKind : std::uint32_t { Exited, Signaled, Dumped, NotStarted, Killed, Forbidden };

struct Ended {
  std::uint64_t sequence;
  EndKind kind;
  std::int32_t status;  // exit code, signal, system call number, or PutInStage
  Step step;
  std::uint32_t index;
  std::int32_t error;
  std::uint32_t file_over_limit;  // a file in a writable place reached the size limit
  std::uint32_t orphans;          // something else was still running when the program ended
  std::uint64_t started_ns;
  std::uint64_t ended_ns;
  std::uint64_t cpu_base_ns;         // the meter just before exec
  std::uint64_t init_cpu_ns;         // what init itself added to the meter since
  std::uint64_t user_ns, system_ns;  // rusage of everything reaped
  std::uint64_t max_rss_kib;         // of the greatest process that init ever had
  std::uint64_t program_rss_kib;     // of the greatest of the program and those that it waited for
  std::uint64_t switches_voluntary, switches_forced;
  std::uint64_t wanted_ns;  // its first thread ran or was ready to run; 0 if nobody asked
};

// --- Daemon to launcher, on the control socket
// -----------------------------------------------------------------------

enum class Order : std::uint32_t {
  Create,
  MakeDirectory,
  MakeLink,
  MakeFifo,
  OpenOut,
  OpenDirectory,
  CreateShared,
  DropSpares,
  Resize,
  Kill,
  Clean,
  Usage,
  Standing,
  Stop,
  Continue
};

// Followed by the name, and for MakeLink by what it points to; both ended by NUL.
struct ControlRequest {
  Order order{};
  std::uint32_t mode = 0;
  std::uint64_t sequence = 0;  // Kill: only this run
  std::uint64_t bytes = 0;     // Resize
  std::uint64_t inodes = 0;
};

enum class Answer : std::uint32_t { Done, Failed, Ready, BoxMade, BoxFailed, Usage };

// What keeps a run from going on: a thread that is ready to run has no cpu, or none is ready and
// one waits for a device, or neither.
enum class Awaits : std::uint32_t { Other, Device, Cpu };

// Ready comes unasked, after each cleaning. `renewed` says which LeafFiles of `renewed_leaf` come
// with it as descriptors: all that exist on V2, where every run has a new leaf; the pids files on
// V1 when the last run used more than one process. After them come `spares`: the files that were
// last asked for by CreateShared, made again.
struct ControlReply {
  Answer answer{};
  Step step{};
  std::uint32_t index = 0;
  std::int32_t error = 0;
  std::uint64_t cpu_ns = 0;  // Usage, in a box without meters
  std::uint64_t memory_bytes = 0;
  std::uint32_t leaf = 0;  // Ready: the one the prepared init is in
  std::uint32_t renewed_leaf = 0;
  std::uint32_t renewed = 0;  // bits by LeafFile
  std::uint32_t odd = 0;      // Ready: something could not be made clean; retire this box
  std::uint32_t spares = 0;
  Awaits awaits = Awaits::Other;  // Standing
  std::uint32_t sleeps = 0;       // Standing: a thread has asked to be woken later, not for news
  std::uint64_t wanted_ns = 0;    // Standing: how long one thread ran or was ready to run, at most
};
constexpr unsigned kMaxSpares = 3;
constexpr unsigned kMaxSpareName = 64;

}  // namespace assay::sandbox::inside
