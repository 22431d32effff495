// What an operator may say to assayd: go-judge's settings under their own names, then ours. Values
// with go-judge's defaults; where they come from is in options.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace assay::daemon {

using namespace std::chrono_literals;

struct Settings {
  // Doors.
  std::string http_addr = "localhost:5050";
  bool enable_grpc = false;
  std::string grpc_addr = "localhost:5051";
  Bytes grpc_msg_size = 64_MiB;
  std::string monitor_addr = "localhost:5052";
  bool enable_metrics = false;
  bool enable_debug = false;
  std::string auth_token{};
  Bytes max_body = 1_GiB;

  // Log.
  bool release = false;
  bool silent = false;
  std::string log_format = "auto";

  // Work.
  std::uint64_t parallelism = 0;  // 0: one per core
  std::uint64_t pre_fork = 1;
  std::vector<std::string> cpuset{};
  std::uint64_t queue_limit = 512;
  Bytes memory_limit{};

  // Boxes.
  std::uint64_t container_cred_start = 0;
  std::string container_init_path{};
  std::string cgroup_prefix = "gojudge";
  bool no_fallback = false;
  bool allow_degraded = false;
  bool net_share = false;
  std::string mount_conf = "mount.yaml";
  std::string seccomp_conf = "seccomp.yaml";
  std::string tmp_fs_param = "size=128m,nr_inodes=4k";
  std::string profiles{};
  std::string user{};

  // Judging.
  bool judging = true;
  std::string languages{};
  std::string policies{};
  std::string compile_cache{};
  std::string journal{};  // "none": there is none; empty: in `dir`, where that is named
  bool journal_sync = false;
  std::vector<std::string> warm_up{};         // languages
  std::vector<std::string> webhook_prefix{};  // empty: nobody is called
  std::string webhook_secret{};
  std::string noj_problems{};  // empty: no back end of Normal-OJ comes here
  std::string noj_backend{};   // empty: nobody is told of results
  std::string noj_token{};
  std::uint64_t noj_queue = 512;  // submissions of it, taken and not judged yet

  // Files.
  std::string dir{};
  Nanoseconds file_timeout{};
  std::vector<std::string> src_prefix{};
  Bytes store_quota{};

  // Limits.
  Nanoseconds time_limit_checker_interval = 100ms;
  Bytes output_limit = 256_MiB;
  Bytes copy_out_limit = 256_MiB;
  std::uint64_t open_file_limit = 256;
  Bytes extra_memory_limit = 16_KiB;
  bool enable_cpu_rate = false;
  Nanoseconds cpu_cfs_period = 100ms;
  Bytes force_gc_target = 20_MiB;
  Nanoseconds force_gc_interval = 5s;
  Nanoseconds default_cpu = 10s;
  Nanoseconds default_clock = 30s;
  Bytes default_memory = 512_MiB;
  std::uint64_t default_proc = 64;
  bool strict_defaults = false;

  bool version = false;
  bool help = false;

  bool operator==(const Settings&) const = default;
};

}  // namespace assay::daemon
