// Our own interface for judging, as JSON: the fields are those of seed 001's JudgeResult and of
// problem.toml. An error names the place: "$.problem.tests[3].input.fileId: no file has this id".
#pragma once

#include <string>
#include <string_view>

#include "judge/unpacking.h"
#include "service/contents.h"
#include "service/judging.h"
#include "service/problems.h"

namespace assay::wire {

struct SubmissionRequest {
  service::JudgeOrder order{};  // without a problem, if it was named
  bool wait = false;
};

constexpr Bytes kLargestArchive = judge::ArchiveLimits{}.archive;

// Files that came beside the JSON, in the parts of a form.
struct SentFiles {
  std::vector<judge::SourceFile> sources{};
  std::optional<judge::Content> archive{};
  std::string archive_digest{};
};

// Contents are opened while the request is read.
Result<SubmissionRequest> decode_submission(std::string_view json, service::Supply& supply,
                                            SentFiles sent = {});
Result<judge::Problem> decode_problem(std::string_view json, service::Supply& supply);

std::string encode_judge_result(const judge::JudgeResult& result, bool with_facts);
// As far as it is; the result, when it is over.
std::string encode_judging(const service::Judging& judging);

std::string_view name_of(service::JudgingStep step);  // "queued", "compiling", …
std::string encode_event(const service::JudgingEvent& event, const service::Judging& judging);

std::string encode_languages(const judge::LanguageSet& languages);
std::string encode_problem(const service::ProblemInfo& problem);
std::string encode_problems(const std::vector<service::ProblemInfo>& problems);
std::string encode_failure(const Error& error);  // {"error":{"code":"not_found","message":"…"}}

}  // namespace assay::wire
