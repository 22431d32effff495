// Where the data files are, and how a subcommand says that it failed.
#include <unistd.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/one_line.h"
#include "os/file.h"

namespace assay::cli {
namespace {

std::string data_directory(const std::string& name) {
  const std::string here = os::own_directory();
  for (const std::string& candidate :
       {here + "/../share/assay/" + name, here + "/../../../" + name})
    if (os::exists(candidate)) return candidate;
  return "/usr/share/assay/" + name;
}

}  // namespace

std::string profile_directory() {
  return data_directory("profiles");
}
std::string policy_directory() {
  return data_directory("policies");
}
std::string language_directory() {
  return data_directory("languages");
}
std::string attack_directory() {
  return data_directory("tests/attacks");
}
std::string attempt_directory() {
  const std::string installed = os::own_directory() + "/../libexec/assay/tests";
  return os::exists(installed) ? installed : os::own_directory();
}
std::string guest_directory() {
  const std::string installed = attempt_directory() + "/guests";
  return os::exists(installed) ? installed : os::own_directory() + "/../tests/guests";
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

int failed(const std::string& sentence) {
  const std::string line = one_line("assay: " + sentence) + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  return kFailed;
}

}  // namespace assay::cli
