#include "app/cli/judge_sources.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "judge/unpacking.h"
#include "os/file.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestSource = 4_MiB;

Result<judge::SourceFile> read_source(const std::string& path, std::string name) {
  const os::OwnedFd file = TRY(os::open(path, O_RDONLY));
  std::string content = TRY(os::read_from_start(file.get(), kLargestSource.count + 1));
  if (content.size() > kLargestSource.count)
    return invalid("'" + path + "' is larger than " + format_bytes(kLargestSource));
  const bool executable = ::access(path.c_str(), X_OK) == 0;
  return judge::SourceFile{std::move(name), std::move(content), executable};
}

// Links are not followed, and what is neither a file nor a directory is left out.
Status add_directory(const std::string& path, std::vector<judge::SourceFile>& into) {
  const judge::ArchiveLimits limits;
  std::error_code error;
  fs::recursive_directory_iterator walk(path, error);
  for (const fs::recursive_directory_iterator end; !error && walk != end; walk.increment(error)) {
    if (!walk->is_regular_file(error) || walk->is_symlink(error)) continue;
    if (into.size() == limits.entries)
      return invalid("'" + path + "' has more than " + std::to_string(limits.entries) + " files");
    const std::string name = walk->path().lexically_relative(path);
    into.push_back(TRY(read_source(walk->path(), name)));
  }
  if (error) return system_error(error.value(), "list '" + path + "'");
  std::ranges::sort(into, {}, &judge::SourceFile::name);
  return {};
}

bool is_archive(std::string_view path) {
  constexpr std::array<std::string_view, 10> kEndings{".zip",     ".tar",  ".tar.gz", ".tgz",
                                                      ".tar.bz2", ".tbz2", ".tar.xz", ".txz",
                                                      ".tar.zst", ".tzst"};
  return std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

Result<judge::Content> open_archive(const std::string& path) {
  return judge::Content{.file = std::make_shared<const os::OwnedFd>(TRY(os::open(path, O_RDONLY)))};
}

Status read_files(const JudgeCommand& command, judge::Submission& into) {
  const std::string& first = command.files.front();
  const bool alone = command.files.size() == 1;
  std::error_code error;
  if (alone && fs::is_directory(first, error)) return add_directory(first, into.sources);
  if (alone && is_archive(first)) {
    into.archive = TRY(open_archive(first));
    return {};
  }
  for (const std::string& path : command.files)
    into.sources.push_back(TRY(read_source(path, path.substr(path.rfind('/') + 1))));
  return {};
}

}  // namespace

Result<judge::Submission> read_submission(const JudgeCommand& command,
                                          const judge::LanguageSet& languages,
                                          const judge::Problem& problem) {
  judge::Submission submission{.id = "cli", .extra_flags = command.flags};
  TRY_STATUS(read_files(command, submission));
  if (problem.kind == judge::ProblemKind::OutputOnly) return submission;
  const bool is_project = submission.archive || submission.sources.size() > command.files.size();
  const judge::Language* language = languages.for_file(command.files.front());
  if (!command.language.empty())
    language = TRY(languages.find(command.language));
  else if (is_project)
    language = TRY(languages.find("make"));
  if (language == nullptr)
    return invalid("which language is '" + command.files.front() + "'? Say --language");
  submission.language = language->id;
  return submission;
}

}  // namespace assay::cli
