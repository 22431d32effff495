// judge::Judge as the service wants it: every policy at hand, and what languages and profiles say.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "judge/pipeline.h"
#include "service/judgings.h"

namespace assay::service {

struct JudgeData {
  judge::LanguageSet languages;
  judge::ProfileLimits profiles{};
  std::map<std::string, verdict::Policy, std::less<>> policies{};
  std::string default_policy = "assay";
};

// `workers`: tests of one submission at the same time.
std::unique_ptr<JudgeEngine> make_judge_engine(sandbox::Sandbox& engine,
                                               std::shared_ptr<const JudgeData> data,
                                               unsigned workers);

}  // namespace assay::service
