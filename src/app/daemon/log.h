// The daemon's log, on standard error.
#pragma once

#include <string_view>
#include <vector>

#include "app/daemon/config/line.h"
#include "app/daemon/config/settings.h"

namespace assay::daemon {

class Log {
 public:
  // JSON unless a person is looking.
  static Log for_settings(const Settings& settings);

  void write(Level level, std::string_view message, const std::vector<LogField>& fields = {}) const;
  void debug(std::string_view message, const std::vector<LogField>& fields = {}) const {
    if (debug_) write(Level::Debug, message, fields);
  }
  void info(std::string_view message, const std::vector<LogField>& fields = {}) const {
    write(Level::Info, message, fields);
  }
  void warning(std::string_view message, const std::vector<LogField>& fields = {}) const {
    write(Level::Warning, message, fields);
  }
  void error(std::string_view message, const std::vector<LogField>& fields = {}) const {
    write(Level::Error, message, fields);
  }
  // Why there will be no service: said also when everything else is silent.
  void fatal(std::string_view message) const;

 private:
  Log(bool json, bool silent, bool debug) : json_(json), silent_(silent), debug_(debug) {}
  void put(Level level, std::string_view message, const std::vector<LogField>& fields) const;

  bool json_ = false;
  bool silent_ = false;
  bool debug_ = false;
};

}  // namespace assay::daemon
