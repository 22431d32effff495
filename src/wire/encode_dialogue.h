// What two programs said to each other. Private to the encoders.
#pragma once

#include "judge/judge_result.h"
#include "service/judging.h"
#include "wire/writer.h"

namespace assay::wire {

void append_interaction(std::string& out, const judge::InteractionResult& interaction,
                        bool with_facts);

void append_said(std::string& out, const service::SaidInTest& said);

}  // namespace assay::wire
