#include "sandbox/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace assay::sandbox {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

struct Listing {
  std::vector<std::string> files{}, directories{};  // paths below the tree's directory
};

// Names alone are read through a descriptor that came out of the box: what they name is asked of
// the box again, which follows no link. A program can give a directory as many names as its place
// has inodes, so the reader stops where nobody wants more.
Result<Listing> names_in(os::OwnedFd opened, const std::string& below, std::size_t most) {
  struct stat found{};
  if (::fstat(opened.get(), &found) < 0 || !S_ISDIR(found.st_mode))
    return system_error(ENOTDIR, "it is not a directory");
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(opened.get()));
  if (!stream) return system_error("list it");
  (void)opened.release();  // the stream's now
  Listing listing;
  while (listing.files.size() <= most && listing.directories.size() <= most) {
    const dirent* entry = ::readdir(stream.get());  // NOLINT(concurrency-mt-unsafe): own stream
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entry->d_type == DT_REG) listing.files.push_back(below + name);
    if (entry->d_type == DT_DIR) listing.directories.push_back(below + name + "/");
  }
  return listing;
}

Result<os::OwnedFd> ask(BoxHandle& box, inside::Order order, const std::string& name) {
  const BoxHandle::FileOrder orders[] = {{.order = order, .name = name}};
  auto answers = TRY(box.serve_files(orders));
  if (answers.front()) return std::move(*answers.front());
  return system_error(answers.front().error().code, "");
}

Status take(BoxHandle& box, const TreeOut& tree, const std::string& name) {
  FoundFile file{.name = name};
  if (tree.open) {
    auto opened = ask(box, inside::Order::OpenOut, tree.directory + "/" + name);
    if (!opened && opened.error().context != "") return std::unexpected(opened.error());
    if (!opened) return {};  // unreadable by its length: it is not found
    (void)::fcntl(opened->get(), F_SETFL, 0);
    file.file = *std::move(opened);
  }
  tree.found->push_back(std::move(file));
  return {};
}

}  // namespace

Status look_below(BoxHandle& box, const TreeOut& tree, Facts& facts) {
  std::vector<std::string> open{""};
  while (!open.empty() && tree.found->size() < tree.most) {
    const std::string below = std::move(open.back());
    open.pop_back();
    auto opened = ask(box, inside::Order::OpenDirectory,
                      below.empty() ? tree.directory : tree.directory + "/" + below);
    if (!opened && !opened.error().context.empty()) return std::unexpected(opened.error());
    auto listing = opened ? names_in(*std::move(opened), below, tree.most)
                          : Result<Listing>(std::unexpected(opened.error()));
    if (!listing) {
      facts.file_errors.push_back({.name = tree.directory + "/" + below,
                                   .why = describe(listing.error()),
                                   .error = listing.error().code});
      continue;
    }
    for (const std::string& name : listing->files)
      if (tree.found->size() < tree.most) TRY_STATUS(take(box, tree, name));
    if (open.size() < tree.most) std::ranges::move(listing->directories, std::back_inserter(open));
  }
  return {};
}

}  // namespace assay::sandbox
