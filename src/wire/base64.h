// Base64 of RFC 4648, with padding: how bytes that are no text travel in JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::wire {

void append_base64(std::string& out, std::string_view bytes);

// In place: what is decoded is never longer. Strict: no line breaks, no missing padding.
Status decode_base64(std::string& text);

}  // namespace assay::wire
