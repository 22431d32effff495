#include "sandbox/leaf.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "os/file.h"

namespace assay::sandbox {
namespace {

using inside::LeafFile;

constexpr std::uint64_t kPage = 4096;
// Below this no program can even be loaded, and the kernel has been seen to retry for ever. A
// smaller limit is judged by the peak instead.
constexpr std::uint64_t kLeastMemory = 1U << 20;
constexpr std::uint64_t kUnlimitedV1 = ~0ULL;

// The number after `key`, or the first number of the file.
std::uint64_t number_in(std::string_view text, const char* key) {
  std::size_t at = 0;
  if (key != nullptr) {
    at = text.find(key);
    if (at == std::string_view::npos) return 0;
    at += std::strlen(key);
  }
  at = text.find_first_of("0123456789", at);
  std::uint64_t value = 0;
  if (at != std::string_view::npos)
    std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

// The kernel charges 64 pages at a time and keeps what is left of them, for each core, for the next
// who is charged in this cgroup. That is not used: in a new cgroup it would be charged again.
std::uint64_t held_ready_by_the_kernel() {
  static const auto cores =
      static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  return cores * 64 * kPage;
}

}  // namespace

void Leaf::replace(LeafFile which, os::OwnedFd fd) {
  files_[static_cast<std::size_t>(which)] = std::move(fd);
  if (which == LeafFile::ProcessesLimit) processes_written_.clear();
  if (which == LeafFile::CpuQuota) quota_written_.clear();
  if (which == LeafFile::MemoryLimit) {
    memory_written_.clear();
    memory_limit_ = kUnlimitedV1;
  }
  if (which == LeafFile::ProcessesEvents) refused_before_ = refused_read_ = 0;
  if (which == LeafFile::MemoryEvents) oom_before_ = oom_read_ = 0;
}

std::uint64_t Leaf::number(LeafFile which, const char* key) const {
  if (!has(which)) return 0;
  std::array<char, 1024> text;
  const ssize_t got = ::pread(file(which).get(), text.data(), text.size(), 0);
  if (got > 0) return number_in({text.data(), static_cast<std::size_t>(got)}, key);
  unread_ = got < 0 ? errno : ENODATA;
  return 0;
}

Status Leaf::was_read() const {
  if (unread_ == 0) return {};
  return system_error(unread_, "read the meters of a box");
}

// V1 wants memory+swap never below memory, at every moment: raise the one first, lower the other
// first.
Status Leaf::set_memory(std::optional<Bytes> memory) {
  if (!has(LeafFile::MemoryLimit)) return {};
  const bool v2 = kind_ == inside::Meters::V2;
  std::uint64_t limit = kUnlimitedV1;
  if (memory)
    limit = std::min(
        (std::max(memory->count, kLeastMemory) + residue_.count + kPage - 1) / kPage * kPage,
        kUnlimitedV1 >> 1);
  const std::string text = memory ? std::to_string(limit) : (v2 ? "max" : "-1");
  if (text == memory_written_) return {};
  const std::string swap = v2 ? "0" : text;
  const bool raising = limit > memory_limit_;
  if (raising && has(LeafFile::SwapLimit))
    TRY_STATUS(os::write_at_start(file(LeafFile::SwapLimit).get(), swap));
  TRY_STATUS(os::write_at_start(file(LeafFile::MemoryLimit).get(), text));
  if (!raising && has(LeafFile::SwapLimit))
    TRY_STATUS(os::write_at_start(file(LeafFile::SwapLimit).get(), swap));
  memory_written_ = text;
  memory_limit_ = limit;
  return {};
}

// On V1 init sits in the same cgroup as the program and takes one place.
Status Leaf::set_processes(std::optional<std::uint64_t> processes) {
  constexpr std::uint64_t kMost = 1U << 22U;  // PID_MAX_LIMIT: the kernel takes no larger number
  if (!has(LeafFile::ProcessesLimit)) return {};
  const std::uint64_t own = kind_ == inside::Meters::V1 ? 1 : 0;
  const bool limited = processes && *processes < kMost - own;
  const std::string text = limited ? std::to_string(*processes + own) : "max";
  if (text == processes_written_) return {};
  TRY_STATUS(os::write_at_start(file(LeafFile::ProcessesLimit).get(), text));
  processes_written_ = text;
  return {};
}

// So many thousandths of one core in every tenth of a second.
Status Leaf::set_quota(std::optional<std::uint64_t> permille) {
  constexpr std::uint64_t kPeriodUs = 100'000;
  constexpr std::uint64_t kLeastUs = 1000;  // the kernel's
  if (permille && !has(LeafFile::CpuQuota))
    return invalid("a limit of the cpu rate needs a cgroup with the cpu controller");
  const bool v2 = kind_ == inside::Meters::V2;
  std::string text = v2 ? "max" : "-1";
  if (permille) text = std::to_string(std::max(*permille * (kPeriodUs / 1000), kLeastUs));
  if (!has(LeafFile::CpuQuota) || text == quota_written_) return {};
  if (quota_written_.empty() && !permille) return {};  // as made: none
  TRY_STATUS(os::write_at_start(file(LeafFile::CpuQuota).get(), text));
  quota_written_ = text;
  return {};
}

Status Leaf::begin(const Limits& limits) {
  peak_before_ = {};
  has_sections_ = true;
  unread_ = 0;
  if (kind_ == inside::Meters::V1) {
    const std::uint64_t charged = number(LeafFile::MemoryNow);
    residue_ = {charged - std::min(charged, held_ready_by_the_kernel())};
    if (has(LeafFile::MemoryPeak))
      TRY_STATUS(os::write_at_start(file(LeafFile::MemoryPeak).get(), "0"));
    if (has(LeafFile::CpuUsage))
      TRY_STATUS(os::write_at_start(file(LeafFile::CpuUsage).get(), "0"));
    // A leaf in which nothing runs counts nothing, so what was read last is still true.
    oom_before_ = oom_read_;
    refused_before_ = refused_read_;
  }
  TRY_STATUS(set_memory(limits.memory));
  TRY_STATUS(set_quota(limits.cpu_permille));
  return set_processes(limits.processes);
}

Nanoseconds Leaf::cpu_total() const {
  if (kind_ == inside::Meters::V1) return Nanoseconds(number(LeafFile::CpuUsage));
  return std::chrono::microseconds(number(LeafFile::CpuUsage, "usage_usec"));
}

CpuTimes Leaf::cpu() const {
  CpuTimes times;
  if (kind_ == inside::Meters::V1) {
    times.total = cpu_total();
    times.user = Nanoseconds(number(LeafFile::CpuUser));
    times.system = Nanoseconds(number(LeafFile::CpuSystem));
  } else if (has(LeafFile::CpuUsage)) {
    times.total = std::chrono::microseconds(number(LeafFile::CpuUsage, "usage_usec"));
    times.user = std::chrono::microseconds(number(LeafFile::CpuUsage, "user_usec"));
    times.system = std::chrono::microseconds(number(LeafFile::CpuUsage, "system_usec"));
  }
  return times;
}

Bytes Leaf::measured_peak() const {
  const std::uint64_t peak = number(LeafFile::MemoryPeak);
  return {peak > residue_.count ? peak - residue_.count : 0};
}

Leaf::Peaks Leaf::memory_peaks() const {
  const Bytes peak = measured_peak();
  Peaks peaks{.run = std::max(peak_before_, peak)};
  if (has_sections_ && has(LeafFile::MemoryPeak)) peaks.section = peak;
  return peaks;
}

// Whatever is written restarts the meter, V1's and V2's, from what is used now.
void Leaf::begin_section() {
  if (!has(LeafFile::MemoryPeak)) return;
  const Bytes peak = measured_peak();
  has_sections_ = has_sections_ && os::write_at_start(file(LeafFile::MemoryPeak).get(), "0");
  if (has_sections_) peak_before_ = std::max(peak_before_, peak);
}

// Files of a tmpfs are not in these lists: the program's own files stay counted.
Bytes Leaf::file_cache() const {
  if (!has(LeafFile::MemoryStat)) return {};
  std::array<char, 8192> text;
  const ssize_t got = ::pread(file(LeafFile::MemoryStat).get(), text.data(), text.size(), 0);
  if (got <= 0) return {};
  const std::string_view all(text.data(), static_cast<std::size_t>(got));
  const bool v1 = kind_ == inside::Meters::V1;
  return {number_in(all, v1 ? "\ntotal_active_file " : "\nactive_file ") +
          number_in(all, v1 ? "\ntotal_inactive_file " : "\ninactive_file ")};
}

Bytes Leaf::memory_now() const {
  const std::uint64_t now = number(LeafFile::MemoryNow);
  const std::uint64_t others = residue_.count + file_cache().count;
  return {now > others ? now - others : 0};
}

std::uint64_t Leaf::oom_kills() {
  oom_read_ = number(LeafFile::MemoryEvents, "oom_kill ");
  return oom_read_ - oom_before_;
}

std::uint64_t Leaf::processes_peak() const {
  const std::uint64_t peak = number(LeafFile::ProcessesPeak);
  return kind_ == inside::Meters::V1 && peak > 0 ? peak - 1 : peak;
}

std::uint64_t Leaf::processes_refused() {
  refused_read_ = number(LeafFile::ProcessesEvents, "max ");
  return refused_read_ - refused_before_;
}

std::string Leaf::memory_meter() const {
  if (!has(LeafFile::MemoryPeak)) return "rusage max_rss";
  return kind_ == inside::Meters::V1 ? "cgroup v1 memory.max_usage_in_bytes"
                                     : "cgroup v2 memory.peak";
}

Status Leaf::freeze(bool frozen) {
  if (!has(LeafFile::Freeze)) return invalid("this box cannot be frozen");
  const char* text =
      kind_ == inside::Meters::V1 ? (frozen ? "FROZEN" : "THAWED") : (frozen ? "1" : "0");
  return os::write_at_start(file(LeafFile::Freeze).get(), text);
}

}  // namespace assay::sandbox
