#include "app/cli/bench_hostile.h"

#include <algorithm>

namespace assay::cli {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFine = "Accepted";
constexpr const char* kTime = "Time Limit Exceeded";
constexpr const char* kMemory = "Memory Limit Exceeded";
constexpr const char* kOutput = "Output Limit Exceeded";
constexpr const char* kFile = "File Error";

sandbox::Limits limits(std::uint64_t processes, Bytes memory = 64_MiB) {
  return {.cpu_time = 150ms, .wall_time = 20s, .memory = memory, .processes = processes};
}

// The last column is what may come of it. Two where two limits are met at about the same time.
// A fork that is refused has had its stack and its page tables, which the kernel takes back only
// after a grace period: 17 to 44 MiB for a bomb of 64, and more where the cores are busy.
const std::vector<Hostile>& table() {
  static const std::vector<Hostile> kinds{
      {"forks", "a fork bomb", limits(64, 512_MiB), true, {kTime}},
      {"memory", "a memory hog", limits(4), true, {kMemory}},
      {"pipe-flood", "a flood of output into a pipe", limits(4), true, {kTime, kOutput}},
      {"file-flood", "a flood of output into a file", limits(4), true, {kTime, kOutput, kMemory}},
      {"disk", "a disk filler", limits(4), true, {kTime, kMemory}},
      {"inodes", "a filler of inodes", limits(4), true, {kTime, kMemory}},
      {"threads", "64 spinning threads", limits(80), true, {kTime}},
      {"thread-bomb", "a bomb of threads", limits(64), true, {kTime}},
      {"grandchild", "a daemonised grandchild", limits(8), false, {kFine}},
      {"links", "a link in place of an output file", limits(4), false, {kFile}, "out"},
      {"modes", "directories without permissions", limits(4), false, {kFine}, "d/f"},
      {"objects", "System V objects left behind", limits(4), false, {kFine}},
      {"depth", "very deep directories", limits(4), false, {kFine}},
      {"signals", "a storm of signals", limits(8), true, {kTime}},
  };
  return kinds;
}

}  // namespace

std::span<const Hostile> hostile_kinds() {
  return table();
}

const Hostile* hostile_kind(std::string_view name) {
  const auto found = std::ranges::find(
      table(), name, [](const Hostile& kind) { return std::string_view(kind.name); });
  return found == table().end() ? nullptr : &*found;
}

}  // namespace assay::cli
