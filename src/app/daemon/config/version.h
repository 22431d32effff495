#pragma once

#include <string>

namespace assay::daemon {

inline constexpr const char* kSpokenVersion = "v1.12.2";  // go-judge's, whose interface we speak
std::string engine_version();                             // ours

}  // namespace assay::daemon
