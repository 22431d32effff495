#include <fcntl.h>
#include <linux/ioprio.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/posture_rules.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

constexpr const char* kNoBits = "0000000000000000";

// What /proc/PID/status says of every thread. The launcher and init keep what they have in the
// box's own user namespace, and can give none of it to anybody: bounding, inheritable and ambient
// sets are empty.
struct StatusRule {
  const char* field;
  const char* wanted;
  bool of_program_only = false;
  bool unless_it_sets_them = false;
};
constexpr StatusRule kStatus[] = {
    {"CapInh", kNoBits},
    {"CapPrm", kNoBits, true},
    {"CapEff", kNoBits, true},
    {"CapBnd", kNoBits},
    {"CapAmb", kNoBits},
    {"NoNewPrivs", "1"},
    {"Seccomp", "2"},
    {"Groups", ""},
    {"SigBlk", kNoBits, false, true},
    {"SigIgn", kNoBits, false, true},
    {"SigPnd", kNoBits},
    {"TracerPid", "0"},
};

// In a child: our own identity stays. A process of the same host id may read what is dumpable.
bool can_be_read_as(unsigned long user, int process) {
  const std::string path = "/proc/" + std::to_string(process) + "/environ";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto id = static_cast<uid_t>(user);
    if (::setresgid(id, id, id) < 0 || ::setresuid(id, id, id) < 0) ::_exit(2);
    ::_exit(::open(path.c_str(), O_RDONLY | O_CLOEXEC) >= 0 ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status) != 0;
}

std::string four(unsigned long id) {
  const std::string one = std::to_string(id);
  return one + "\t" + one + "\t" + one + "\t" + one;
}

// Two ids, one each for the box's root and for the program, that nobody else on the host has.
void check_map(Faults& faults, const Member& member, const char* file, unsigned inside,
               const char* field) {
  const auto map = proc::id_map(member.thread.process, file);
  const bool shaped = map.size() == 2 && map[0].inside == 0 && map[0].count == 1 &&
                      map[1].inside == inside && map[1].count == 1;
  faults.expect(shaped, std::string(file) + " maps other than the box's root and its program");
  if (!shaped) return;
  const auto& own = map[member.role == Role::Program ? 1 : 0];
  faults.equal(field, proc::status(member.thread)[field], four(own.outside));
  faults.expect(map[1].outside > 65535 && map[1].outside != ::getuid(),
                std::string(file) + ": the program has an ordinary id of the host");
  if (::getuid() == 0)
    faults.expect(map[0].outside > 65535, std::string(file) + ": root is an id of the host");
}

}  // namespace

void check_privileges(Faults& faults, const Member& member) {
  auto status = proc::status(member.thread);
  for (const StatusRule& rule : kStatus) {
    if (rule.of_program_only && member.role != Role::Program) continue;
    if (rule.unless_it_sets_them && member.role == Role::Program && faults.asked.sets_own_signals)
      continue;
    faults.equal(rule.field, status[rule.field], rule.wanted);
  }
  if (member.role == Role::Program)
    return faults.equal("umask", status["Umask"], faults.asked.umask);
  if (::getuid() != 0) return;
  // The key of the filter is in its memory.
  const auto map = proc::id_map(member.thread.process, "uid_map");
  for (const proc::IdRange& id : map)
    faults.expect(!can_be_read_as(id.outside, member.thread.process),
                  "can be read by an id of its box");
}

void check_identity(Faults& faults, const Member& member) {
  check_map(faults, member, "uid_map", faults.asked.profile.user, "Uid");
  check_map(faults, member, "gid_map", faults.asked.profile.group, "Gid");
  if (::getuid() != 0) return;
  for (const proc::IdRange& id : proc::id_map(member.thread.process, "uid_map"))
    faults.expect(::getpwuid(static_cast<uid_t>(id.outside)) == nullptr,
                  "has the id of a user of the host");
}

// The time namespace is the host's: its only content, an offset of the clocks, hides nothing worth
// hiding, and reading a clock in another one is slower.
void check_namespaces(Faults& faults, const Member& member) {
  const proc::Thread self{::getpid()};
  const auto of = [](const proc::Thread& thread, const std::string& name) {
    return proc::link(thread, "ns/" + name);
  };
  for (const std::string name : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
    const std::string own = of(member.thread, name);
    // Only the program sees its cgroup as the root; the launcher has no way to look at any.
    if (name == "cgroup" && member.role != Role::Program) continue;
    const bool host = name == "net" && faults.asked.profile.network == sandbox::Network::Host;
    faults.expect(!own.empty() && (own == of(self, name)) == host,
                  host ? "is not in the host's net" : "is in the host's namespace: " + name);
    if (name != "pid" && name != "cgroup")
      faults.equal(name + " namespace", own, of({faults.box.launcher}, name));
  }
  const std::string pid = of(member.thread, "pid");
  faults.equal("pid namespace for children", of(member.thread, "pid_for_children"), pid);
  faults.expect((pid == of({faults.box.launcher}, "pid")) == (member.role == Role::Launcher),
                "shares a pid namespace with the launcher");
  faults.equal("time namespace", of(member.thread, "time"), of(self, "time"));
}

void check_scheduling(Faults& faults, const Member& member) {
  const auto field = [&](unsigned number) {
    return proc::stat_field(member.thread, number);
  };
  faults.expect(field(41) == 0 && field(40) == 0, "has a scheduling policy of its own");
  faults.expect(field(19) >= 0, "comes before others by its nice value");
  faults.expect(field(7) == 0, "has a controlling terminal");
  if (member.role != Role::Launcher && !faults.asked.starts_others) {
    const bool leads = member.role == Role::Program && faults.asked.own_session;
    faults.equal("process group", std::to_string(field(5)),
                 std::to_string(leads ? member.thread.process : faults.box.init));
    faults.expect(!leads || field(6) == member.thread.process, "does not lead a session");
  }
  const long io = ::syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, member.thread.thread);
  faults.expect(io >= 0 && IOPRIO_PRIO_CLASS(io) != IOPRIO_CLASS_RT, "comes first to the disk");
  faults.expect(!proc::text(member.thread, "oom_score_adj").starts_with('-'),
                "is spared by the OOM killer");
  faults.equal("personality", proc::text(member.thread, "personality"), "00000000\n");
  // Kept for the first thread only.
  if (member.thread.thread == member.thread.process)
    faults.equal("timer slack", proc::text({member.thread.process}, "timerslack_ns"), "50000\n");
  if (member.role != Role::Program) return;
  const std::string all = proc::status({::getpid()})["Cpus_allowed_list"];
  faults.equal("cores", proc::status(member.thread)["Cpus_allowed_list"],
               faults.asked.cores.empty() ? all : faults.asked.cores);
}

}  // namespace assay::test
