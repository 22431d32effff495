#include "judge/sanitizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::judge {
namespace {

constexpr std::array kFlags{"-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view word) {
  return !std::ranges::search(text, word, {}, lower).empty();
}

}  // namespace

Result<Submission> with_sanitizers(const LanguageSet& languages, Submission submission) {
  const Language* language = TRY(languages.find(submission.language));
  const std::vector<std::string> flags(kFlags.begin(), kFlags.end());
  if (!filter_flags(language->flags, flags))
    return invalid(fmt::format("{} has no sanitizers", language->name));
  submission.extra_flags.insert(submission.extra_flags.end(), flags.begin(), flags.end());
  return submission;
}

bool has_sanitizer_report(const Language& language, std::string_view errors) {
  if (language.memory.model == MemoryModel::Managed) return false;
  return contains(errors, "runtime error:") || contains(errors, "==error");
}

}  // namespace assay::judge
