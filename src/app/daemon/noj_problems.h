// Problems of Normal-OJ in a directory, by their numbers. Submissions of one problem share it, or
// each would hold all its files open; whoever changes a file is believed with the next submission.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "judge/language_set.h"
#include "judge/problem.h"
#include "package/noj_meta.h"

namespace assay::daemon {

struct NojProblem {
  package::NojMeta meta{};
  std::shared_ptr<const judge::Problem> problem{};
};

class NojProblems {
 public:
  static Result<NojProblems> open(std::string directory);

  // DIR/<number>; and for whoever only tries DIR/<number>/public, or it would be told what is in
  // the others.
  enum class Cases { All, Public };
  // An InvalidRequest: there is none, or it cannot be judged; with the reason.
  Result<NojProblem> find(std::uint64_t number, Cases cases,
                          const judge::LanguageSet& languages) const;

 private:
  struct Shelf {
    struct Known {
      std::string stamp{};
      package::NojMeta meta{};
      std::weak_ptr<const judge::Problem> problem{};  // for as long as somebody is judged by it
    };
    std::mutex lock;
    std::map<std::string, Known> known;  // by directory
  };
  explicit NojProblems(std::string directory)
      : directory_(std::move(directory)), shelf_(std::make_unique<Shelf>()) {}
  Result<NojProblem> load(const std::string& directory, const judge::LanguageSet& languages) const;

  std::string directory_;
  std::unique_ptr<Shelf> shelf_;
};

}  // namespace assay::daemon
