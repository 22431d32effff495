// `assay box --language`: a program that has to be compiled first. A source that does not compile
// is a process that never started.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "judge/compiler.h"
#include "judge/test_limits.h"

namespace assay::cli {

struct HeldSource {
  judge::LanguageSet languages{};  // the order points into it
  judge::ProfileLimits limits{};
  judge::CompileOrder order{};
  std::vector<std::string> profiles{};  // that compiling and running take
};

Result<HeldSource> read_held_source(const BoxOptions& options);

// One sentence, without the compiler's many.
std::string why_not_compiled(const judge::Compiled& compiled);

// What the language and the policy say about running it, where the options say nothing. The spec
// borrows the program's files.
void add_program(const HeldSource& source, const judge::Program& program,
                 const verdict::Policy& policy, sandbox::Spec& spec);

}  // namespace assay::cli
