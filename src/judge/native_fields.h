// What a problem.toml says, before any of its files is looked for. For native_problem.cc alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/problem.h"
#include "sandbox/document.h"

namespace assay::judge {

struct WrittenTest {
  std::string id{};
  std::string input{}, answer{};
  std::string pattern{};  // instead of the three: many tests
  std::optional<double> score{};
  std::string subtask{};
  sandbox::Limits limits{};
  sandbox::Position position{};
};

struct WrittenChecker {
  std::string name{};
  std::string language{}, source{}, protocol{};  // no protocol: the usual one of its kind
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};
  sandbox::Position position{};
};

struct WrittenGrader {
  std::string language{};  // the key of its table
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
  std::vector<WrittenTest> tests{};
  std::vector<Subtask> subtasks{};
  std::optional<StopRule> stop{};
};

Result<WrittenProblem> read_problem(const sandbox::Node& document);

}  // namespace assay::judge
