// 100 MB compared by tokens: how fast, and how much memory it takes beyond the two files.
#include <unistd.h>

#include <charconv>
#include <chrono>

#include "app/cli/bench_judge.h"
#include "app/cli/bench_statistics.h"
#include "judge/compare.h"
#include "judge/compare_names.h"
#include "judge/content.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSize = 100'000'000;
constexpr int kTimes = 7;

std::string numbers(std::string_view gaps) {
  std::string text;
  text.reserve(kSize + 32);
  for (std::uint64_t n = 1; text.size() < kSize;
       n = n * 6364136223846793005U + 1442695040888963407U) {
    text += std::to_string(n >> 44U);
    text += gaps[n % gaps.size()];
  }
  return text;
}

Result<os::OwnedFd> file_with(const std::string& text) {
  os::OwnedFd file = TRY(judge::nameless_file());
  TRY_STATUS(os::write_all(file.get(), text));
  return file;
}

Result<std::int64_t> status_kib(std::string_view label) {
  const std::string text = TRY(os::read_whole("/proc/self/status"));
  const std::size_t at = text.find(label);
  std::int64_t value = 0;
  if (at == std::string::npos) return value;
  const std::size_t digits = text.find_first_of("0123456789", at);
  std::from_chars(text.data() + digits, text.data() + text.size(), value);
  return value;
}

struct Measured {
  double gigabytes_per_second = 0;  // the median
  double growth_mib = 0;            // of the peak
};

Result<Measured> measure(int output, int answer) {
  const judge::Comparison tokens = *judge::comparison_named("tokens");
  std::vector<Nanoseconds> times;
  TRY_STATUS(os::write_whole("/proc/self/clear_refs", "5"));  // the peak begins anew
  const std::int64_t before = TRY(status_kib("VmRSS:"));
  for (int i = 0; i < kTimes; ++i) {
    const auto begun = Clock::now();
    const judge::CheckResult result = TRY(judge::compare(output, answer, tokens));
    times.push_back(Clock::now() - begun);
    if (result.verdict != verdict::Verdict::Accepted)
      return system_error(0, "the comparison says " + result.message);
  }
  const std::int64_t peak = TRY(status_kib("VmHWM:"));
  return Measured{static_cast<double>(kSize) / 1e6 / milliseconds(median(times)),
                  static_cast<double>(peak - before) / 1024};
}

}  // namespace

Status measure_comparison(Report& report) {
  const os::OwnedFd answer = TRY(file_with(numbers(" \n")));
  const os::OwnedFd same = TRY(file_with(numbers(" \n")));
  const os::OwnedFd other = TRY(file_with(numbers("\n ")));  // the same tokens, other blanks
  const Measured equal = TRY(measure(same.get(), answer.get()));
  const Measured apart = TRY(measure(other.get(), answer.get()));
  report.promises.push_back({"tokens_of_100_mb",
                             std::min(equal.gigabytes_per_second, apart.gigabytes_per_second), 1,
                             "GB/s", Bound::AtLeast});
  report.promises.push_back(
      {"tokens_of_100_mb_memory", std::max(equal.growth_mib, apart.growth_mib), 4, "MiB"});
  report.detail.push_back({"comparison",
                           {{"same_bytes_gb_per_s", equal.gigabytes_per_second},
                            {"other_blanks_gb_per_s", apart.gigabytes_per_second},
                            {"same_bytes_memory_mib", equal.growth_mib},
                            {"other_blanks_memory_mib", apart.growth_mib}}});
  return {};
}

}  // namespace assay::cli
