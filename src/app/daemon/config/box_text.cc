// The profile as TOML, in the words of sandbox/profile.cc.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <sstream>

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

namespace {

// Our words for what a mount file says at its top.
struct Word {
  std::string_view ours, theirs;
};
constexpr std::array kWords{
    Word{"hostname", "hostName"}, Word{"domainname", "domainName"}, Word{"user", "uid"},
    Word{"group", "gid"},         Word{"work_dir", "workDir"},
};

std::string line_of(std::string_view text, unsigned number) {
  std::istringstream lines{std::string(text)};
  std::string line;
  for (unsigned i = 0; i < number; ++i)
    std::getline(lines, line);
  return line + '\n';
}

template <typename T, auto Path>
std::optional<std::string> target_at(const std::vector<T>& elements, std::string_view line) {
  for (const T& element : elements)
    if (text_of(element) == line) return element.*Path;
  return std::nullopt;
}

// Where the mount file says what stands on this line of the profile.
std::string place_of(const BoxSettings& box, std::string_view line) {
  const sandbox::Profile& profile = box.profile;
  auto target =
      target_at<sandbox::ProfileMount, &sandbox::ProfileMount::target>(profile.mounts, line);
  if (!target)
    target = target_at<sandbox::WritablePlace, &sandbox::WritablePlace::path>(profile.places, line);
  if (!target)
    target = target_at<sandbox::ProfileLink, &sandbox::ProfileLink::path>(profile.links, line);
  if (target) {
    const auto known = box.lines.find(*target);
    const unsigned number = known == box.lines.end() ? 0 : known->second;
    return number == 0 ? fmt::format("'{}'", *target) : fmt::format("line {}", number);
  }
  for (const Word& word : kWords)
    if (line.starts_with(fmt::format("{} = ", word.ours))) return std::string(word.theirs);
  return "maskPath";
}

}  // namespace

Result<sandbox::Profile> read_back(const BoxSettings& box) {
  const std::string text = profile_text(box.profile);
  auto profile = sandbox::parse_profile(box.profile.name, text);
  if (profile) return profile;
  // "gojudge.toml:12:14: why": a file that nobody has written.
  const std::string& why = profile.error().context;
  const std::string prefix = box.profile.name + ".toml:";
  unsigned number = 0;
  const std::size_t reason = why.find(": ");
  if (!why.starts_with(prefix) || reason == std::string::npos) return profile;
  std::from_chars(why.data() + prefix.size(), why.data() + reason, number);
  return invalid(place_of(box, line_of(text, number)) + why.substr(reason));
}

}  // namespace assay::daemon
