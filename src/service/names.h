// Names that clients give to submissions and problems. They become part of addresses, logs and
// labels.
#pragma once

#include <string_view>

namespace assay::service {

inline constexpr const char* kGoodName =
    "at most 128 of A-Z a-z 0-9 . _ - and no dot at its beginning";
bool is_good_name(std::string_view name);  // the empty one, too

}  // namespace assay::service
