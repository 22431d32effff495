#include "tests/support/posture.h"

#include "tests/support/posture_rules.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

constexpr const char* kRoles[] = {"launcher", "init", "program"};

bool is_ours(int pid) {
  return proc::link({pid}, "exe").contains("assay-launcher");
}

void add_below(int pid, std::vector<int>& all) {
  for (const int child : children_of(pid)) {
    all.push_back(child);
    add_below(child, all);
  }
}

struct Rule {
  void (*check)(Faults&, const Member&);
  bool of_threads;  // else of processes: their threads share it
};
constexpr Rule kRules[] = {
    {check_privileges, true},   {check_identity, true}, {check_namespaces, true},
    {check_scheduling, true},   {check_places, true},   {check_descriptors, false},
    {check_environment, false}, {check_limits, false},  {check_cgroups, true},
};

void look_at(Faults& faults, Role role, int process) {
  const auto threads = proc::threads(process);
  faults.expect(!threads.empty(), std::string(kRoles[static_cast<int>(role)]) + " is gone");
  for (const int thread : threads) {
    const Member member{role, {process, thread}};
    faults.about(member);
    for (const Rule& rule : kRules)
      if (rule.of_threads || thread == process) rule.check(faults, member);
  }
}

}  // namespace

void Faults::about(const Member& member) {
  who_ = std::string(kRoles[static_cast<int>(member.role)]) + " " +
         std::to_string(member.thread.process) +
         (member.thread.thread != member.thread.process
              ? ", thread " + std::to_string(member.thread.thread)
              : "") +
         ": ";
}

void Faults::expect(bool holds, const std::string& otherwise) {
  if (!holds) found.push_back(who_ + otherwise);
}

void Faults::equal(const std::string& what, const std::string& is, const std::string& wanted) {
  expect(is == wanted, what + " is '" + is + "', not '" + wanted + "'");
}

std::vector<LiveBox> live_boxes(int above) {
  std::vector<int> all;
  add_below(above, all);
  std::vector<LiveBox> boxes;
  for (const int launcher : all) {
    if (!is_ours(launcher) || is_ours(std::stoi("0" + status_line(launcher, "PPid")))) continue;
    for (const int init : children_of(launcher)) {
      LiveBox box{.launcher = launcher, .init = init};
      add_below(init, box.programs);
      std::erase_if(box.programs, is_ours);  // on its way to exec
      if (!box.programs.empty()) boxes.push_back(box);
    }
  }
  return boxes;
}

Asked asked_of(const std::string& profiles, const std::string& name) {
  Asked asked{.profile = sandbox::load_profile(profiles, name).value()};
  asked.limits = asked.profile.limits;
  asked.environment = asked.profile.environment;
  return asked;
}

std::vector<std::string> faults_of(const LiveBox& box, const Asked& asked) {
  Faults faults(box, asked);
  look_at(faults, Role::Launcher, box.launcher);
  look_at(faults, Role::Init, box.init);
  for (const int program : box.programs)
    look_at(faults, Role::Program, program);
  return faults.found;
}

std::string lines_of(const std::vector<std::string>& faults) {
  std::string all;
  for (const std::string& fault : faults)
    all += fault + "\n";
  return all;
}

std::vector<std::string> faults_between(const LiveBox& one, const LiveBox& other) {
  std::vector<std::string> found;
  for (const char* name : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"})
    if (proc::link({one.programs[0]}, std::string("ns/") + name) ==
        proc::link({other.programs[0]}, std::string("ns/") + name))
      found.push_back(std::string("both are in one namespace: ") + name);
  for (const char* map : {"uid_map", "gid_map"})
    for (const proc::IdRange& mine : proc::id_map(one.init, map))
      for (const proc::IdRange& theirs : proc::id_map(other.init, map))
        if (mine.outside < theirs.outside + theirs.count &&
            theirs.outside < mine.outside + mine.count)
          found.push_back(std::string("both have the host's id ") + std::to_string(mine.outside));
  if (proc::text({one.programs[0]}, "cgroup") == proc::text({other.programs[0]}, "cgroup"))
    found.emplace_back("both are in the same cgroups");
  return found;
}

}  // namespace assay::test
