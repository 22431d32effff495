#include "judge/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::judge {
namespace {

// Beginnings. gcc takes most of them with one dash and with two.
constexpr std::array<std::string_view, 33> kDangerous{
    "-o",          "--output",     "@",
    "-B",          "--prefix",     "-specs",
    "-fplugin",    "-wrapper",     "-include",
    "-imacros",    "-I",           "--include",
    "-iquote",     "-isystem",     "-idirafter",
    "-iprefix",    "-iwithprefix", "-isysroot",
    "--sysroot",   "-L",           "--library-directory",
    "-Wl,",        "-Xlinker",     "-Wa,",
    "-Xassembler", "-Wp,",         "-Xpreprocessor",
    "--for-",      "-T",           "--linker",
    "-fuse-ld",    "-ld-path",     "-dumpdir",
};

bool matches(std::string_view flag, std::string_view pattern) {
  if (!pattern.ends_with('*')) return flag == pattern;
  pattern.remove_suffix(1);
  return flag.starts_with(pattern);
}

// A flag in a message: one line, and not longer than a person reads.
std::string shown(std::string_view flag) {
  constexpr std::size_t kMost = 80;
  std::string text(flag.substr(0, kMost));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return fmt::format("'{}{}'", text, flag.size() > kMost ? "…" : "");
}

bool is_plain(std::string_view flag) {
  return !flag.empty() && std::ranges::none_of(flag, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

enum class Ruling { Take, Drop };

Result<Ruling> rule_on(std::string_view flag, const FlagRules& rules,
                       std::span<const std::string> granted) {
  if (!is_plain(flag))
    return invalid(fmt::format("extra flag {} is empty or has control characters", shown(flag)));
  if (is_among(flag, rules.deny))
    return invalid(fmt::format("extra flag {} is forbidden", shown(flag)));
  if (is_among(flag, granted)) return Ruling::Take;
  if (needs_grant(flag))
    return invalid(fmt::format("extra flag {} needs a grant of the problem", shown(flag)));
  if (is_among(flag, rules.allow)) return Ruling::Take;
  if (rules.drop_unknown) return Ruling::Drop;
  return invalid(fmt::format("extra flag {} is not on the language's list", shown(flag)));
}

}  // namespace

bool is_among(std::string_view flag, std::span<const std::string> patterns) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return matches(flag, pattern); });
}

bool needs_grant(std::string_view flag) {
  const auto is_begun_by = [](std::string_view text) {
    return std::ranges::any_of(kDangerous,
                               [&](std::string_view begin) { return text.starts_with(begin); });
  };
  return is_begun_by(flag) || (flag.starts_with("--") && is_begun_by(flag.substr(1)));
}

Result<std::vector<std::string>> filter_flags(const FlagRules& rules,
                                              std::span<const std::string> wanted,
                                              std::span<const std::string> granted) {
  std::vector<std::string> taken;
  for (const std::string& flag : wanted)
    if (TRY(rule_on(flag, rules, granted)) == Ruling::Take) taken.push_back(flag);
  return taken;
}

}  // namespace assay::judge
