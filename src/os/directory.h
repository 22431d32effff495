// What is in a directory.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::os {

// The names in it, without "." and "..", in no order. std::filesystem's range loop throws when the
// directory cannot be read to its end.
Result<std::vector<std::string>> names_in(const std::string& directory);

}  // namespace assay::os
