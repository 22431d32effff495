// Handles for clients: 80 random bits as 16 letters of A-Z2-7, the alphabet of go-judge's ids.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::store {

Result<std::string> make_id();

// The only test that lets a client's text become a file name: 8 to 64 of A-Z2-7.
bool is_id(std::string_view text);

}  // namespace assay::store
