// Text that strangers had a hand in, on its way to a terminal.
#pragma once

#include <string>

namespace assay::cli {

std::string one_line(std::string text);  // without line ends and escape codes

}  // namespace assay::cli
