// Files with a given content, and comparisons by name.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <string_view>
#include <vector>

#include "judge/compare.h"
#include "judge/compare_names.h"
#include "os/fd.h"
#include "os/file.h"

namespace assay::judge {

inline os::OwnedFd file_with(std::string_view content) {
  os::OwnedFd file(::memfd_create("compared", MFD_CLOEXEC));
  EXPECT_TRUE(file.is_open());
  EXPECT_TRUE(os::write_all(file.get(), content).has_value());
  return file;
}

inline CheckResult checked(const Comparison& comparison, std::string_view output,
                           std::string_view answer) {
  const os::OwnedFd left = file_with(output);
  const os::OwnedFd right = file_with(answer);
  auto result = compare(left.get(), right.get(), comparison);
  EXPECT_TRUE(result.has_value()) << (result ? "" : describe(result.error()));
  // As texts they are no different.
  const auto texts = compare(Side{.text = output}, Side{.text = answer}, comparison);
  const auto mixed = compare(Side{.file = left.get()}, Side{.text = answer}, comparison);
  const os::OwnedFd around = file_with("1 " + std::string(answer) + " 1");
  const Side part{.file = around.get(), .part = FilePart{.offset = 2, .size = answer.size()}};
  const auto parts = compare(Side{.text = output}, part, comparison);
  for (const auto& other : {texts, mixed, parts}) {
    EXPECT_EQ(other->verdict, result->verdict);
    EXPECT_EQ(other->message, result->message);
  }
  return result.value_or(CheckResult{.message = "<error>"});
}

inline CheckResult checked(std::string_view name, std::string_view output,
                           std::string_view answer) {
  const auto comparison = comparison_named(name);
  EXPECT_TRUE(comparison.has_value()) << name;
  return checked(comparison.value_or(Comparison{}), output, answer);
}

// "AC", or the letters of the verdict and the message: "WA line 1, token 1: …".
inline std::string said(std::string_view name, std::string_view output, std::string_view answer) {
  using verdict::Verdict;
  const CheckResult result = checked(name, output, answer);
  const std::string letters = result.verdict == Verdict::Accepted            ? "AC"
                              : result.verdict == Verdict::WrongAnswer       ? "WA"
                              : result.verdict == Verdict::PresentationError ? "PE"
                              : result.verdict == Verdict::JudgeFailed       ? "JE"
                                                                             : "??";
  return result.message.empty() ? letters : letters + " " + result.message;
}

inline std::string letters(std::string_view name, std::string_view output,
                           std::string_view answer) {
  return said(name, output, answer).substr(0, 2);
}

struct Pair {
  std::string_view output, answer, verdict;
};

inline void expect_each(std::string_view name, const std::vector<Pair>& pairs) {
  for (const Pair& pair : pairs)
    EXPECT_EQ(letters(name, pair.output, pair.answer), pair.verdict)
        << name << ": output '" << pair.output << "', answer '" << pair.answer << "'";
}

}  // namespace assay::judge
