// The programs of a problem's author: checker, interactor, manager and scorer.
#include "judge/compare_names.h"
#include "wire/decode_parts.h"

namespace assay::wire {
namespace {

using judge::Problem;
using service::Supply;

struct WrittenChecker {
  std::string name{}, protocol{};
  judge::CheckerProgram program{};
  bool has_source = false;
};

Status read_checker_source(Reader& in, WrittenChecker& out, Supply& supply) {
  out.has_source = true;
  judge::SourceFile& file = out.program.source.sources.emplace_back();
  return read_source_text(in, file.content, supply);
}

Status read_checker_sources(Reader& in, WrittenChecker& out, Supply& supply) {
  out.has_source = true;
  return read_at_most(in, kMostSources, "sources", out.program.source.sources,
                      [&](judge::SourceFile& file) { return read_source_file(in, file, supply); });
}

constexpr StrictField<WrittenChecker, Supply> kCheckerFields[] = {
    {"name",
     [](Reader& in, WrittenChecker& w, Supply&) {
       return read_name(in, w.name);
     }},
    {"args",
     [](Reader& in, WrittenChecker& w, Supply&) {
       return read_words(in, w.program.arguments);
     }},
    {"language",
     [](Reader& in, WrittenChecker& w, Supply&) {
       return read_name(in, w.program.source.language);
     }},
    {"source", read_checker_source},
    {"sources", read_checker_sources},
    {"protocol",
     [](Reader& in, WrittenChecker& w, Supply&) {
       return read_name(in, w.protocol);
     }},
    {"limits",
     [](Reader& in, WrittenChecker& w, Supply& c) {
       return read_limits(in, w.program.limits, c);
     }},
};

constexpr StrictField<judge::ScorerProgram, Supply> kScorerFields[] = {
    {"language",
     [](Reader& in, judge::ScorerProgram& s, Supply&) {
       return read_name(in, s.source.language);
     }},
    {"source",
     [](Reader& in, judge::ScorerProgram& s, Supply& c) {
       s.source.sources.resize(1);
       return read_source_text(in, s.source.sources.front().content, c);
     }},
    {"limits",
     [](Reader& in, judge::ScorerProgram& s, Supply& c) {
       return read_limits(in, s.limits, c);
     }},
};

// As a checker's program, with fewer protocols and no name.
Status read_partner(Reader& in, const char* what, WrittenChecker& out, Supply& supply) {
  TRY_STATUS((read_strict<WrittenChecker, Supply>(in, out, supply, kCheckerFields)));
  if (!out.name.empty() || !out.has_source || out.program.source.language.empty())
    return in.fail(std::string(what) + " needs a language and a source");
  return {};
}

}  // namespace

Status read_checker(Reader& in, Problem& out, Supply& supply) {
  if (in.take_null()) return {};
  out.has_own_checker = true;
  WrittenChecker written;
  if (in.peek() == Reader::Kind::Text)
    TRY_STATUS(read_name(in, written.name));
  else
    TRY_STATUS((read_strict<WrittenChecker, Supply>(in, written, supply, kCheckerFields)));
  if (written.name.empty() != written.has_source)
    return in.fail("expected either a name or a source");
  if (!written.has_source) {
    auto comparison = judge::comparison_named(written.name, written.program.arguments);
    if (!comparison) return in.fail(describe(comparison.error()));
    out.checker = *comparison;
    out.checks_by_policy = false;
    return {};
  }
  if (written.program.source.language.empty()) return in.fail("a source needs its language");
  const auto protocol =
      judge::protocol_named(written.protocol.empty() ? "testlib" : written.protocol);
  if (!protocol)
    return in.fail("expected a protocol of testlib, icpc, exitcode, cms, lines and boca");
  out.checks_by_policy = written.protocol.empty();
  written.program.protocol = *protocol;
  out.checker = std::move(written.program);
  return {};
}

Status read_interactor(Reader& in, Problem& out, Supply& supply) {
  if (in.take_null()) return {};
  WrittenChecker written;
  TRY_STATUS(read_partner(in, "an interactor", written, supply));
  const auto protocol =
      judge::protocol_named(written.protocol.empty() ? "testlib" : written.protocol);
  if (!protocol) return in.fail("expected a protocol of testlib, icpc and noj");
  out.interactor = judge::Interactor{.source = std::move(written.program.source),
                                     .protocol = *protocol,
                                     .arguments = std::move(written.program.arguments),
                                     .limits = written.program.limits};
  return {};
}

Status read_manager(Reader& in, Problem& out, Supply& supply) {
  if (in.take_null()) return {};
  WrittenChecker written;
  TRY_STATUS(read_partner(in, "a manager", written, supply));
  judge::Manager& manager = out.manager.emplace();
  if (!written.protocol.empty()) {
    manager.protocol = judge::protocol_named(written.protocol);
    if (!manager.protocol) return in.fail("expected a protocol of cms and testlib");
  }
  manager.source = std::move(written.program.source);
  manager.arguments = std::move(written.program.arguments);
  manager.limits = written.program.limits;
  return {};
}

Status read_scorer(Reader& in, Problem& out, Supply& supply) {
  if (in.take_null()) return {};
  judge::ScorerProgram& scorer = out.scorer.emplace();
  TRY_STATUS((read_strict<judge::ScorerProgram, Supply>(in, scorer, supply, kScorerFields)));
  const bool whole = !scorer.source.language.empty() && !scorer.source.sources.empty();
  return whole ? Status{} : in.fail("a scorer needs a language and a source");
}

}  // namespace assay::wire
