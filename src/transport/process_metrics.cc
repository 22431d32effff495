#include "transport/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "os/file.h"

namespace assay::transport {
namespace {

double boot_time() {
  const auto stat = os::read_whole("/proc/stat");
  if (!stat) return 0;
  const std::size_t at = stat->find("btime ");
  return at == std::string::npos ? 0 : std::strtod(stat->c_str() + at + 6, nullptr);
}

double count_fds() {
  std::error_code problem;
  double count = 0;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", problem), end;
       !problem && entry != end; entry.increment(problem))
    ++count;
  return count;
}

}  // namespace

ProcessFacts read_process_facts() {
  ProcessFacts facts;
  const auto stat = os::read_whole("/proc/self/stat");
  if (!stat) return facts;
  // The name in parentheses may hold anything; field 3 follows the last one.
  std::istringstream fields(stat->substr(stat->rfind(')') + 1));
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::string word;
  for (int number = 3; number <= 24 && fields >> word; ++number) {
    const double value = std::strtod(word.c_str(), nullptr);
    if (number == 14 || number == 15) facts.cpu_seconds += value / ticks;
    if (number == 20) facts.threads = value;
    if (number == 22) facts.start_time_seconds = boot_time() + value / ticks;
    if (number == 23) facts.virtual_bytes = value;
    if (number == 24) facts.resident_bytes = value * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) facts.max_fds = static_cast<double>(limit.rlim_cur);
  facts.open_fds = count_fds();
  return facts;
}

}  // namespace assay::transport
