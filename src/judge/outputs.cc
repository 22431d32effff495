#include "judge/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "os/file.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

// By its id, and the first of those that have the same one.
using TestsById = std::unordered_map<std::string_view, std::size_t>;

std::optional<std::size_t> test_of(std::string_view path, const TestsById& tests) {
  constexpr std::string_view kPrefix = "output_";
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  std::vector<std::string_view> ids{name};
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && name.substr(dot) != ".in") {
    const std::string_view stem = name.substr(0, dot);
    ids.push_back(stem);
    if (stem.starts_with(kPrefix)) ids.push_back(stem.substr(kPrefix.size()));
  }
  std::optional<std::size_t> first;  // of the tests, whatever it is named by
  for (const std::string_view id : ids)
    if (const auto found = tests.find(id); found != tests.end())
      first = std::min(first.value_or(found->second), found->second);
  return first;
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
  TestsById tests;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    tests.emplace(problem.tests[i].id, i);
  for (SourceFile& file : files) {
    const auto i = test_of(file.name, tests);
    if (!i) continue;
    if (outputs[*i])
      return invalid(fmt::format("there are two outputs for test '{}'", problem.tests[*i].id));
    outputs[*i] = std::move(file.content);
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
