#include "app/daemon/log.h"

#include <unistd.h>

namespace assay::daemon {

Log Log::for_settings(const Settings& settings) {
  const bool asked = settings.release || settings.log_format == "json";
  const bool seen = ::isatty(STDERR_FILENO) == 1;
  return {asked || (!seen && settings.log_format == "auto"), settings.silent,
          settings.enable_debug};
}

void Log::write(Level level, std::string_view message, const std::vector<LogField>& fields) const {
  if (!silent_) put(level, message, fields);
}

void Log::fatal(std::string_view message) const {
  put(Level::Error, message, {});
}

void Log::put(Level level, std::string_view message, const std::vector<LogField>& fields) const {
  const Time now = std::chrono::system_clock::now();
  const std::string line =
      json_ ? json_line(now, level, message, fields) : text_line(now, level, message, fields);
  (void)!::write(STDERR_FILENO, line.data(), line.size());  // one call: lines stay whole
}

}  // namespace assay::daemon
