#include "held/request.h"

namespace assay::held {

Asked read_request(std::string_view bytes, verdict::WaitPolarity polarity) {
  if (bytes.empty()) return Asked::Nothing;
  const char ends = polarity == verdict::WaitPolarity::ZeroTerminates ? '0' : '1';
  bool after_digit = false;
  bool terminate = false;
  for (const char byte : bytes) {
    const bool is_digit = byte == '0' || byte == '1';
    if (!is_digit && !(byte == '\n' && after_digit)) return Asked::Unclear;
    after_digit = is_digit;
    terminate |= byte == ends;
  }
  return terminate ? Asked::Terminate : Asked::Continue;
}

}  // namespace assay::held
