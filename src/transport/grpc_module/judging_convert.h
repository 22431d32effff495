// api/assay.proto's messages, and our values. Only here and in its .cc files do they meet.
#pragma once

#include <vector>

#include "assay.pb.h"
#include "service/contents.h"
#include "service/judging.h"
#include "service/problems.h"

namespace assay::transport::module {

namespace v1 = ::assay::v1;

// Contents are opened meanwhile. Without a problem, if it was named. An error names the place:
// "problem.tests[3].input.file_id: no file has this id".
Result<service::JudgeOrder> to_order(const v1::SubmitRequest& message, service::Supply& supply);
Result<judge::Problem> to_problem(const v1::Problem& message, const std::string& place,
                                  service::Supply& supply);
std::string digest_of(const v1::Problem& message);

v1::JudgingState to_state(const service::Judging& judging);
v1::JudgingEvent to_event(const service::JudgingEvent& event, const service::Judging& judging);
v1::LanguageList to_languages(const std::vector<judge::Language>& languages);
v1::ProblemInfo to_info(const service::ProblemInfo& problem);

void fill_facts(const sandbox::Facts& from, v1::Facts& to);

}  // namespace assay::transport::module
