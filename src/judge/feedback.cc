#include "judge/feedback.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/content.h"
#include "os/file.h"

namespace assay::judge {
namespace {

constexpr Bytes kFeedbackLimit = 64_KiB;
constexpr Bytes kNextPassLimit = 64_MiB;
constexpr std::size_t kNextPass = 4;  // of the files
constexpr std::size_t kMostKept = 256;
constexpr Bytes kKeptLimit = 64_MiB;  // together

struct FeedbackFile {
  std::string_view name{};
  std::optional<std::string> Feedback::* into = nullptr;
};
constexpr std::array<FeedbackFile, kFeedbackFiles> kFiles = {{
    {"judgemessage.txt", &Feedback::judge_message},
    {"teammessage.txt", &Feedback::team_message},
    {"score.txt", &Feedback::score},
    {"score_multiplier.txt", &Feedback::score_multiplier},
    {"nextpass.in", nullptr},
}};

}  // namespace

std::string FeedbackDirectory::path_of(std::size_t file) const {
  return fmt::format("{}/{}", name_, kFiles[file].name);
}

void FeedbackDirectory::order(sandbox::Spec& spec) {
  spec.directories_in.push_back({.name = name_});
  for (std::size_t i = 0; i < kFiles.size(); ++i)
    spec.files_out.push_back(
        {.name = path_of(i),
         .limit = i == kNextPass && before_ != nullptr ? kNextPassLimit : kFeedbackLimit,
         .text = &texts_[i],
         .truncate = true});
  if (before_ == nullptr) return;
  for (const PassedFile& file : *before_)
    spec.files_in.push_back(
        {.name = fmt::format("{}/{}", name_, file.name), .content = file.content});
  spec.trees_out.push_back(
      {.directory = name_, .found = &left_, .most = kMostKept + 2, .open = true});
}

Feedback FeedbackDirectory::found(const sandbox::Facts& facts) const {
  Feedback feedback;
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    const auto error = std::ranges::find(facts.file_errors, path_of(i), &sandbox::FileError::name);
    // Another pass is asked for by whatever has that name; whether it can be had is seen later.
    const bool there = error == facts.file_errors.end() ||
                       error->stage == sandbox::FileStage::TooLarge ||
                       (i == kNextPass && error->error != ENOENT);
    if (!there) continue;
    if (kFiles[i].into == nullptr)
      feedback.next_pass = true;
    else
      feedback.*kFiles[i].into = texts_[i];
  }
  return feedback;
}

Result<std::vector<PassedFile>> FeedbackDirectory::left() {
  std::vector<PassedFile> kept;
  Bytes room = kKeptLimit;
  for (sandbox::FoundFile& found : left_) {
    if (found.name == kFiles[kNextPass].name) continue;
    if (kept.size() == kMostKept) return invalid(fmt::format("more than {} files", kMostKept));
    const Bytes size = TRY(size_of(found.file.get()));
    if (size > room) return invalid("more than " + format_bytes(kKeptLimit));
    room.count -= size.count;
    kept.push_back({.name = std::move(found.name),
                    .content = TRY(os::read_from_start(found.file.get(), size.count))});
  }
  return kept;
}

std::optional<std::string> FeedbackDirectory::next_pass(const sandbox::Facts& facts) {
  const std::string path = path_of(kNextPass);
  if (std::ranges::find(facts.file_errors, path, &sandbox::FileError::name) !=
      facts.file_errors.end())
    return std::nullopt;
  return std::move(texts_[kNextPass]);
}

}  // namespace assay::judge
