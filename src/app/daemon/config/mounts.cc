#include "app/daemon/config/mounts.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>

namespace assay::daemon {
namespace {

std::vector<LinkLine> default_links() {
  return {{"/dev/fd", "/proc/self/fd"},
          {"/dev/stdin", "/proc/self/fd/0"},
          {"/dev/stdout", "/proc/self/fd/1"},
          {"/dev/stderr", "/proc/self/fd/2"}};
}

std::vector<std::string> default_masks() {
  return {"/sys/firmware",       "/sys/devices/virtual/powercap",
          "/proc/acpi",          "/proc/asound",
          "/proc/kcore",         "/proc/keys",
          "/proc/latency_stats", "/proc/timer_list",
          "/proc/timer_stats",   "/proc/sched_debug",
          "/proc/scsi",          "/usr/lib/wsl/drivers",
          "/usr/lib/wsl/lib"};
}

// A place in the file, for messages.
struct Reader {
  const std::string& file;

  [[nodiscard]] std::unexpected<Error> wrong(const YAML::Node& node, std::string_view why) const {
    return invalid(fmt::format("{}:{}: {}", file, line_of(node), why));
  }
  static unsigned line_of(const YAML::Node& node) {
    return static_cast<unsigned>(node.Mark().line + 1);
  }

  Status read(const YAML::Node& node, std::string& into) const {
    if (node.IsNull()) return {};
    if (!node.IsScalar()) return wrong(node, "expected a text");
    into = node.Scalar();
    if (into.contains('\0')) return wrong(node, "contains a NUL character");
    return {};
  }
  Status read(const YAML::Node& node, bool& into) const {
    if (node.IsNull() || YAML::convert<bool>::decode(node, into)) return {};
    return wrong(node, "expected true or false");
  }
  Status read(const YAML::Node& node, std::uint32_t& into) const {
    std::int64_t value = 0;
    if (node.IsNull()) return {};
    if (!YAML::convert<std::int64_t>::decode(node, value) || value < 0 || value > INT32_MAX)
      return wrong(node, "expected a number from 0 to 2147483647");
    into = static_cast<std::uint32_t>(value);
    return {};
  }
  Status read(const YAML::Node& node, MountKind& into) const {
    std::string text;
    TRY_STATUS(read(node, text));
    if (text != "bind" && text != "tmpfs")
      return wrong(node, fmt::format("'{}' is neither bind nor tmpfs", text));
    into = text == "bind" ? MountKind::Bind : MountKind::Tmpfs;
    return {};
  }
  template <typename T>
  Status read(const YAML::Node& node, std::vector<T>& into) const {
    into.clear();
    if (node.IsNull()) return {};
    if (!node.IsSequence()) return wrong(node, "expected a list");
    for (const YAML::Node& element : node)
      TRY_STATUS(read(element, into.emplace_back()));
    return {};
  }
  Status read(const YAML::Node& node, MountLine& into) const;
  Status read(const YAML::Node& node, LinkLine& into) const;

  // Keys in any case, as Go's YAML reader has lower-case names and people write both.
  template <typename Owner, typename Fields>
  Status read_keys(const YAML::Node& node, Owner& owner, const Fields& fields,
                   std::vector<std::string>* unknown) const;
};

template <typename Owner>
struct Key {
  std::string_view name;
  Status (*read)(const Reader&, const YAML::Node&, Owner&);
};

template <auto Member, typename Owner>
constexpr Key<Owner> key(std::string_view name) {
  return {name, [](const Reader& reader, const YAML::Node& node, Owner& owner) {
            return reader.read(node, owner.*Member);
          }};
}

template <typename Owner, typename Fields>
Status Reader::read_keys(const YAML::Node& node, Owner& owner, const Fields& fields,
                         std::vector<std::string>* unknown) const {
  if (!node.IsMap()) return wrong(node, "expected keys and values");
  for (const auto& entry : node) {
    const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    const auto* found = fields.begin();
    while (found != fields.end() && found->name != name)
      ++found;
    if (found != fields.end()) {
      TRY_STATUS(found->read(*this, entry.second, owner));
    } else if (unknown != nullptr) {
      unknown->push_back(fmt::format("{}:{}: unknown key '{}'", file, line_of(entry.first), name));
    } else {
      return wrong(entry.first, fmt::format("unknown key '{}'", name));
    }
  }
  return {};
}

Status Reader::read(const YAML::Node& node, MountLine& into) const {
  using M = MountLine;
  static constexpr std::array kKeys{
      key<&M::kind, M>("type"),         key<&M::source, M>("source"), key<&M::target, M>("target"),
      key<&M::readonly, M>("readonly"), key<&M::data, M>("data"),
  };
  into.line = line_of(node);
  if (node.IsMap() && !node["type"]) return wrong(node, "a mount needs a type: bind or tmpfs");
  TRY_STATUS(read_keys(node, into, kKeys, nullptr));
  if (into.target.empty()) return wrong(node, "a mount needs a target");
  if (into.kind == MountKind::Bind && into.source.empty())
    return wrong(node, "a bind mount needs a source");
  return {};
}

Status Reader::read(const YAML::Node& node, LinkLine& into) const {
  using L = LinkLine;
  static constexpr std::array kKeys{key<&L::link_path, L>("linkPath"),
                                    key<&L::target, L>("target")};
  into.line = line_of(node);
  TRY_STATUS(read_keys(node, into, kKeys, nullptr));
  if (into.link_path.empty() || into.target.empty())
    return wrong(node, "a symLink needs a linkPath and a target");
  return {};
}

Result<MountFile> read_file(const Reader& reader, const YAML::Node& root) {
  using F = MountFile;
  static constexpr std::array kKeys{
      key<&F::mounts, F>("mount"),
      key<&F::proc, F>("proc"),
      key<&F::proc_writable, F>("procrw"),
      key<&F::links, F>("symLink"),
      key<&F::masked, F>("maskPath"),
      key<&F::work_dir, F>("workDir"),
      key<&F::host_name, F>("hostName"),
      key<&F::domain_name, F>("domainName"),
      key<&F::uid, F>("uid"),
      key<&F::gid, F>("gid"),
      key<&F::init_command, F>("initCmd"),
  };
  MountFile file{.links = default_links(), .masked = default_masks()};
  if (!root.IsDefined() || root.IsNull()) return file;
  TRY_STATUS(reader.read_keys(root, file, kKeys, &file.unknown_keys));
  if (file.work_dir.empty()) file.work_dir = "/w";
  return file;
}

}  // namespace

Result<MountFile> parse_mount_file(const std::string& name, std::string_view text) {
  try {
    return read_file(Reader{name}, YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return invalid(fmt::format("{}:{}: {}", name, error.mark.line + 1, error.msg));
  }
}

MountFile default_mounts(const std::string& tmpfs_options) {
  MountFile file{.proc = true,
                 .links = default_links(),
                 .masked = default_masks(),
                 .host_name = "executor_server",
                 .domain_name = "executor_server",
                 .uid = 1000,
                 .gid = 1000};
  for (const char* path : {"/bin", "/lib", "/lib64", "/usr", "/etc/ld.so.cache",
                           "/etc/alternatives", "/etc/fpc.cfg", "/etc/mono", "/var/lib/ghc"})
    file.mounts.push_back({.source = path, .target = path, .readonly = true});
  for (const char* path : {"/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full"})
    file.mounts.push_back({.source = path, .target = path});
  for (const char* path : {"/w", "/tmp"})
    file.mounts.push_back({.kind = MountKind::Tmpfs, .target = path, .data = tmpfs_options});
  return file;
}

}  // namespace assay::daemon
