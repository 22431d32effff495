// What an ICPC validator leaves in its feedback directory: asked for before its run, read after it.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "judge/protocol.h"
#include "sandbox/facts.h"
#include "sandbox/spec.h"

namespace assay::judge {

constexpr std::size_t kFeedbackFiles = 5;

// It must outlive the run: the spec points into it.
class FeedbackDirectory {
 public:
  explicit FeedbackDirectory(std::string name) : name_(std::move(name)) {}

  void keep_next_pass() { keeps_next_pass_ = true; }  // before order()
  void order(sandbox::Spec& spec);
  // A file that is too long is there all the same, cut.
  [[nodiscard]] Feedback found(const sandbox::Facts& facts) const;
  // What the program is to be run on next; nothing: it is not there, or too long.
  [[nodiscard]] std::optional<std::string> next_pass(const sandbox::Facts& facts);

 private:
  [[nodiscard]] std::string path_of(std::size_t file) const;

  std::string name_;
  bool keeps_next_pass_ = false;
  std::array<std::string, kFeedbackFiles> texts_{};
};

}  // namespace assay::judge
