// One line of the log, for people or for machines.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::daemon {

enum class Level { Debug, Info, Warning, Error };

// A value that is JSON already, on one line.
struct Json {
  std::string text{};
};

struct LogField {
  std::string_view key{};
  std::variant<std::string, std::int64_t, bool, Json> value{};
};

using Time = std::chrono::system_clock::time_point;

// {"time":"2026-11-15T16:09:31.250Z","level":"info","msg":"…","key":…}
std::string json_line(Time time, Level level, std::string_view message,
                      const std::vector<LogField>& fields);

// 16:09:31.250 INFO  message key=value — with control characters shown as '?'.
std::string text_line(Time time, Level level, std::string_view message,
                      const std::vector<LogField>& fields);

}  // namespace assay::daemon
