#include "judge/outputs.h"

#include <fmt/format.h>

#include "os/file.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

bool is_output_of(std::string_view path, std::string_view id) {
  std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (name == id) return true;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.substr(dot) == ".in") return false;
  name = name.substr(0, dot);
  if (name == id) return true;
  constexpr std::string_view kPrefix = "output_";
  return name.starts_with(kPrefix) && name.substr(kPrefix.size()) == id;
}

}  // namespace

Result<Outputs> outputs_of(const Problem& problem, std::vector<SourceFile> files) {
  Outputs outputs(problem.tests.size());
  if (files.size() == 1 && files[0].name.empty()) {
    if (outputs.size() != 1)
      return invalid("an output needs the name of its test when the problem has several");
    outputs[0] = std::move(files[0].content);
    return outputs;
  }
  for (SourceFile& file : files)
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_output_of(file.name, problem.tests[i].id)) continue;
      if (outputs[i])
        return invalid(fmt::format("there are two outputs for test '{}'", problem.tests[i].id));
      outputs[i] = std::move(file.content);
      break;
    }
  return outputs;
}

Result<TestRun> handed_in(const ProblemTest& test, const std::optional<std::string>& output,
                          const verdict::Policy& policy) {
  TestRun run;
  if (!output) {
    const verdict::Label& label = policy.verdicts.at(index_of(Verdict::WrongAnswer));
    run.judgement = {.verdict = Verdict::WrongAnswer,
                     .letters = label.letters,
                     .reason = fmt::format("there is no output '{}.out'", test.id),
                     .name = label.name,
                     .code = label.code};
    return run;
  }
  run.judgement.verdict = Verdict::Accepted;
  run.input = TRY(sealed(test.input));
  run.output = {.text = *output};
  run.output_size = Bytes{output->size()};
  run.shown = TRY(head_and_tail(run.output, kLogLimit));
  return run;
}

}  // namespace assay::judge
