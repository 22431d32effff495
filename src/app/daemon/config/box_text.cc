// The profile as TOML, in the words of sandbox/profile.cc.
#include <fmt/format.h>

#include "app/daemon/config/box.h"

namespace assay::daemon {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04X}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string yes(std::string_view key, bool value) {
  return value ? fmt::format(", {} = true", key) : "";
}

std::string text_of(const sandbox::ProfileMount& mount) {
  return fmt::format("  {{ source = {}, target = {}{}{}{} }},\n", quoted(mount.source),
                     quoted(mount.target), yes("writable", mount.writable),
                     yes("optional", mount.optional), yes("device", mount.device));
}
std::string text_of(const sandbox::ProfileLink& link) {
  return fmt::format("  {{ path = {}, target = {} }},\n", quoted(link.path), quoted(link.target));
}
std::string text_of(const sandbox::WritablePlace& place) {
  return fmt::format("  {{ path = {}, size = \"{}B\", inodes = {} }},\n", quoted(place.path),
                     place.size.count, place.inodes);
}
std::string text_of(const std::string& path) {
  return fmt::format("  {},\n", quoted(path));
}

template <typename T>
std::string list(std::string_view key, const std::vector<T>& elements) {
  std::string text = fmt::format("{} = [\n", key);
  for (const T& element : elements)
    text += text_of(element);
  return text + "]\n";
}

std::string_view word_of(sandbox::ProcView view) {
  switch (view) {
    case sandbox::ProcView::None:
      return "none";
    case sandbox::ProcView::Pids:
      return "pids";
    case sandbox::ProcView::Full:
      return "full";
  }
  return "none";
}

}  // namespace

std::string profile_text(const sandbox::Profile& profile) {
  std::string text = "# Made by assayd from its flags and mount file; gone when it ends.\n";
  text += fmt::format("description = {}\n", quoted(profile.description));
  text += fmt::format("network = \"{}\"\n",
                      profile.network == sandbox::Network::Host ? "host" : "none");
  text += fmt::format("proc = \"{}\"\n", word_of(profile.proc));
  text += fmt::format("hostname = {}\n", quoted(profile.hostname));
  if (!profile.domainname.empty())
    text += fmt::format("domainname = {}\n", quoted(profile.domainname));
  text += fmt::format("user = {}\ngroup = {}\n", profile.user, profile.group);
  text += fmt::format("work_dir = {}\n", quoted(profile.work_dir));
  text += fmt::format("seccomp = {}\n", quoted(profile.seccomp));
  text += list("mounts", profile.mounts);
  text += list("links", profile.links);
  text += list("places", profile.places);
  text += list("masked", profile.masked);
  return text;
}

}  // namespace assay::daemon
