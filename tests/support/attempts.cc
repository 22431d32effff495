#include "tests/support/attempts.h"

#include <algorithm>
#include <sstream>

namespace assay::test {
namespace {

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// What some guests say of success in words of their own.
bool tells_success(const std::string& line) {
  for (const char* word :
       {"opened ", "seized ", "attached ", "read ", "wrote ", "took a descriptor ", "killed ",
        "lowered ", "socket ", "set-user-id works"})
    if (line.starts_with(word)) return true;
  return false;
}

}  // namespace

std::vector<Attempts> all_attempts(const std::string& target) {
  return {
      {"walk_up"},
      {"show_privileges"},
      {"enter_namespaces"},
      {"escape_cgroup"},
      {"overwrite_runner"},
      {"use_forbidden_calls"},
      {"touch_proc_sys"},
      {"open_devices"},
      {"type_into_terminal"},
      {"use_keyring"},
      {"reach_into_others"},
      {"signal_everyone"},
      // A program may have less than its limits, and whoever ends for that is itself.
      {"lower_limits", {}, {"self 7", "self 6", "self 1", "self 9", "self 0"}},
      {"connect_out", {"assay", target}},
      {"leave_mess", {target}, {"socket"}},  // a name in its own directory
      {"mark_own_executable"},
      // Both only take something from the caller.
      {"pass_high_bits", {}, {"dumpable", "filter"}},
      {"constructor_first"},
  };
}

std::vector<std::string> successes(std::string_view told, const Attempts& tried) {
  std::vector<std::string> found;
  for (const std::string& line : lines_in(told)) {
    const bool done = line.ends_with(": done");
    const std::string what = done ? line.substr(0, line.size() - 6) : line;
    const bool may = std::ranges::find(tried.allowed, what) != tried.allowed.end();
    if ((done || tells_success(line)) && !may) found.push_back(line);
  }
  return found;
}

std::size_t count_attempts(std::string_view told) {
  const auto lines = lines_in(told);
  return static_cast<std::size_t>(std::ranges::count_if(lines, [](const std::string& line) {
    return line.contains(": E") || line.contains(": done");
  }));
}

}  // namespace assay::test
