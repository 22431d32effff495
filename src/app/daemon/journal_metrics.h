#pragma once

#include <string>

#include "journal/journal.h"

namespace assay::daemon {

std::string metrics_text(const journal::Snapshot& now);  // in Prometheus' format

}  // namespace assay::daemon
