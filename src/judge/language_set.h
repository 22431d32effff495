// All languages that are known, and how one is found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/language.h"

namespace assay::judge {

class LanguageSet {
 public:
  // Refuses two languages with the same id, alias or (but for variants) extension.
  static Result<LanguageSet> of(std::vector<Language> languages);

  // By id or alias, in any case. NotFound lists what there is.
  [[nodiscard]] Result<const Language*> find(std::string_view name) const;
  // By the ending of a file name; nullptr when no language claims it.
  [[nodiscard]] const Language* for_file(std::string_view file_name) const;
  [[nodiscard]] const std::vector<Language>& all() const { return languages_; }

 private:
  std::vector<Language> languages_;
};

// Every *.toml of a directory, by name, each followed by its variants.
Result<LanguageSet> load_languages(const std::string& directory);

}  // namespace assay::judge
