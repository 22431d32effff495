// A language, its self-test programs, and boxes to build and run them in.
#pragma once

#include "judge/language_set.h"
#include "judge/language_steps.h"
#include "tests/support/box_test.h"

namespace assay::test {

const judge::LanguageSet& shipped_languages();

struct Built {
  bool good = false;
  std::vector<Put> files{};  // to run
  judge::NamedSources sources{};
  Outcome last{};  // of the step that failed, else of the last one
};

class LanguageTest : public BoxTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override;  // skips, with the package to install, where the language is missing

  // Compiles, or checks the syntax of, tests/languages/programs/<family>/<program>.
  Built build(const std::string& program);
  Outcome run_built(const Built& built, const std::string& input, Bytes memory = 256_MiB);
  const judge::Language& language() const { return *language_; }

  Outcome run_step(const judge::Invocation& step, const std::vector<Put>& files,
                   const std::string& input = "");

 private:
  const judge::Language* language_ = nullptr;
};

}  // namespace assay::test
