#include "wire/openapi.h"

namespace assay::wire {

std::string_view openapi_json() {
  static constexpr std::string_view kDocument =
#include "wire/openapi_document.inc"
      ;
  return kDocument;
}

}  // namespace assay::wire
