#include "app/daemon/wiring.h"

#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include "app/daemon/config/values.h"

namespace assay::daemon {

unsigned workers_of(const Settings& settings) {
  if (!settings.cpuset.empty()) return static_cast<unsigned>(settings.cpuset.size());
  if (settings.parallelism != 0) return static_cast<unsigned>(settings.parallelism);
  return std::max(1U, std::thread::hardware_concurrency());
}

// As many boxes are being cleaned as programs run, for about as long: none must be waited for.
sandbox::Options engine_options(const Startup& startup) {
  return {.profiles = startup.profiles,
          .allow_degraded = startup.settings.allow_degraded,
          .cpu_quota = startup.settings.enable_cpu_rate,
          .spare_boxes = std::max(2 * workers_of(startup.settings),
                                  static_cast<unsigned>(startup.settings.pre_fork))};
}

store::Options store_options(const Startup& startup) {
  return {.directory = startup.store,
          .temporary = startup.store_is_temporary,
          .quota = startup.settings.store_quota,
          .timeout = std::chrono::ceil<std::chrono::seconds>(startup.settings.file_timeout)};
}

// A program gets the stack that we have ourselves: Hydro starts us with "ulimit -s unlimited".
std::optional<Bytes> own_stack() {
  rlimit own{};
  if (::getrlimit(RLIMIT_STACK, &own) < 0 || own.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return Bytes{own.rlim_cur};
}

exec::Rules runner_rules(const Startup& startup) {
  const Settings& settings = startup.settings;
  return {.profile = startup.profile.name,
          .work_dir = startup.profile.work_dir,
          .environment = startup.environment,
          .output_limit = settings.output_limit,
          .copy_out_limit = settings.copy_out_limit,
          .open_files = settings.open_file_limit,
          .extra_memory = settings.extra_memory_limit,
          .zero_means_zero = settings.strict_defaults,
          .defaults = {.cpu = settings.default_cpu,
                       .clock = settings.default_clock,
                       .memory = settings.default_memory,
                       .stack = own_stack(),
                       .processes = settings.default_proc},
          .cpu_rate = settings.enable_cpu_rate,
          .policy = startup.policy};
}

service::Options service_options(const Settings& settings) {
  service::Options options{.parallelism = static_cast<unsigned>(settings.parallelism),
                           .queue_limit = static_cast<unsigned>(settings.queue_limit),
                           .memory_limit = settings.memory_limit,
                           .default_memory = settings.default_memory};
  for (const std::string& set : settings.cpuset)
    if (auto cores = parse_cores(set)) options.core_sets.push_back(*std::move(cores));
  return options;
}

}  // namespace assay::daemon
