// The description of the REST interface that GET /openapi.json answers. api/openapi.json is a copy
// for readers; a test keeps them equal.
#pragma once

#include <string_view>

namespace assay::wire {

std::string_view openapi_json();

}  // namespace assay::wire
