#include "sandbox/warden/filter.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "base/check.h"
#include "os/fd.h"
#include "os/file.h"
#include "sandbox/inside/plan.h"
#include "sandbox/profile.h"
#include "sandbox/warden/guard.h"
#include "sandbox/warden/ready.h"
#include "sandbox/warden/rules.h"
#include "sandbox/warden/syscalls.h"

namespace assay::sandbox::warden {
namespace {

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kJump = BPF_JMP | BPF_JA;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
constexpr std::uint32_t kKeyLowAt = offsetof(seccomp_data, args) + 5 * sizeof(std::uint64_t);
constexpr std::uint32_t kKeyHighAt = kKeyLowAt + 4;  // little-endian

// Of another architecture: int $0x80 from a 64-bit program, or a 32-bit program. No rule of ours
// yields this value, which is how the return is told from the others afterwards.
constexpr std::uint32_t kForeign = SCMP_ACT_KILL_PROCESS;
constexpr unsigned kApiLevel =
    6;  // of libseccomp: all actions are known, without asking this kernel

using Program = std::vector<sock_filter>;

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

std::uint32_t scmp_action(const Decision& decision) {
  switch (decision.action) {
    case Action::Allow:
      return SCMP_ACT_ALLOW;
    case Action::Log:
      return SCMP_ACT_LOG;
    case Action::Errno:
      return SCMP_ACT_ERRNO(decision.error);
    case Action::Trap:
      return SCMP_ACT_TRAP;
    case Action::KillThread:
      return SCMP_ACT_KILL_THREAD;
    case Action::Notify:
      return SCMP_ACT_NOTIFY;
  }
  CHECK(false);
}

scmp_compare scmp_op(Compare compare) {
  switch (compare) {
    case Compare::NotEqual:
      return SCMP_CMP_NE;
    case Compare::Less:
      return SCMP_CMP_LT;
    case Compare::LessOrEqual:
      return SCMP_CMP_LE;
    case Compare::Equal:
      return SCMP_CMP_EQ;
    case Compare::GreaterOrEqual:
      return SCMP_CMP_GE;
    case Compare::Greater:
      return SCMP_CMP_GT;
    case Compare::MaskedEqual:
      return SCMP_CMP_MASKED_EQ;
  }
  CHECK(false);
}

Result<Context> make_context(const Decision& otherwise) {
  seccomp_api_set(kApiLevel);
  Context context(seccomp_init(scmp_action(otherwise)));
  if (!context) return invalid("defaultAction: refused by libseccomp");
  constexpr std::uint32_t kBinaryTree = 2;
  int error = seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree);
  if (error == 0) error = seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, kForeign);
  if (error != 0) return system_error(-error, "prepare a system call filter");
  return context;
}

// libseccomp drops a rule with conditions when the same call has one without, so "deny this ioctl"
// beside "allow ioctl" would do nothing. What contradicts itself is refused instead.
class Numbers {
 public:
  Status note(int number, const std::string& name, const Rule& rule) {
    Seen& seen = seen_[number];
    const bool always = rule.conditions.empty();
    const bool clash = (always && seen.sometimes) || (seen.always && *seen.always != rule.decision);
    if (clash) return invalid(fmt::format("'{}' is decided with and without conditions", name));
    if (always) seen.always = rule.decision;
    seen.sometimes = seen.sometimes || !always;
    return {};
  }
  // Nothing: it depends on the arguments.
  [[nodiscard]] std::optional<Decision> decision(int number, const Decision& otherwise) const {
    const auto seen = seen_.find(number);
    if (seen == seen_.end()) return otherwise;
    if (seen->second.sometimes) return std::nullopt;
    return seen->second.always;
  }
  [[nodiscard]] std::vector<int> unvetted() const {
    std::vector<int> result;
    for (const auto& [number, seen] : seen_)
      if (!is_vetted(number)) result.push_back(number);
    return result;
  }

 private:
  struct Seen {
    std::optional<Decision> always;
    bool sometimes = false;
  };
  std::map<int, Seen> seen_;
};

struct Watch {
  int number;
  inside::WatchedCall bit;
};
constexpr std::array kWatched{
    Watch{__NR_shmget, inside::kShmget}, Watch{__NR_semget, inside::kSemget},
    Watch{__NR_msgget, inside::kMsgget}, Watch{__NR_mq_open, inside::kMqOpen}};

bool is_watched(int number) {
  return std::ranges::find(kWatched, number, &Watch::number) != kWatched.end();
}

// The calls that make something in the ipc namespace stay allowed, but the launcher hears of them.
Status watch_ipc(void* context, const Numbers& numbers, const Decision& otherwise, Filter& filter) {
  filter.knows_ipc = true;
  for (const auto& [number, bit] : kWatched) {
    const auto decision = numbers.decision(number, otherwise);
    if (!decision || decision->action == Action::Log) filter.knows_ipc = false;
    if (decision != Decision{Action::Allow}) continue;
    filter.watched |= bit;
    if (otherwise.action == Action::Notify) continue;
    const int error = seccomp_rule_add_exact_array(context, SCMP_ACT_NOTIFY, number, 0, nullptr);
    if (error != 0) return system_error(-error, "watch the calls that make ipc objects");
  }
  return {};
}

// A name we do not know is passed over when it would be allowed (it is not, then); what cannot be
// denied is an error.
Status add_rule(void* context, const Rule& rule, const Decision& otherwise, Numbers& numbers) {
  std::vector<scmp_arg_cmp> conditions;
  conditions.reserve(rule.conditions.size());
  for (const Condition& condition : rule.conditions)
    conditions.push_back(
        {condition.index, scmp_op(condition.compare), condition.value, condition.value_two});
  for (const std::string& name : rule.names) {
    const auto number = syscall_number(name);
    if (!number && rule.decision.action == Action::Allow) continue;
    if (!number) return invalid(fmt::format("'{}' is no system call of x86-64", name));
    TRY_STATUS(numbers.note(*number, name, rule));
    if (rule.decision == otherwise) continue;  // libseccomp refuses to be told twice
    if (is_watched(*number) && rule.decision == Decision{Action::Allow} && conditions.empty())
      continue;  // watch_ipc
    const int error =
        seccomp_rule_add_exact_array(context, scmp_action(rule.decision), *number,
                                     static_cast<unsigned>(conditions.size()), conditions.data());
    if (error != 0) return system_error(-error, fmt::format("add the rule for '{}'", name));
  }
  return {};
}

Result<Program> export_program(void* context) {
  const os::OwnedFd file(::memfd_create("filter", MFD_CLOEXEC));
  if (!file.is_open()) return system_error("memfd_create");
  if (const int error = seccomp_export_bpf(context, file.get()); error != 0)
    return system_error(-error, "compile a system call filter");
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  if (size <= 0 || size % static_cast<off_t>(sizeof(sock_filter)) != 0)
    return system_error("size of a system call filter");
  Program program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size)
    return system_error("read back a system call filter");
  return program;
}

// load the key's halves from the sixth argument; both match: allow; else: `action`.
std::uint32_t append_key_check(Filter& filter, std::uint32_t action) {
  const std::size_t begin = filter.program.size();
  filter.key_high.push_back(begin + 1);
  filter.key_low.push_back(begin + 3);
  const Program block{
      {kLoad, 0, 0, kKeyHighAt}, {kIfEqual, 0, 2, 0},     {kLoad, 0, 0, kKeyLowAt},
      {kIfEqual, 1, 0, 0},       {kReturn, 0, 0, action}, {kReturn, 0, 0, SECCOMP_RET_ALLOW},
  };
  filter.program.insert(filter.program.end(), block.begin(), block.end());
  return static_cast<std::uint32_t>(begin);
}

// Leads every return that is not "allow" through a key check, one for each action. A return becomes
// a jump in its own place, so nothing shifts; a plain jump reaches any distance.
void add_key_checks(Filter& filter, std::size_t first) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> checks;  // action, where
  const std::size_t end = filter.program.size();
  for (std::size_t i = first; i < end; ++i) {
    const std::uint32_t action = filter.program[i].k;
    const bool decides = filter.program[i].code == kReturn;
    if (!decides || action == SECCOMP_RET_ALLOW || action == kForeign) continue;
    auto found = std::ranges::find(checks, action, &std::pair<std::uint32_t, std::uint32_t>::first);
    if (found == checks.end())
      found = checks.insert(found, {action, append_key_check(filter, action)});
    filter.program[i] = {kJump, 0, 0, found->second - static_cast<std::uint32_t>(i) - 1};
    filter.listens = filter.listens || action == SECCOMP_RET_USER_NOTIF;
  }
}

}  // namespace

Result<Filter> compile_filter(std::string_view json) {
  const Rules rules = TRY(parse_rules(json));
  const Context context = TRY(make_context(rules.otherwise));
  Numbers numbers;
  for (const Rule& rule : rules.rules)
    TRY_STATUS(add_rule(context.get(), rule, rules.otherwise, numbers));
  Filter filter;
  TRY_STATUS(watch_ipc(context.get(), numbers, rules.otherwise, filter));
  const std::vector<int> listed = numbers.unvetted();
  if (listed.size() > kMostListed) return invalid("too many rules for calls of unknown number");
  const Program decisions = TRY(export_program(context.get()));
  filter.program = guard(listed);
  const std::size_t first = filter.program.size();
  filter.program.insert(filter.program.end(), decisions.begin(), decisions.end());
  add_key_checks(filter, first);
  if (filter.program.size() >= BPF_MAXINSNS)
    return invalid(fmt::format("compiles to {} instructions, more than the kernel takes",
                               filter.program.size()));
  return filter;
}

Result<Filter> load_filter(const std::string& directory, const std::string& name) {
  if (!is_profile_name(name)) return invalid(fmt::format("'{}' is no name of a filter", name));
  const std::string path = fmt::format("{}/seccomp/{}.json", directory, name);
  const std::string json = TRY(os::read_whole(path));
  if (auto ready = find_ready(json)) return *std::move(ready);
  auto filter = compile_filter(json);
  if (!filter) filter.error().context.insert(0, path + ": ");
  return filter;
}

std::vector<sock_filter> with_key(const Filter& filter, std::uint64_t key) {
  Program program = filter.program;
  for (const std::size_t index : filter.key_high)
    program[index].k = static_cast<std::uint32_t>(key >> 32);
  for (const std::size_t index : filter.key_low)
    program[index].k = static_cast<std::uint32_t>(key);
  return program;
}

}  // namespace assay::sandbox::warden
