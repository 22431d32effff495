// Anything as a request: an error, or a request that survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto request = wire::decode_request(text)) {
    const auto again = wire::decode_request(wire::encode_request(*request));
    CHECK(again.has_value() && *again == *request);
  } else {
    CHECK(request.error().fault == Fault::InvalidRequest);
    CHECK(!request.error().context.empty());
  }
  (void)wire::decode_socket_message(text);
  (void)wire::decode_resize(text);
  (void)wire::encode_string(text);
  return 0;
}
