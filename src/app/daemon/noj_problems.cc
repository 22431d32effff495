#include "app/daemon/noj_problems.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "judge/native_files.h"
#include "package/noj_problem.h"
#include "store/digest.h"

namespace assay::daemon {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestDescription = 4_MiB;

void add_to(store::Sha256& hash, const fs::path& path) {
  struct stat what{};
  if (::lstat(path.c_str(), &what) != 0) what = {};
  hash.update(fmt::format("{} {} {} {}.{}\n", path.native(), what.st_ino, what.st_size,
                          what.st_ctim.tv_sec, what.st_ctim.tv_nsec));
}

// Another one wherever a file came, went or was written to: its ctime is the kernel's.
std::string stamp_of(const std::string& directory) {
  store::Sha256 hash;
  std::error_code trouble;
  add_to(hash, directory);
  for (fs::recursive_directory_iterator at(directory, trouble), end; at != end && !trouble;
       at.increment(trouble))
    add_to(hash, at->path());
  return hash.finish();
}

Result<NojProblem> read_problem(const judge::ProblemDirectory& files,
                                const judge::LanguageSet& languages) {
  const std::string text = TRY(files.text(package::kNojDescription, kLargestDescription));
  NojProblem found{.meta = TRY(package::parse_noj_meta(text))};
  found.problem = std::make_shared<const judge::Problem>(
      TRY(package::noj_problem(found.meta, files, package::DirectoryAssets(files), languages)));
  return found;
}

}  // namespace

Result<NojProblems> NojProblems::open(std::string directory) {
  TRY(judge::ProblemDirectory::open(directory));
  return NojProblems(std::move(directory));
}

Result<NojProblem> NojProblems::load(const std::string& directory,
                                     const judge::LanguageSet& languages) const {
  std::string stamp = stamp_of(directory);  // before the files: a change in between is seen again
  {
    const std::lock_guard guard(shelf_->lock);
    if (const auto at = shelf_->known.find(directory); at != shelf_->known.end())
      if (auto problem = at->second.problem.lock(); problem && at->second.stamp == stamp)
        return NojProblem{at->second.meta, std::move(problem)};
  }
  const judge::ProblemDirectory files = TRY(judge::ProblemDirectory::open(directory));
  NojProblem found = TRY(read_problem(files, languages));
  const std::lock_guard guard(shelf_->lock);
  std::erase_if(shelf_->known, [](const auto& each) { return each.second.problem.expired(); });
  shelf_->known[directory] = {std::move(stamp), found.meta, found.problem};
  return found;
}

Result<NojProblem> NojProblems::find(std::uint64_t number, Cases cases,
                                     const judge::LanguageSet& languages) const {
  const std::string directory =
      fmt::format("{}/{}{}", directory_, number, cases == Cases::Public ? "/public" : "");
  auto found = load(directory, languages);
  if (found) return found;
  const Error& error = found.error();
  if (error.fault == Fault::System && error.code == ENOENT)
    return invalid(cases == Cases::Public
                       ? fmt::format("problem {} has no cases that one may try", number)
                       : fmt::format("there is no problem {}", number));
  // What may be better in a moment is no mistake of the problem.
  if (error.code == EMFILE || error.code == ENFILE || error.code == ENOMEM)
    return system_error(error.code, error.context);
  if (error.fault != Fault::InvalidRequest) return found;
  return invalid(fmt::format("problem {}: {}", number, describe(error)));
}

}  // namespace assay::daemon
