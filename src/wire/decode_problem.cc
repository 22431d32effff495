#include <fmt/format.h>

#include "judge/compare_names.h"
#include "wire/decode_parts.h"
#include "wire/judging.h"

namespace assay::wire {
namespace {

using judge::Problem;
using judge::ProblemTest;
using judge::Subtask;
using service::Supply;

constexpr double kHighestScore = 1e12;

Status read_score(Reader& in, double& out) {
  return in.real(out, 0, kHighestScore);
}

constexpr StrictField<ProblemTest, Supply> kTestFields[] = {
    {"testId",
     [](Reader& in, ProblemTest& t, Supply&) {
       return read_name(in, t.id);
     }},
    {"input",
     [](Reader& in, ProblemTest& t, Supply& c) {
       return read_content(in, t.input, c);
     }},
    {"answer",
     [](Reader& in, ProblemTest& t, Supply& c) {
       return read_content(in, t.answer, c);
     }},
    {"score",
     [](Reader& in, ProblemTest& t, Supply&) {
       return in.take_null() ? Status{} : read_score(in, t.score.emplace());
     }},
    {"subtaskId",
     [](Reader& in, ProblemTest& t, Supply&) {
       return read_name(in, t.subtask);
     }},
    {"limits",
     [](Reader& in, ProblemTest& t, Supply& c) {
       return read_limits(in, t.limits, c);
     }},
};

Status read_rule(Reader& in, Subtask& out, Supply&) {
  std::string word;
  TRY_STATUS(in.text(word));
  if (word == "all")
    out.rule = judge::SubtaskRule::All;
  else if (word == "sum")
    out.rule = judge::SubtaskRule::Sum;
  else if (word == "min")
    out.rule = judge::SubtaskRule::Min;
  else if (word == "script")
    out.rule = judge::SubtaskRule::Script;
  else
    return in.fail("expected \"all\", \"sum\", \"min\" or \"script\"");
  return {};
}

constexpr StrictField<Subtask, Supply> kSubtaskFields[] = {
    {"id",
     [](Reader& in, Subtask& s, Supply&) {
       return read_name(in, s.id);
     }},
    {"score",
     [](Reader& in, Subtask& s, Supply&) {
       return read_score(in, s.score);
     }},
    {"rule", read_rule},
    {"dependsOn",
     [](Reader& in, Subtask& s, Supply& c) {
       return read_strings(in, s.depends_on, c);
     }},
};

Status read_io_mode(Reader& in, Problem& out, Supply&) {
  std::string word;
  TRY_STATUS(in.text(word));
  if (word != "stdio" && word != "fileio") return in.fail("expected \"stdio\" or \"fileio\"");
  out.io_mode = word == "stdio" ? judge::IoMode::Stdio : judge::IoMode::FileIo;
  return {};
}

Status read_type(Reader& in, Problem& out, Supply&) {
  std::string word;
  TRY_STATUS(in.text(word));
  const auto kind = judge::problem_kind_named(word);
  if (!kind)
    return in.fail(
        "expected \"batch\", \"outputOnly\", \"interactive\", \"multipass\", \"communication\" or "
        "\"twostep\"");
  out.kind = *kind;
  return {};
}

// How large it may be is for check_problem() to say.
template <unsigned Problem::* Member>
Status read_number(Reader& in, Problem& out, Supply&) {
  std::uint64_t number = out.*Member;
  TRY_STATUS(in.count(number, 1'000'000));
  out.*Member = static_cast<unsigned>(number);
  return {};
}

Status read_process_io(Reader& in, Problem& out, Supply&) {
  std::string word;
  TRY_STATUS(in.text(word));
  const auto io = judge::process_io_named(word);
  if (!io) return in.fail("expected \"stdio\", \"fifo\" or \"terminal\"");
  out.process_io = *io;
  return {};
}

// A word, or seed 000's number for it.
Status read_build(Reader& in, Problem& out, Supply&) {
  std::string word;
  std::uint64_t number = 0;
  if (in.peek() == Reader::Kind::Number) {
    TRY_STATUS(in.count(number));
    word = std::to_string(number);
  } else {
    TRY_STATUS(in.text(word));
  }
  const auto build = judge::build_strategy_named(word);
  if (!build) return in.fail("expected \"compile\", \"makeNormal\" or \"makeFunctionOnly\"");
  out.build = *build;
  return {};
}

Status read_files(Reader& in, std::vector<judge::SourceFile>& out, Supply& supply) {
  return read_at_most(in, kMostSources, "files", out,
                      [&](judge::SourceFile& file) { return read_source_file(in, file, supply); });
}

constexpr StrictField<judge::Grader, Supply> kGraderFields[] = {
    {"language",
     [](Reader& in, judge::Grader& g, Supply&) {
       return read_name(in, g.language);
     }},
    {"files",
     [](Reader& in, judge::Grader& g, Supply& c) {
       return read_files(in, g.files, c);
     }},
    {"submission",
     [](Reader& in, judge::Grader& g, Supply&) {
       return read_name(in, g.submission);
     }},
};

constexpr StrictField<Problem, Supply> kProblemFields[] = {
    {"type", read_type},
    {"passes", read_number<&Problem::passes>},
    {"buildStrategy", read_build},
    {"buildFiles",
     [](Reader& in, Problem& p, Supply& c) {
       return read_files(in, p.build_files, c);
     }},
    {"buildArchive",
     [](Reader& in, Problem& p, Supply& c) {
       return read_archive(in, p.build_archive, c);
     }},
    {"graders",
     [](Reader& in, Problem& p, Supply& c) {
       return read_at_most(in, kMostSources, "graders", p.graders, [&](judge::Grader& grader) {
         return read_strict<judge::Grader, Supply>(in, grader, c, kGraderFields);
       });
     }},
    {"ioMode", read_io_mode},
    {"inputFileName",
     [](Reader& in, Problem& p, Supply&) {
       return read_name(in, p.input_file);
     }},
    {"outputFileName",
     [](Reader& in, Problem& p, Supply&) {
       return read_name(in, p.output_file);
     }},
    {"limits",
     [](Reader& in, Problem& p, Supply& c) {
       return read_limits(in, p.limits, c);
     }},
    {"checker", read_checker},
    {"tests",
     [](Reader& in, Problem& p, Supply& c) {
       return read_at_most(in, kMostTests, "tests", p.tests, [&](ProblemTest& test) {
         return read_strict<ProblemTest, Supply>(in, test, c, kTestFields);
       });
     }},
    {"subtasks",
     [](Reader& in, Problem& p, Supply& c) {
       return read_at_most(in, kMostTests, "subtasks", p.subtasks, [&](Subtask& subtask) {
         return read_strict<Subtask, Supply>(in, subtask, c, kSubtaskFields);
       });
     }},
    {"grantedFlags",
     [](Reader& in, Problem& p, Supply&) {
       return read_words(in, p.granted_flags);
     }},
    {"interactor", read_interactor},
    {"manager", read_manager},
    {"processes", read_number<&Problem::processes>},
    {"io", read_process_io},
    {"scorer", read_scorer},
    {"stop",
     [](Reader& in, Problem& p, Supply& c) {
       return read_stop(in, p.stop, c);
     }},
};

// Whoever gives tests without names means their numbers.
void name_tests(Problem& problem) {
  for (std::size_t i = 0; i < problem.tests.size(); ++i)
    if (problem.tests[i].id.empty()) problem.tests[i].id = std::to_string(i + 1);
}

}  // namespace

Status read_problem(Reader& in, Problem& out, Supply& supply) {
  out.checker = TRY(judge::comparison_named("tokens"));
  out.checks_by_policy = true;
  TRY_STATUS((read_strict<Problem, Supply>(in, out, supply, kProblemFields)));
  name_tests(out);
  if (const Status checked = judge::check_problem(out); !checked)
    return in.fail(describe(checked.error()));
  return {};
}

Result<Problem> decode_problem(std::string_view json, Supply& supply) {
  Reader in(json);
  Problem problem;
  TRY_STATUS(read_problem(in, problem, supply));
  TRY_STATUS(in.end());
  return problem;
}

}  // namespace assay::wire
