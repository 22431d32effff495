// From sources to a program that can be run many times at once. Compilers meet hostile input, so
// they run in boxes like everything else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/cancellation.h"
#include "judge/judge_result.h"
#include "judge/language_set.h"
#include "judge/language_steps.h"
#include "judge/submission.h"
#include "verdict/policy.h"

namespace assay::judge {

struct ProgramFile {
  std::string name{};
  std::string content{};
  bool executable = false;
};

struct Program {
  const Language* language = nullptr;
  NamedSources sources{};
  std::vector<ProgramFile> files{};
  std::shared_ptr<const Language> made{};  // owns `language` where it was made for this program
  std::vector<SourceFile> handed_in{};     // as they came, where a teacher may read them

  // As a box wants them; they borrow the contents.
  [[nodiscard]] std::vector<sandbox::FileIn> files_in() const;
  // Makes a spec run it, whose argv is known; borrowed, too.
  void put_into(sandbox::Spec& spec) const;
};

struct Compiled {
  std::optional<CompileResult> result{};  // none: the language has nothing to compile
  std::optional<Program> program{};       // none: it failed, or was cancelled
};

struct CompileOrder {
  const Language* language = nullptr;
  NamedSources sources{};
  std::vector<std::string> flags{};
  std::vector<ProgramFile> files{};
  std::vector<std::string> directories{};  // beyond those that the files are in
  std::shared_ptr<const Language> made{};  // owns `language` where it was made for this order
};
// An InvalidRequest, before anything runs: no such language, or a flag or a file name that is not
// allowed.
// `granted` are the problem's, see flags.h.
Result<CompileOrder> compile_order(const LanguageSet& languages, const Submission& submission,
                                   std::span<const std::string> granted = {});

// An Error is ours: the engine failed, or the compiler is not installed. `warm` is what the
// language's warm-up made, sealed, or -1: it makes this faster and changes nothing else.
Result<Compiled> compile(sandbox::Sandbox& engine, const CompileOrder& order,
                         const verdict::Policy& policy, Cancellation& cancellation, int warm = -1);

// The language's check of the syntax; nothing where it has none. An Error is ours.
Result<std::optional<CompileResult>> lint(sandbox::Sandbox& engine, const CompileOrder& order,
                                          const verdict::Policy& policy,
                                          Cancellation& cancellation);

}  // namespace assay::judge
