// How many words a problem has, and how long they are: it is kept for as long as anybody wants it,
// and its arguments and flags are gone through for every submission.
#include <fmt/format.h>

#include <algorithm>

#include "judge/problem.h"

namespace assay::judge {
namespace {

constexpr std::size_t kMostWords = 1000;
constexpr std::size_t kLongestWord = 4096;

Status check_list(const std::vector<std::string>& words, std::string_view of) {
  if (words.size() > kMostWords)
    return invalid(fmt::format("there are more than {} {}", kMostWords, of));
  if (std::ranges::any_of(words,
                          [](const std::string& word) { return word.size() > kLongestWord; }))
    return invalid(fmt::format("one of the {} is longer than {} bytes", of, kLongestWord));
  return {};
}

Status check_program(const Submission& program, const std::vector<std::string>& arguments,
                     std::string_view whose) {
  if (program.language.size() > kLongestId || program.id.size() > kLongestId)
    return invalid(fmt::format("the {} has a language of more than {} bytes", whose, kLongestId));
  TRY_STATUS(check_list(program.extra_flags, fmt::format("flags of the {}", whose)));
  return check_list(arguments, fmt::format("arguments of the {}", whose));
}

}  // namespace

Status check_words(const Problem& problem) {
  TRY_STATUS(check_list(problem.granted_flags, "granted flags"));
  if (problem.graders.size() > kMostWords)
    return invalid(fmt::format("there are more than {} graders", kMostWords));
  for (const Grader& grader : problem.graders)
    if (grader.language.size() > kLongestId)
      return invalid(fmt::format("a grader has a language of more than {} bytes", kLongestId));
  if (const auto* checker = std::get_if<CheckerProgram>(&problem.checker))
    TRY_STATUS(check_program(checker->source, checker->arguments, "checker"));
  if (problem.interactor)
    TRY_STATUS(
        check_program(problem.interactor->source, problem.interactor->arguments, "interactor"));
  if (problem.manager)
    TRY_STATUS(check_program(problem.manager->source, problem.manager->arguments, "manager"));
  if (problem.scorer) TRY_STATUS(check_program(problem.scorer->source, {}, "scorer"));
  return {};
}

}  // namespace assay::judge
