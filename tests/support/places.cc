#include "tests/support/places.h"

#include <cstdlib>

namespace assay::test {
namespace {

std::string named(const char* variable, const char* otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? text : otherwise;
}

}  // namespace

std::string tried_programs() {
  return named("ASSAY_TRIED_PROGRAMS", ASSAY_BIN_DIR);
}
std::string tried_data() {
  return named("ASSAY_TRIED_DATA", ASSAY_SOURCE_DIR);
}
std::string tried_guests() {
  return named("ASSAY_TRIED_GUESTS", ASSAY_GUEST_DIR);
}
bool is_report() {
  return !named("ASSAY_TRIED_PROGRAMS", "").empty();
}

}  // namespace assay::test
