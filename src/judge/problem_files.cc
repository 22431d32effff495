#include "judge/problem_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/checker_text.h"

namespace assay::judge {
namespace {

std::string_view digits_at(std::string_view text) {
  const auto end = std::ranges::find_if(text, [](char c) { return c < '0' || c > '9'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    const std::string_view left = digits_at(a);
    const std::string_view right = digits_at(b);
    if (left.empty() || right.empty()) {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const std::string_view x = without_zeros(left);
    const std::string_view y = without_zeros(right);
    if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
    a.remove_prefix(left.size());
    b.remove_prefix(right.size());
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

Result<FilePattern> FilePattern::parse(const std::string& pattern) {
  const std::string folder = pattern.substr(0, pattern.rfind('/') + 1);  // npos + 1 is 0
  const std::string name = pattern.substr(folder.size());
  const std::size_t star = name.find('*');
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos)
    return invalid(fmt::format("pattern '{}' must have one '*' in its last part", pattern));
  return FilePattern{folder, name.substr(0, star), name.substr(star + 1)};
}

bool FilePattern::fits(std::string_view name) const {
  return name.size() > before.size() + after.size() && name.starts_with(before) &&
         name.ends_with(after);
}

Status ProblemFiles::check_length(const std::string& path) {
  constexpr std::size_t kLongestPath = 1024;
  if (path.size() <= kLongestPath) return {};
  return invalid(
      fmt::format("a path of more than {} bytes: '{}'", kLongestPath, safe_text(path, 40)));
}

Result<std::string> ProblemFiles::text(const std::string& path, Bytes most) const {
  const Content content = TRY(file(path));
  const Bytes size = TRY(size_of(content));
  if (size > most)
    return invalid(fmt::format("'{}' is larger than {}", full_name(path), format_bytes(most)));
  if (size.count > most_texts_.count - texts_.count)
    return invalid(
        fmt::format("the programs of the problem are larger than {}", format_bytes(most_texts_)));
  texts_.count += size.count;
  return judge::whole(content, size);
}

}  // namespace assay::judge
