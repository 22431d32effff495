#include "judge/unpacked_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace assay::judge {
namespace {

bool is_of_a_mac(std::string_view path) {
  return path.starts_with("__MACOSX/") || path == ".DS_Store" || path.ends_with("/.DS_Store");
}

// "tests/./1.in" is "tests/1.in", and "./" is ""; what leaves the package begins with "..", and is
// no file in it.
std::string plain(const std::string& path) {
  std::string normal = std::filesystem::path(path).lexically_normal().native();
  return normal == "." || normal == "./" ? "" : normal;
}

// With its slash; empty: there is no such folder.
std::string common_folder(const UnpackedFiles::Files& files) {
  if (files.empty()) return "";
  const std::string& first = files.begin()->first;
  const std::string folder = first.substr(0, first.find('/') + 1);  // npos + 1 is 0
  const bool common =
      std::ranges::all_of(files, [&](const auto& file) { return file.first.starts_with(folder); });
  return common ? folder : "";
}

}  // namespace

UnpackedFiles::UnpackedFiles(Files files) : ProblemFiles(64_MiB) {
  std::erase_if(files, [](const auto& file) { return is_of_a_mac(file.first); });
  const std::string folder = common_folder(files);
  for (auto& [path, content] : files)
    files_.emplace(path.substr(folder.size()), std::move(content));
}

Result<Content> UnpackedFiles::file(const std::string& path) const {
  TRY_STATUS(check_length(path));
  const auto found = files_.find(plain(path));
  if (found != files_.end()) return found->second;
  return std::unexpected(
      Error{Fault::InvalidRequest, ENOENT, fmt::format("open '{}' of the package", path)});
}

Result<std::vector<std::string>> UnpackedFiles::matching(const std::string& pattern) const {
  TRY_STATUS(check_length(pattern));
  const FilePattern wanted = TRY(FilePattern::parse(pattern));
  const std::string folder = plain(wanted.folder);
  std::vector<std::string> found;
  bool exists = folder.empty();
  for (auto at = files_.lower_bound(folder); at != files_.end() && at->first.starts_with(folder);
       ++at) {
    exists = true;
    const std::string name = at->first.substr(folder.size());
    if (!name.contains('/') && wanted.fits(name)) found.push_back(wanted.folder + name);
  }
  if (!exists) return invalid(fmt::format("the package has no folder '{}'", wanted.folder));
  std::ranges::sort(found, comes_before);
  return found;
}

}  // namespace assay::judge
