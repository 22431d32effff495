#include "judge/feedback.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge {
namespace {

constexpr Bytes kFeedbackLimit = 64_KiB;
constexpr Bytes kNextPassLimit = 64_MiB;
constexpr std::size_t kNextPass = 4;  // of the files

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
         .limit = i == kNextPass && keeps_next_pass_ ? kNextPassLimit : kFeedbackLimit,
         .text = &texts_[i],
         .truncate = true});
}

Feedback FeedbackDirectory::found(const sandbox::Facts& facts) const {
  Feedback feedback;
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    const auto error = std::ranges::find(facts.file_errors, path_of(i), &sandbox::FileError::name);
    const bool there =
        error == facts.file_errors.end() || error->stage == sandbox::FileStage::TooLarge;
    if (!there) continue;
    if (kFiles[i].into == nullptr)
      feedback.next_pass = true;
    else
      feedback.*kFiles[i].into = texts_[i];
  }
  return feedback;
}

std::optional<std::string> FeedbackDirectory::next_pass(const sandbox::Facts& facts) {
  const std::string path = path_of(kNextPass);
  if (std::ranges::find(facts.file_errors, path, &sandbox::FileError::name) !=
      facts.file_errors.end())
    return std::nullopt;
  return std::move(texts_[kNextPass]);
}

}  // namespace assay::judge
