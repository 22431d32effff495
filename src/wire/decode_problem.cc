#include <fmt/format.h>

#include "judge/compare_names.h"
#include "wire/decode_parts.h"
#include "wire/judging.h"

namespace assay::wire {
namespace {

using judge::Problem;
using judge::ProblemTest;
using judge::Subtask;
using service::Contents;

constexpr double kHighestScore = 1e12;

Status read_score(Reader& in, double& out) {
  return in.real(out, 0, kHighestScore);
}

constexpr StrictField<ProblemTest, Contents> kTestFields[] = {
    {"testId",
     [](Reader& in, ProblemTest& t, Contents&) {
       return in.name(t.id);
     }},
    {"input",
     [](Reader& in, ProblemTest& t, Contents& c) {
       return read_content(in, t.input, c);
     }},
    {"answer",
     [](Reader& in, ProblemTest& t, Contents& c) {
       return read_content(in, t.answer, c);
     }},
    {"score",
     [](Reader& in, ProblemTest& t, Contents&) {
       return in.take_null() ? Status{} : read_score(in, t.score.emplace());
     }},
    {"subtaskId",
     [](Reader& in, ProblemTest& t, Contents&) {
       return in.name(t.subtask);
     }},
    {"limits",
     [](Reader& in, ProblemTest& t, Contents& c) {
       return read_limits(in, t.limits, c);
     }},
};

Status read_rule(Reader& in, Subtask& out, Contents&) {
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

constexpr StrictField<Subtask, Contents> kSubtaskFields[] = {
    {"id",
     [](Reader& in, Subtask& s, Contents&) {
       return in.name(s.id);
     }},
    {"score",
     [](Reader& in, Subtask& s, Contents&) {
       return read_score(in, s.score);
     }},
    {"rule", read_rule},
    {"dependsOn",
     [](Reader& in, Subtask& s, Contents& c) {
       return read_strings(in, s.depends_on, c);
     }},
};

struct WrittenChecker {
  std::string name{}, protocol{};
  judge::CheckerProgram program{};
  bool has_source = false;
};

Status read_checker_source(Reader& in, WrittenChecker& out, Contents& contents) {
  out.has_source = true;
  judge::SourceFile& file = out.program.source.sources.emplace_back();
  return read_source_text(in, file.content, contents);
}

Status read_checker_sources(Reader& in, WrittenChecker& out, Contents& contents) {
  out.has_source = true;
  return read_at_most(
      in, kMostSources, "sources", out.program.source.sources,
      [&](judge::SourceFile& file) { return read_source_file(in, file, contents); });
}

constexpr StrictField<WrittenChecker, Contents> kCheckerFields[] = {
    {"name",
     [](Reader& in, WrittenChecker& w, Contents&) {
       return in.text(w.name);
     }},
    {"args",
     [](Reader& in, WrittenChecker& w, Contents& c) {
       return read_strings(in, w.program.arguments, c);
     }},
    {"language",
     [](Reader& in, WrittenChecker& w, Contents&) {
       return in.text(w.program.source.language);
     }},
    {"source", read_checker_source},
    {"sources", read_checker_sources},
    {"protocol",
     [](Reader& in, WrittenChecker& w, Contents&) {
       return in.text(w.protocol);
     }},
    {"limits",
     [](Reader& in, WrittenChecker& w, Contents& c) {
       return read_limits(in, w.program.limits, c);
     }},
};

Status read_checker(Reader& in, Problem& out, Contents& contents) {
  if (in.take_null()) return {};
  WrittenChecker written;
  if (in.peek() == Reader::Kind::Text)
    TRY_STATUS(in.text(written.name));
  else
    TRY_STATUS((read_strict<WrittenChecker, Contents>(in, written, contents, kCheckerFields)));
  if (written.name.empty() != written.has_source)
    return in.fail("expected either a name or a source");
  if (!written.has_source) {
    auto comparison = judge::comparison_named(written.name, written.program.arguments);
    if (!comparison) return in.fail(describe(comparison.error()));
    out.checker = *comparison;
    return {};
  }
  if (written.program.source.language.empty()) return in.fail("a source needs its language");
  const auto protocol =
      judge::protocol_named(written.protocol.empty() ? "testlib" : written.protocol);
  if (!protocol)
    return in.fail("expected a protocol of testlib, icpc, exitcode, cms, lines and boca");
  written.program.protocol = *protocol;
  out.checker = std::move(written.program);
  return {};
}

constexpr StrictField<judge::ScorerProgram, Contents> kScorerFields[] = {
    {"language",
     [](Reader& in, judge::ScorerProgram& s, Contents&) {
       return in.text(s.source.language);
     }},
    {"source",
     [](Reader& in, judge::ScorerProgram& s, Contents& c) {
       s.source.sources.resize(1);
       return read_source_text(in, s.source.sources.front().content, c);
     }},
    {"limits",
     [](Reader& in, judge::ScorerProgram& s, Contents& c) {
       return read_limits(in, s.limits, c);
     }},
};

Status read_scorer(Reader& in, Problem& out, Contents& contents) {
  if (in.take_null()) return {};
  judge::ScorerProgram& scorer = out.scorer.emplace();
  TRY_STATUS((read_strict<judge::ScorerProgram, Contents>(in, scorer, contents, kScorerFields)));
  const bool whole = !scorer.source.language.empty() && !scorer.source.sources.empty();
  return whole ? Status{} : in.fail("a scorer needs a language and a source");
}

Status read_io_mode(Reader& in, Problem& out, Contents&) {
  std::string word;
  TRY_STATUS(in.text(word));
  if (word != "stdio" && word != "fileio") return in.fail("expected \"stdio\" or \"fileio\"");
  out.io_mode = word == "stdio" ? judge::IoMode::Stdio : judge::IoMode::FileIo;
  return {};
}

Status read_type(Reader& in, Problem&, Contents&) {
  std::string word;
  TRY_STATUS(in.text(word));
  return word == "batch" ? Status{} : in.fail("expected \"batch\"");
}

constexpr StrictField<Problem, Contents> kProblemFields[] = {
    {"type", read_type},
    {"ioMode", read_io_mode},
    {"inputFileName",
     [](Reader& in, Problem& p, Contents&) {
       return in.name(p.input_file);
     }},
    {"outputFileName",
     [](Reader& in, Problem& p, Contents&) {
       return in.name(p.output_file);
     }},
    {"limits",
     [](Reader& in, Problem& p, Contents& c) {
       return read_limits(in, p.limits, c);
     }},
    {"checker", read_checker},
    {"tests",
     [](Reader& in, Problem& p, Contents& c) {
       return read_at_most(in, kMostTests, "tests", p.tests, [&](ProblemTest& test) {
         return read_strict<ProblemTest, Contents>(in, test, c, kTestFields);
       });
     }},
    {"subtasks",
     [](Reader& in, Problem& p, Contents& c) {
       return read_at_most(in, kMostTests, "subtasks", p.subtasks, [&](Subtask& subtask) {
         return read_strict<Subtask, Contents>(in, subtask, c, kSubtaskFields);
       });
     }},
    {"scorer", read_scorer},
    {"stop",
     [](Reader& in, Problem& p, Contents& c) {
       return read_stop(in, p.stop, c);
     }},
};

// Whoever gives tests without names means their numbers.
void name_tests(Problem& problem) {
  for (std::size_t i = 0; i < problem.tests.size(); ++i)
    if (problem.tests[i].id.empty()) problem.tests[i].id = std::to_string(i + 1);
}

}  // namespace

Status read_problem(Reader& in, Problem& out, Contents& contents) {
  out.checker = TRY(judge::comparison_named("tokens"));
  TRY_STATUS((read_strict<Problem, Contents>(in, out, contents, kProblemFields)));
  name_tests(out);
  if (const Status checked = judge::check_problem(out); !checked)
    return in.fail(describe(checked.error()));
  return {};
}

Result<Problem> decode_problem(std::string_view json, Contents& contents) {
  Reader in(json);
  Problem problem;
  TRY_STATUS(read_problem(in, problem, contents));
  return problem;
}

}  // namespace assay::wire
