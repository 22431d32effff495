// What the pipe `info` of `assay box` tells about the last wait, beyond the three lines of
// `status`.
#pragma once

#include <string>

#include "held/reading.h"

namespace assay::cli {

std::string info_json(const held::Reading& reading);

}  // namespace assay::cli
