// What a problem.toml says, before any of its files is looked for. For native_problem.cc alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/problem.h"
#include "sandbox/document.h"

namespace assay::judge {

struct WrittenTest {
  std::string id{};               // none: its number
  std::string input{}, answer{};  // no answer: the file beside the input, if there is one
  std::string pattern{};          // instead of the three: many tests
  std::optional<double> score{};
  std::string subtask{};
  sandbox::Limits limits{};
  sandbox::Position position{};
};

struct WrittenChecker {
  std::string name{};
  std::string language{}, protocol{};  // no protocol: the usual one of its kind
  std::vector<std::string> sources{};  // the main one is the first in the language
  bool is_alone = false;               // said as `source`: what belongs to it is looked for
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};
  sandbox::Position position{};
};

struct WrittenGrader {
  std::string language{};
  std::vector<std::string> files{};
  std::string submission{};
  sandbox::Position position{};
};

struct WrittenProblem {
  ProblemKind kind = ProblemKind::Batch;
  unsigned passes = Problem{}.passes;
  BuildStrategy build = BuildStrategy::Compile;
  std::vector<std::string> build_files{};
  std::string build_archive{};
  std::vector<WrittenGrader> graders{};
  IoMode io_mode = IoMode::Stdio;
  std::string input_file{}, output_file{};
  sandbox::Limits limits{};
  std::optional<WrittenChecker> checker{};
  std::optional<WrittenChecker> scorer{};  // of which it has less
  std::optional<WrittenChecker> interactor{};
  std::optional<WrittenChecker> manager{};
  unsigned processes = Problem{}.processes;
  ProcessIo process_io = ProcessIo::Stdio;
  std::vector<std::string> granted_flags{};
  std::vector<WrittenTest> tests{};
  std::vector<Subtask> subtasks{};
  std::optional<StopRule> stop{};
};

// Readers of the parts.
Status read_limits(const sandbox::Node& node, sandbox::Limits& into);
Status read_strings(const sandbox::Node& node, std::vector<std::string>& into);
Status read_checker(const sandbox::Node& node, std::optional<WrittenChecker>& into);
Status read_interactor(const sandbox::Node& node, std::optional<WrittenChecker>& into);
Status read_manager(const sandbox::Node& node, std::optional<WrittenChecker>& into);
Status read_scorer(const sandbox::Node& node, std::optional<WrittenChecker>& into);
Status read_graders(const sandbox::Node& node, std::vector<WrittenGrader>& into);

template <typename Element, typename Reader>
Status read_each(const sandbox::Node& node, std::vector<Element>& into, Reader reader) {
  const auto* list = std::get_if<sandbox::Node::List>(&node.value);
  if (list == nullptr) return sandbox::wrong(node.position, "must be an array");
  for (const sandbox::Node& element : *list)
    TRY_STATUS(reader(element, into.emplace_back()));
  return {};
}

Result<WrittenProblem> read_problem(const sandbox::Node& document);

}  // namespace assay::judge
