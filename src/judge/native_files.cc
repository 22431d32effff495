#include "judge/native_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "os/file.h"

namespace assay::judge {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::string_view digits_at(std::string_view text) {
  const auto end = std::ranges::find_if(text, [](char c) { return c < '0' || c > '9'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

bool fits(std::string_view name, std::string_view before, std::string_view after) {
  return name.size() > before.size() + after.size() && name.starts_with(before) &&
         name.ends_with(after);
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

Result<ProblemDirectory> ProblemDirectory::open(const std::string& path) {
  return ProblemDirectory(path, TRY(os::open(path, O_RDONLY | O_DIRECTORY)));
}

Result<os::OwnedFd> ProblemDirectory::open_below(const std::string& path, int flags) const {
  open_how how{};
  // Never waits for the other end of a FIFO.
  how.flags = static_cast<std::uint64_t>(flags) | O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, directory_.get(), path.c_str(), &how, sizeof how);
  if (fd < 0) return system_error(fmt::format("open '{}/{}'", path_, path));
  return os::OwnedFd(static_cast<int>(fd));
}

Result<Content> ProblemDirectory::file(const std::string& path) const {
  auto opened = open_below(path, 0);
  if (!opened)
    return std::unexpected(
        Error{Fault::InvalidRequest, opened.error().code, opened.error().context});
  struct stat status{};
  if (::fstat(opened->get(), &status) < 0) return system_error("look at a file");
  if (!S_ISREG(status.st_mode))
    return invalid(fmt::format("'{}/{}' is no regular file", path_, path));
  return Content{.file = std::make_shared<const os::OwnedFd>(*std::move(opened))};
}

Result<std::string> ProblemDirectory::text(const std::string& path, Bytes most) const {
  const Content content = TRY(file(path));
  const Bytes size = TRY(size_of(content.file->get()));
  if (size > most)
    return invalid(fmt::format("'{}/{}' is larger than {}", path_, path, format_bytes(most)));
  return head_and_tail(content.file->get(), most);
}

Result<std::vector<std::string>> ProblemDirectory::matching(const std::string& pattern) const {
  const std::size_t slash = pattern.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
  const std::string name = pattern.substr(folder.size());
  const std::size_t star = name.find('*');
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos)
    return invalid(fmt::format("pattern '{}' must have one '*' in its last part", pattern));
  auto opened = open_below(folder.empty() ? "." : folder, O_DIRECTORY);
  if (!opened) return invalid(describe(opened.error()));
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(opened->get()));
  if (!directory) return system_error(fmt::format("list '{}/{}'", path_, folder));
  (void)opened->release();  // the stream's now
  std::vector<std::string> found;
  while (const dirent* entry = ::readdir(directory.get()))  // NOLINT(concurrency-mt-unsafe)
    if (fits(entry->d_name, name.substr(0, star), name.substr(star + 1)))
      found.push_back(folder + entry->d_name);
  std::ranges::sort(found, comes_before);
  return found;
}

}  // namespace assay::judge
