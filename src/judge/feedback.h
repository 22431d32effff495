// What an ICPC validator leaves in its feedback directory: asked for before its run, read after it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "judge/protocol.h"
#include "sandbox/facts.h"
#include "sandbox/spec.h"

namespace assay::judge {

constexpr std::size_t kFeedbackFiles = 5;

// Of the files in it, from pass to pass.
struct PassedFile {
  std::string name{};  // below the directory
  std::string content{};
};

// It must outlive the run: the spec points into it.
class FeedbackDirectory {
 public:
  explicit FeedbackDirectory(std::string name) : name_(std::move(name)) {}

  // Before order(). Of a multi-pass problem: what the last pass left is in it, and what this one
  // leaves is kept for the next. `before` must outlive the run.
  void continue_from(const std::vector<PassedFile>& before) { before_ = &before; }
  void order(sandbox::Spec& spec);
  // A file that is too long is there all the same, cut.
  [[nodiscard]] Feedback found(const sandbox::Facts& facts) const;
  // What the program is to be run on next; nothing: it is not there, or too long.
  [[nodiscard]] std::optional<std::string> next_pass(const sandbox::Facts& facts);
  // All files but that one. InvalidRequest: they are too many, or too large.
  [[nodiscard]] Result<std::vector<PassedFile>> left();

 private:
  [[nodiscard]] std::string path_of(std::size_t file) const;

  std::string name_;
  const std::vector<PassedFile>* before_ = nullptr;
  std::vector<sandbox::FoundFile> left_{};
  std::array<std::string, kFeedbackFiles> texts_{};
};

}  // namespace assay::judge
