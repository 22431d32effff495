#include "config/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "os/file.h"
#include "sandbox/profile.h"

namespace assay::config {
namespace {

namespace fs = std::filesystem;

std::string version_of(const struct stat& about) {
  return fmt::format("{}.{:09}-{}-{}.{}", about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                     about.st_size, about.st_dev, about.st_ino);
}

}  // namespace

Files::Files(Directories directories)
    : directories_{std::move(directories.languages), std::move(directories.profiles),
                   std::move(directories.policies)} {}

std::string Files::place(const EntryId& id) const {
  return fmt::format("{}/{}.toml", directories_.at(static_cast<std::size_t>(id.kind)), id.name);
}

Result<std::vector<EntryId>> Files::list() {
  std::vector<EntryId> all;
  for (const Kind kind : {Kind::Language, Kind::Profile, Kind::Policy}) {
    const std::string& directory = directories_.at(static_cast<std::size_t>(kind));
    std::error_code error;
    fs::directory_iterator entry(directory, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const fs::path& path = entry->path();
      if (path.extension() != ".toml" || !sandbox::is_profile_name(path.stem().native())) continue;
      struct stat about{};
      // One that is gone by now is not there.
      if (::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode))
        all.push_back({kind, path.stem(), version_of(about)});
    }
    if (error) return system_error(error.value(), fmt::format("list '{}'", directory));
  }
  std::ranges::sort(all);
  return all;
}

Result<std::string> Files::version() {
  std::string version;
  for (const EntryId& id : TRY(list()))
    version += fmt::format("{}/{}:{};", name_of(id.kind), id.name, id.version);
  return version;
}

Result<std::string> Files::text(const EntryId& id) {
  const std::string path = place(id);
  const os::OwnedFd file = TRY(os::open(path, O_RDONLY | O_NONBLOCK));
  std::string text = TRY(os::read_from_start(file.get(), kLargestText + 1));
  if (text.size() > kLargestText) return invalid(fmt::format("'{}' is too large", path));
  return text;
}

}  // namespace assay::config
