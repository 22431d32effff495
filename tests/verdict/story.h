// A quiet run, well within all limits, to which a test adds what else happened.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/facts.h"
#include "verdict/policy.h"

namespace assay::verdict {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;
using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Facts;
using sandbox::Forbidden;
using sandbox::NotStarted;
using sandbox::Signaled;

inline Policy policy(const std::string& name) {
  return load_policy(ASSAY_SOURCE_DIR "/policies", name).value();
}

struct Story {
  sandbox::End end = Exited{0};
  CutOff cut = CutOff::None;
  Nanoseconds cpu = 300ms;
  Nanoseconds user = 200ms;
  Nanoseconds wall = 400ms;
  Bytes peak = 1_MiB;
  std::uint64_t oom_kills = 0;
  bool much_output = false;
  bool much_errors = false;
  bool big_file = false;
  std::vector<sandbox::FileError> file_errors{};
};

inline Facts facts(Story story) {
  Facts facts{.end = std::move(story.end),
              .cut_off_by = story.cut,
              .cpu_total = story.cpu,
              .cpu_user = story.user,
              .wall = story.wall,
              .memory_peak = story.peak,
              .oom_kills = story.oom_kills,
              .output = {.over_limit = story.much_output},
              .errors = {.over_limit = story.much_errors},
              .file_over_limit = story.big_file,
              .file_errors = std::move(story.file_errors)};
  facts.limits = {.cpu_time = 1s,
                  .wall_time = 3s,
                  .idle_time = 2s,
                  .memory = 256_MiB,
                  .output = 64_MiB,
                  .total_output = 100_MiB};
  return facts;
}

}  // namespace assay::verdict
