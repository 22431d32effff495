#include "app/daemon/config/option_table.h"

#include <fmt/format.h>

#include <array>

#include "app/daemon/config/values.h"

namespace assay::daemon {
namespace {

std::string shown(Bytes value) {
  const std::uint64_t count = value.count;
  for (const auto& [shift, letter] : {std::pair{30, 'g'}, {20, 'm'}, {10, 'k'}})
    if (count != 0 && count % (1ULL << shift) == 0)
      return fmt::format("{}{}", count >> shift, letter);
  return fmt::format("{}", count);
}
std::string shown(Nanoseconds value) {
  if (value % 1s == 0ns) return fmt::format("{}s", value / 1s);
  return fmt::format("{}ms", value / 1ms);
}
std::string shown(bool value) {
  return value ? "true" : "false";
}
std::string shown(std::uint64_t value) {
  return fmt::format("{}", value);
}
std::string shown(const std::string& value) {
  return value;
}
std::string shown(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}

Status read(std::string_view text, bool& into) {
  into = TRY(parse_flag(text));
  return {};
}
Status read(std::string_view text, std::uint64_t& into) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  into = TRY(parse_count(text, 0, kMost));
  return {};
}
Status read(std::string_view text, Bytes& into) {
  into = TRY(parse_size(text));
  return {};
}
Status read(std::string_view text, Nanoseconds& into) {
  into = TRY(parse_go_duration(text));
  return {};
}
Status read(std::string_view text, std::string& into) {
  into = text;
  return {};
}
Status read(std::string_view text, std::vector<std::string>& into) {
  into = parse_list(text);
  return {};
}

Status read_address(std::string_view text, std::string& into) {
  TRY(parse_address(text));
  into = text;
  return {};
}
Status read_core_sets(std::string_view text, std::vector<std::string>& into) {
  into = parse_list(text);
  for (const std::string& set : into)
    TRY(parse_cores(set));
  return {};
}
Status read_format(std::string_view text, std::string& into) {
  for (const char* known : {"auto", "text", "json"})
    if (text == known) return read(text, into);
  return invalid(fmt::format("'{}' is none of auto, text, json", text));
}

template <auto Member>
using TypeOf = std::remove_cvref_t<decltype(std::declval<Settings>().*Member)>;

template <auto Member>
constexpr Option row(std::string_view name, std::string_view meaning,
                     std::string_view no_effect = {}) {
  return {name,
          std::is_same_v<TypeOf<Member>, bool>,
          [](std::string_view text, Settings& into) { return read(text, into.*Member); },
          [](const Settings& from) { return shown(from.*Member); },
          meaning,
          no_effect};
}
template <auto Member, auto Reader>
constexpr Option row(std::string_view name, std::string_view meaning) {
  return {name,
          false,
          [](std::string_view text, Settings& into) { return Reader(text, into.*Member); },
          [](const Settings& from) { return shown(from.*Member); },
          meaning,
          {}};
}

constexpr std::string_view kOwnIds = "every box has host ids of its own already";
constexpr std::string_view kOwnLauncher = "the launcher is part of assay-warden";
constexpr std::string_view kOwnGroups = "cgroups carry the engine's own instance name";
constexpr std::string_view kExact = "limits break at the limit, not at a tick";
constexpr std::string_view kOwnPeriod = "the engine chooses the period";
constexpr std::string_view kNoHeap = "there is no garbage to collect";
constexpr std::string_view kOwnFilter = "filters are JSON files beside the profiles";

using S = Settings;
constexpr std::array kOptions{
    row<&S::http_addr, read_address>("http-addr", "where HTTP is served"),
    row<&S::enable_grpc>("enable-grpc", "serve gRPC"),
    row<&S::grpc_addr, read_address>("grpc-addr", "where gRPC is served"),
    row<&S::grpc_msg_size>("grpc-msg-size", "largest gRPC message"),
    row<&S::monitor_addr, read_address>("monitor-addr", "where /metrics is served"),
    row<&S::enable_metrics>("enable-metrics", "serve Prometheus metrics"),
    row<&S::enable_debug>("enable-debug", "log every request"),
    row<&S::auth_token>("auth-token", "bearer token that clients must send"),
    row<&S::release>("release", "log JSON, one object per line"),
    row<&S::silent>("silent", "log nothing but a failed start"),
    row<&S::parallelism>("parallelism", "requests at a time; 0: one per core"),
    row<&S::pre_fork>("pre-fork", "boxes made at the start"),
    row<&S::cpuset, read_core_sets>("cpuset", "core sets, one pinned worker each: 0,2 or 0-1,2-3"),
    row<&S::container_cred_start>("container-cred-start", "accepted", kOwnIds),
    row<&S::container_init_path>("container-init-path", "accepted", kOwnLauncher),
    row<&S::cgroup_prefix>("cgroup-prefix", "accepted", kOwnGroups),
    row<&S::no_fallback>("no-fallback", "never run without cgroups, whatever -allow-degraded says"),
    row<&S::net_share>("net-share", "programs share the host's network"),
    row<&S::mount_conf>("mount-conf", "what a box sees of the host"),
    row<&S::seccomp_conf>("seccomp-conf", "accepted", kOwnFilter),
    row<&S::tmp_fs_param>("tmp-fs-param", "size of /w and /tmp when there is no mount file"),
    row<&S::dir>("dir", "where stored files are kept; empty: a directory of our own, for this run"),
    row<&S::file_timeout>("file-timeout", "stored files not used for so long go; 0: never"),
    row<&S::src_prefix>("src-prefix", "where 'src' files may lie; empty: anywhere"),
    row<&S::time_limit_checker_interval>("time-limit-checker-interval", "accepted", kExact),
    row<&S::output_limit>("output-limit", "largest file a program may write"),
    row<&S::copy_out_limit>("copy-out-limit", "largest file copied out"),
    row<&S::open_file_limit>("open-file-limit", "open files of a program"),
    row<&S::extra_memory_limit>("extra-memory-limit", "memory above the limit before a kill"),
    row<&S::enable_cpu_rate>("enable-cpu-rate", "honour cpuRateLimit"),
    row<&S::cpu_cfs_period>("cpu-cfs-period", "accepted", kOwnPeriod),
    row<&S::force_gc_target>("force-gc-target", "accepted", kNoHeap),
    row<&S::force_gc_interval>("force-gc-interval", "accepted", kNoHeap),
    row<&S::version>("version", "print the version and end"),
    row<&S::help>("help", "print this and end"),
    // Ours.
    row<&S::queue_limit>("queue-limit", "requests that may wait"),
    row<&S::memory_limit>("memory-limit", "memory that running requests may be promised; 0: any"),
    row<&S::default_cpu>("default-cpu", "CPU time of a command that says none"),
    row<&S::default_clock>("default-clock", "wall time of a command that says none"),
    row<&S::default_memory>("default-memory", "memory of a command that says none"),
    row<&S::default_proc>("default-proc", "processes of a command that says none"),
    row<&S::strict_defaults>("strict-defaults", "an omitted limit is 0, as in go-judge"),
    row<&S::allow_degraded>("allow-degraded", "run also where limits cannot be kept fully"),
    row<&S::store_quota>("store-quota", "bytes of stored files; 0: any"),
    row<&S::user>("user", "whom the daemon becomes: name or uid[:gid]"),
    row<&S::profiles>("profiles", "directory of profiles; empty: the installation's"),
    row<&S::judging>("judging", "serve /v1/submissions and what belongs to it"),
    row<&S::languages>("languages", "directory of languages; empty: the installation's"),
    row<&S::policies>("policies", "directory of policies; empty: the installation's"),
    row<&S::compile_cache>("compile-cache",
                           "directory for what was compiled; empty: in memory, 64 MiB"),
    row<&S::warm_up>("warm-up", "languages whose headers are compiled ahead at the start: cpp"),
    row<&S::journal>(
        "journal",
        "directory for what was submitted, until it is judged, and for results; empty: "
        "'journal' in -dir; none: they end with the daemon"),
    row<&S::journal_sync>("journal-sync", "answer when the disk has it: outlives a power cut, too"),
    row<&S::webhook_prefix>("webhook-prefix", "URLs below which results may be sent; empty: none"),
    row<&S::webhook_secret>("webhook-secret", "key that results are signed with"),
    row<&S::noj_problems>("noj-problems",
                          "directory of Normal-OJ's problems, by their ids; empty: no /submit"),
    row<&S::noj_backend>("noj-backend", "URL of the back end of Normal-OJ that results are put to"),
    row<&S::noj_token>("noj-token", "what it and we prove ourselves with"),
    row<&S::noj_queue>("noj-queue", "submissions of it that may wait or be judged at a time"),
    row<&S::max_body>("max-body", "largest request body"),
    row<&S::log_format, read_format>("log-format", "auto, text or json"),
};

}  // namespace

std::span<const Option> options() {
  return kOptions;
}

}  // namespace assay::daemon
