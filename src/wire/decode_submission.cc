#include <algorithm>
#include <cmath>

#include "store/digest.h"
#include "wire/decode_parts.h"
#include "wire/judging.h"

namespace assay::wire {
namespace {

using service::Supply;

struct Written {
  SubmissionRequest request{};
  bool has_sources = false;
};

judge::Submission& submission(Written& written) {
  return written.request.order.submission;
}

Status read_source(Reader& in, Written& out, Supply& supply) {
  if (out.has_sources) return in.fail("source and sources are one too many");
  out.has_sources = true;
  return read_source_text(in, submission(out).sources.emplace_back().content, supply);
}

Status read_sources(Reader& in, Written& out, Supply& supply) {
  if (out.has_sources) return in.fail("source and sources are one too many");
  out.has_sources = true;
  return read_at_most(in, kMostSources, "sources", submission(out).sources,
                      [&](judge::SourceFile& file) { return read_source_file(in, file, supply); });
}

Status read_whole_problem(Reader& in, Written& out, Supply& supply) {
  auto problem = std::make_shared<judge::Problem>();
  TRY_STATUS(read_problem(in, *problem, supply));
  out.request.order.problem = std::move(problem);
  return {};
}

Status read_factor(Reader& in, judge::Factor& out, double least, double most) {
  if (in.take_null()) return {};
  double value = 0;
  TRY_STATUS(in.real(value, least, most));
  out.thousandths = static_cast<std::uint64_t>(std::llround(value * 1000));
  return {};
}

Status read_counts(Reader& in, judge::Repeats& out, Supply&) {
  std::string word;
  TRY_STATUS(in.text(word));
  if (word != "fastest" && word != "slowest") return in.fail("expected \"fastest\" or \"slowest\"");
  out.counts =
      word == "fastest" ? judge::Repeats::Counts::Fastest : judge::Repeats::Counts::Slowest;
  return {};
}

constexpr StrictField<judge::Repeats, Supply> kRepeatFields[] = {
    {"most",
     [](Reader& in, judge::Repeats& r, Supply&) -> Status {
       std::uint64_t most = r.most;
       TRY_STATUS(in.count(most, 10));
       r.most = static_cast<unsigned>(most);
       return {};
     }},
    {"margin",
     [](Reader& in, judge::Repeats& r, Supply&) {
       return read_factor(in, r.margin, 0, 1);
     }},
    {"counts", read_counts},
};

Status read_priority(Reader& in, Written& out, Supply&) {
  std::int64_t priority = 0;
  TRY_STATUS(in.integer(priority, -1'000'000, 1'000'000));
  out.request.order.priority = static_cast<int>(priority);
  return {};
}

constexpr StrictField<Written, Supply> kFields[] = {
    {"submissionId",
     [](Reader& in, Written& w, Supply&) {
       return read_name(in, submission(w).id);
     }},
    {"language",
     [](Reader& in, Written& w, Supply&) {
       return read_name(in, submission(w).language);
     }},
    {"source", read_source},
    {"sources", read_sources},
    {"archive",
     [](Reader& in, Written& w, Supply& c) {
       return read_archive(in, submission(w).archive, c);
     }},
    {"extraFlags",
     [](Reader& in, Written& w, Supply&) {
       return read_words(in, submission(w).extra_flags);
     }},
    {"problemId",
     [](Reader& in, Written& w, Supply&) {
       return read_name(in, w.request.order.problem_id);
     }},
    {"problem", read_whole_problem},
    {"policy",
     [](Reader& in, Written& w, Supply&) {
       return read_name(in, w.request.order.policy);
     }},
    {"stop",
     [](Reader& in, Written& w, Supply& c) {
       return read_stop(in, w.request.order.options.stop, c);
     }},
    {"limits",
     [](Reader& in, Written& w, Supply& c) {
       return read_limits(in, w.request.order.options.limits, c);
     }},
    {"softTimeLimit",
     [](Reader& in, Written& w, Supply&) {
       return read_factor(in, w.request.order.options.soft, 1, 10);
     }},
    {"repeats",
     [](Reader& in, Written& w, Supply& c) {
       return read_strict<judge::Repeats, Supply>(in, w.request.order.options.repeats, c,
                                                  kRepeatFields);
     }},
    {"sanitize",
     [](Reader& in, Written& w, Supply&) {
       return in.flag(w.request.order.options.sanitize);
     }},
    {"lint",
     [](Reader& in, Written& w, Supply&) {
       return in.flag(w.request.order.options.lint);
     }},
    {"dialogue",
     [](Reader& in, Written& w, Supply&) -> Status {
       bool wanted = false;
       TRY_STATUS(in.flag(wanted));
       w.request.order.options.dialogue = wanted ? judge::kLogLimit : Bytes{};
       return {};
     }},
    {"priority", read_priority},
    {"wait",
     [](Reader& in, Written& w, Supply&) {
       return in.flag(w.request.wait);
     }},
    {"facts",
     [](Reader& in, Written& w, Supply&) {
       return in.flag(w.request.order.wants_facts);
     }},
    {"webhook",
     [](Reader& in, Written& w, Supply&) {
       return read_name(in, w.request.order.webhook);
     }},
};

// Whoever sends a submission again may wait for it now and not before: that is the same submission.
Status read_member(Reader& in, std::string_view key, Written& out, Supply& supply,
                   store::Sha256& digest) {
  const auto* field = std::ranges::find(kFields, key, &StrictField<Written, Supply>::name);
  if (field == std::end(kFields)) return in.fail("unknown field");
  const std::size_t begin = in.position();
  TRY_STATUS(field->read(in, out, supply));
  if (key == "wait") return {};
  digest.update(key);
  digest.update(in.text_since(begin));
  return {};
}

}  // namespace

Result<SubmissionRequest> decode_submission(std::string_view json, Supply& supply, SentFiles sent) {
  Reader in(json);
  Written written;
  store::Sha256 digest;
  TRY_STATUS(in.members(
      [&](std::string_view key) { return read_member(in, key, written, supply, digest); }));
  TRY_STATUS(in.end());
  service::JudgeOrder& order = written.request.order;
  for (judge::SourceFile& file : sent.sources) {
    if (const Status fine = supply.count_source({file.content.size()}); !fine) {
      if (fine.error().fault == Fault::Busy) return std::unexpected(fine.error());
      return invalid("source: " + describe(fine.error()));
    }
    digest.update(file.name + '\0' + file.content + '\0');
    order.submission.sources.push_back(std::move(file));
  }
  digest.update(sent.archive_digest);
  order.digest = digest.finish();
  if (sent.archive) order.submission.archive = std::move(sent.archive);
  if (order.submission.sources.empty() && !order.submission.archive)
    return invalid("$: expected a source, sources or an archive");
  if ((order.problem != nullptr) == !order.problem_id.empty())
    return invalid("$: expected either a problem or a problemId");
  return std::move(written.request);
}

}  // namespace assay::wire
