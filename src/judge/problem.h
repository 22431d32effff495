// A problem: tests, limits, how an output is checked and what it is worth. A value; where it
// came from is somebody else's business (native_problem.h reads it from a directory).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "judge/compare.h"
#include "judge/content.h"
#include "judge/protocol.h"
#include "judge/submission.h"
#include "sandbox/spec.h"

namespace assay::judge {

struct ProblemTest {
  std::string id{};
  Content input{};
  Content answer{};
  std::optional<double> score{};
  std::string subtask{};     // its id; empty: none
  sandbox::Limits limits{};  // instead of the problem's
};

// All: everything or nothing. Sum: what the tests are worth together. Min: as much as the worst.
// Script: what the problem's scorer says; it is told the sum.
enum class SubtaskRule { All, Sum, Min, Script };

struct Subtask {
  std::string id{};
  double score = 0;
  SubtaskRule rule = SubtaskRule::All;
  std::vector<std::string> depends_on{};  // solved whole, or this one is worth nothing
};

// Which tests need not run after a failure. First: all later ones. Group: those later in the same
// subtask, unless its rule is Sum, and all of the subtasks that depend on it.
enum class StopRule { None, First, Group };

enum class IoMode { Stdio, FileIo };

// A program of the problem's author.
struct CheckerProgram {
  Submission source{};
  Protocol protocol = Protocol::Testlib;
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};  // its own
};
using Checker = std::variant<Comparison, CheckerProgram>;

// A program of the problem's author that talks with the submission and judges what it hears: a
// testlib interactor, an ICPC interactive validator or a teacher of Normal-OJ. See interact.h and
// teacher.h.
struct Interactor {
  Submission source{};
  Protocol protocol = Protocol::Testlib;  // Testlib, Icpc or Noj
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};  // its own; the wall limit is the solution's and some more
  // Noj only: else the solution does, and the policy says how long before.
  bool starts_first = false;
};

// A program of the problem's author that stands between several runs of the submission. See
// communicate.h and two_steps.cc.
struct Manager {
  Submission source{};
  std::optional<Protocol> protocol{};  // none: Cms for Communication, Testlib for TwoStep
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};  // its own; the wall limit is the solution's and some more
};

// How runs of the submission reach their partner: as stdin and stdout, as FIFOs whose paths are
// their first arguments, or as stdin and stdout that are terminals, so that a program which never
// flushes is heard line by line all the same.
enum class ProcessIo { Stdio, Fifo, Terminal };

// Says what the whole submission is worth, after all tests. See scorer.h.
struct ScorerProgram {
  Submission source{};
  sandbox::Limits limits{};  // its own
};

// Batch: a program runs on every test. OutputOnly: the submission is the outputs, one file per
// test; nothing is compiled or run. Interactive: a program talks with the problem's interactor.
// MultiPass: as Batch, but an ICPC validator may make another input of an output, on which the
// program runs again, with all its limits anew. Communication: copies of the program talk with the
// problem's manager, which knows the test. TwoStep: the program runs twice, and the second run
// knows of the test only what the first one wrote.
enum class ProblemKind { Batch, OutputOnly, Interactive, MultiPass, Communication, TwoStep };

// How a submission becomes a program (seed 000). Compile: by its language's own commands.
// MakeNormal: it is a project whose Makefile makes a.out, or in an interpreted language has the
// main file. MakeFunctionOnly: its one file becomes function.h or student_impl.py in the problem's
// project. MakeInteractive: as MakeNormal when it is a project, else as Compile.
enum class BuildStrategy { Compile, MakeNormal, MakeFunctionOnly, MakeInteractive };

// What the problem adds to a submission that only has a function: compiled together with it.
struct Grader {
  std::string language{};           // an id or alias; that of a family is for its variants, too
  std::vector<SourceFile> files{};  // the first in the language is the one with the main function
  std::string submission{};         // what the submission's one file is called
};

// The profile that a language's programs run in → the one they run in here.
using ProfileMap = std::map<std::string, std::string, std::less<>>;

struct Problem {
  ProblemKind kind = ProblemKind::Batch;
  unsigned passes = 2;  // at most; MultiPass only
  BuildStrategy build = BuildStrategy::Compile;
  std::vector<Grader> graders{};           // any: submissions in other languages are refused
  std::vector<SourceFile> build_files{};   // MakeFunctionOnly: the project,
  std::optional<Content> build_archive{};  // or an archive of it
  IoMode io_mode = IoMode::Stdio;
  std::string input_file{}, output_file{};  // FileIo only
  sandbox::Limits limits{};
  Checker checker{};
  bool has_own_checker = false;  // Interactive: it judges what a testlib interactor wrote
  // Nobody said: the comparison, or the protocol of a checker's program, is the policy's.
  bool checks_by_policy = false;
  std::vector<ProblemTest> tests{};
  std::vector<Subtask> subtasks{};
  std::optional<Interactor> interactor{};  // Interactive only
  std::optional<Manager> manager{};        // Communication, and TwoStep where there is one
  unsigned processes = 1;                  // copies of the program; Communication only
  // Communication; TwoStep: no Terminal; Interactive: no Fifo
  ProcessIo process_io = ProcessIo::Stdio;
  std::optional<ScorerProgram> scorer{};
  std::optional<StopRule> stop{};            // none: as the policy says
  std::vector<std::string> granted_flags{};  // beyond its languages' lists, see flags.h
  std::vector<SourceFile> beside{};     // put next to the submission's own files before it is built
  std::optional<Content> test_files{};  // archives of what one test alone has: test_files.h
  std::optional<Content> teacher_files{};  // Protocol::Noj only
  ProfileMap run_profiles{};
  std::string policy{};  // whose verdicts its format means; empty: nobody's in particular
};

constexpr std::size_t kLongestId = 128;  // of tests and subtasks

// As many as one may have, however it came.
constexpr std::size_t kMostTests = 10'000;
constexpr std::size_t kMostSubtasks = 10'000;
constexpr std::size_t kMostDependencies = 100'000;  // of all subtasks: seen after every test

// Where programs of this profile run when they are solutions of this problem.
const std::string& run_profile(const Problem& problem, const std::string& usual);

std::optional<StopRule> stop_rule_named(std::string_view name);
// "batch", "outputOnly", "interactive", "multipass", "communication", "twostep"
std::optional<ProblemKind> problem_kind_named(std::string_view name);
// "stdio", "fifo" or "terminal"; CMS says "std_io" and "fifo_io"
std::optional<ProcessIo> process_io_named(std::string_view name);
// "compile", "makeNormal", "makeFunctionOnly", "makeInteractive", or seed 000's numbers for them:
// "0" to "3".
std::optional<BuildStrategy> build_strategy_named(std::string_view name);

// Whether it can be judged at all; one sentence if not.
Status check_problem(const Problem& problem);
Status check_manager(const Problem& problem);  // a part of that: manager, processes and their io
Status check_words(const Problem& problem);    // another: flags, arguments and names

Protocol protocol_of(const Manager& manager, ProblemKind kind);

}  // namespace assay::judge
