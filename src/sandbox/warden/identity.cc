#include "sandbox/warden/identity.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "os/file.h"

namespace assay::sandbox::warden {
namespace {

constexpr const char* kUserHelper = "/usr/bin/newuidmap";
constexpr const char* kGroupHelper = "/usr/bin/newgidmap";

// From the file: getpwuid would load shared libraries into this static, privileged process.
std::string user_name() {
  const std::string id = ":" + std::to_string(::geteuid()) + ":";
  std::istringstream lines(os::read_whole("/etc/passwd").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t password = line.find(':');
    if (password == std::string::npos) continue;
    const std::size_t number = line.find(':', password + 1);
    if (number != std::string::npos && line.compare(number, id.size(), id) == 0)
      return line.substr(0, password);
  }
  return "";
}

// The first range that /etc/subuid (or subgid) gives to this user: "name:first:count", name or
// number.
std::optional<std::uint32_t> first_sub_id(const std::string& file) {
  const std::string name = user_name();
  const std::string number = std::to_string(::geteuid());
  std::istringstream lines(os::read_whole(file).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string who, first, count;
    if (!std::getline(fields, who, ':') || !std::getline(fields, first, ':') ||
        !std::getline(fields, count))
      continue;
    if ((who != name && who != number) || name.empty()) continue;
    const auto start = parse_count(first, 1, 0xffff'0000);
    const auto size = parse_count(count, kIdsOfAUser, 0xffff'ffff);
    if (start && size) return static_cast<std::uint32_t>(*start);
  }
  return std::nullopt;
}

std::string map_of(std::uint32_t inside_program, const BoxIds& ids) {
  return "0 " + std::to_string(ids.root) + " 1\n" + std::to_string(inside_program) + " " +
         std::to_string(ids.program) + " 1\n";
}

Status run_helper(const char* helper, pid_t launcher, std::uint32_t inside_program,
                  const BoxIds& ids) {
  const std::array arguments{std::to_string(launcher),
                             std::string("0"),
                             std::to_string(ids.root),
                             std::string("1"),
                             std::to_string(inside_program),
                             std::to_string(ids.program),
                             std::string("1")};
  const std::array<int, 3> fds{0, 1, 2};
  os::Process process = TRY(os::spawn(helper, arguments, fds));
  const int status = process.wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return invalid(std::string(helper) +
                   " refused: check /etc/subuid and /etc/subgid for this user");
  return {};
}

}  // namespace

Identities find_identities() {
  if (::geteuid() == 0) return Identities::Block;
  const bool helpers = ::access(kUserHelper, X_OK) == 0 && ::access(kGroupHelper, X_OK) == 0;
  return helpers && first_sub_id("/etc/subuid") && first_sub_id("/etc/subgid") ? Identities::Helper
                                                                               : Identities::Single;
}

BoxIds ids_of(const Workshop& workshop, unsigned box) {
  switch (workshop.identities) {
    case Identities::Block: {
      const std::uint32_t first = workshop.instance.first_id() + 2 * (box % (kIdsPerInstance / 2));
      return {first, first + 1};
    }
    case Identities::Helper:
      return {static_cast<std::uint32_t>(::geteuid()),
              first_sub_id("/etc/subuid").value_or(0) +
                  workshop.instance.block() * kIdsPerInstance + box % kIdsPerInstance};
    case Identities::Single:
      break;
  }
  return {static_cast<std::uint32_t>(::geteuid()), static_cast<std::uint32_t>(::geteuid())};
}

Status write_id_maps(const Workshop& workshop, const Profile& profile, pid_t launcher,
                     const BoxIds& ids) {
  const std::string proc = "/proc/" + std::to_string(launcher);
  switch (workshop.identities) {
    case Identities::Block:
      TRY_STATUS(os::write_whole(proc + "/uid_map", map_of(profile.user, ids)));
      return os::write_whole(proc + "/gid_map", map_of(profile.group, ids));
    case Identities::Helper: {
      TRY_STATUS(run_helper(kUserHelper, launcher, profile.user, ids));
      const BoxIds groups{static_cast<std::uint32_t>(::getegid()),
                          first_sub_id("/etc/subgid").value_or(0) + ids.program -
                              first_sub_id("/etc/subuid").value_or(0)};
      return run_helper(kGroupHelper, launcher, profile.group, groups);
    }
    case Identities::Single:
      break;
  }
  // A map written without privilege may hold one id, and setgroups must be given up first.
  TRY_STATUS(os::write_whole(proc + "/setgroups", "deny"));
  TRY_STATUS(os::write_whole(proc + "/uid_map", "0 " + std::to_string(::geteuid()) + " 1\n"));
  return os::write_whole(proc + "/gid_map", "0 " + std::to_string(::getegid()) + " 1\n");
}

}  // namespace assay::sandbox::warden
