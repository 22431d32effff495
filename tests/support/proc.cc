#include "tests/support/proc.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "os/file.h"

namespace assay::test::proc {
namespace {

namespace fs = std::filesystem;

std::string path_of(const Thread& of, const std::string& file) {
  const std::string process = "/proc/" + std::to_string(of.process) + "/";
  return of.thread == 0 ? process + file
                        : process + "task/" + std::to_string(of.thread) + "/" + file;
}

std::vector<std::string> split(const std::string& whole, char at) {
  std::vector<std::string> parts;
  std::istringstream rest(whole);
  for (std::string part; std::getline(rest, part, at);)
    parts.push_back(part);
  return parts;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::set<std::string> options_in(const std::string& list) {
  const auto parts = split(list, ',');
  return {parts.begin(), parts.end()};
}

std::vector<int> numbers_in(const std::string& directory) {
  std::vector<int> found;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    found.push_back(std::atoi(at->path().filename().c_str()));
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::string text(const Thread& of, const std::string& file) {
  return os::read_whole(path_of(of, file)).value_or("");
}

std::string link(const Thread& of, const std::string& file) {
  std::error_code error;
  return fs::read_symlink(path_of(of, file), error).string();
}

std::vector<int> threads(int process) {
  return numbers_in(path_of({process}, "task"));
}

std::map<std::string, std::string> status(const Thread& of) {
  std::map<std::string, std::string> found;
  for (const std::string& line : split(text(of, "status"), '\n')) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) found[line.substr(0, colon)] = trimmed(line.substr(colon + 1));
  }
  return found;
}

// The second field is a name in parentheses and may hold anything.
long long stat_field(const Thread& of, unsigned number) {
  const std::string line = text(of, "stat");
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return -1;
  const auto fields = split(line.substr(name_end + 2), ' ');
  return number - 3 < fields.size() ? std::atoll(fields[number - 3].c_str()) : -1;
}

std::map<int, std::string> descriptors(int process) {
  std::map<int, std::string> found;
  for (const int number : numbers_in(path_of({process}, "fd")))
    found[number] = link({process}, "fd/" + std::to_string(number));
  return found;
}

std::vector<std::string> environment(int process) {
  auto variables = split(text({process}, "environ"), '\0');
  std::ranges::sort(variables);
  return variables;
}

// Columns of fixed width: a name of 26 characters, two limits of 21.
std::map<std::string, std::string> limits(int process) {
  std::map<std::string, std::string> found;
  for (const std::string& line : split(text({process}, "limits"), '\n'))
    if (line.starts_with("Max "))
      found[trimmed(line.substr(0, 26))] =
          trimmed(line.substr(26, 21)) + " " + trimmed(line.substr(47, 21));
  return found;
}

std::vector<Mount> mounts(int process) {
  std::vector<Mount> found;
  for (const std::string& line : split(text({process}, "mountinfo"), '\n')) {
    const auto fields = split(line, ' ');
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 10 || fields.end() - dash < 4) continue;
    found.push_back({.host_path = fields[3],
                     .point = fields[4],
                     .options = options_in(fields[5]),
                     .propagates = dash - fields.begin() > 6,
                     .type = dash[1],
                     .file_system = options_in(dash[3])});
  }
  return found;
}

std::vector<IdRange> id_map(int process, const char* file) {
  std::vector<IdRange> found;
  std::istringstream lines(text({process}, file));
  for (IdRange range; lines >> range.inside >> range.outside >> range.count;)
    found.push_back(range);
  return found;
}

}  // namespace assay::test::proc
