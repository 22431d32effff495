// Runs a command as a user would, and gives back what it printed and how it ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::test {

struct Ran {
  int code = -1;
  std::string out{};
  std::string err{};
};

// argv without a shell; `input` becomes stdin.
Ran run_command(const std::vector<std::string>& argv, std::string_view input = "");

// The same with a stdin of the caller's.
Ran run_command_on(int input, const std::vector<std::string>& argv);

std::string assay_binary();

// The engine's own options here: a plain user without delegated cgroups allows degraded boxes.
std::vector<std::string> exec_command(const std::vector<std::string>& arguments);

// The value of a key in a flat look at a JSON text: enough for reports that we print ourselves.
std::string json_field(const std::string& json, const std::string& key);

// A directory for one test, removed with it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string write(const std::string& name, std::string_view content,
                                  unsigned mode = 0644) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::string path_;
};

std::string content_of(const std::string& path);

}  // namespace assay::test
