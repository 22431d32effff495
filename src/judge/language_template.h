// Command lines as templates. They are split into words first and filled in afterwards, so that a
// name with blanks or quotes in it stays one word.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/language.h"

namespace assay::judge {

// As a POSIX shell would: quotes and backslashes, but no expansion of any kind.
Result<std::vector<std::string>> split_words(std::string_view line);

// What the names in a template stand for. "{{" is a plain brace. A word that is exactly "{flags}",
// "{sources}" or "{warm}" becomes as many words as there are.
struct Meanings {
  std::map<std::string, std::string, std::less<>> texts{};
  std::map<std::string, std::vector<std::string>, std::less<>> lists{};
};

// Every name must be known; a list must stand alone.
Status check_template(std::string_view word, std::span<const std::string> texts,
                      std::span<const std::string> lists);

std::vector<std::string> fill_in(const Template& words, const Meanings& values);
std::string fill_in(std::string_view word, const Meanings& values);

}  // namespace assay::judge
