#include "wire/openapi.h"

// Both our compilers take longer ones than those that every compiler must.
#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace assay::wire {

std::string_view openapi_json() {
  static constexpr std::string_view kDocument =
#include "wire/openapi_document.inc"
      ;
  return kDocument;
}

}  // namespace assay::wire
