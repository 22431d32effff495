// judge::Judge as the service wants it: by the catalogue that is current when an order comes.
#pragma once

#include <memory>

#include "config/catalogue.h"
#include "service/judgings.h"

namespace assay::service {

// All are borrowed. `workers`: tests of one submission at the same time.
std::unique_ptr<JudgeEngine> make_judge_engine(sandbox::Sandbox& engine,
                                               config::Catalogue& catalogue, unsigned workers,
                                               judge::JudgeTools tools = {});

}  // namespace assay::service
