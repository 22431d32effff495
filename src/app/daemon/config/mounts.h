// mount.yaml: what a box sees of the host, in go-judge's words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::daemon {

enum class MountKind { Bind, Tmpfs };

struct MountLine {
  MountKind kind = MountKind::Bind;
  std::string source{};
  std::string target{};
  bool readonly = false;
  std::string data{};
  unsigned line = 0;  // in the file; 0: one of the defaults
  bool operator==(const MountLine&) const = default;
};
struct LinkLine {
  std::string link_path{};
  std::string target{};
  unsigned line = 0;
  bool operator==(const LinkLine&) const = default;
};

struct MountFile {
  std::vector<MountLine> mounts{};
  bool proc = false;
  bool proc_writable = false;
  std::vector<LinkLine> links{};
  std::vector<std::string> masked{};
  std::string work_dir = "/w";
  std::string host_name{};
  std::string domain_name{};
  std::uint32_t uid = 0;  // 0: not said
  std::uint32_t gid = 0;
  std::string init_command{};
  std::vector<std::string> unknown_keys{};  // "mount.yaml:3: unknown key 'x'"
  bool operator==(const MountFile&) const = default;
};

// The Error names file and line. Links and masks that are omitted are go-judge's.
Result<MountFile> parse_mount_file(const std::string& name, std::string_view text);

// What go-judge does without the file; `tmpfs_options` are those of /w and /tmp.
MountFile default_mounts(const std::string& tmpfs_options);

}  // namespace assay::daemon
