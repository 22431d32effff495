// Bytes on their way into JSON, logs and terminals.
#include "base/check.h"
#include "fuzz/targets.h"
#include "judge/checker_text.h"
#include "wire/base64.h"
#include "wire/json.h"
#include "wire/reader.h"
#include "wire/utf8.h"

namespace assay::fuzz {
namespace {

void check_json(std::string_view bytes) {
  const std::string written = wire::encode_string(bytes);
  CHECK(wire::is_utf8(written) && written.size() <= 6 * bytes.size() + 2);
  std::string back;
  wire::Reader reader(written);
  CHECK(reader.text(back).has_value());
  CHECK(wire::is_utf8(back));
  if (wire::is_utf8(bytes)) CHECK(back == bytes);
}

void check_base64(std::string_view bytes) {
  std::string written;
  wire::append_base64(written, bytes);
  CHECK(wire::decode_base64(written).has_value() && written == bytes);
  std::string foreign(bytes);
  if (wire::decode_base64(foreign)) CHECK(foreign.size() <= bytes.size() / 4 * 3);
}

// At most so many characters, each of at most 7 bytes when it is escaped.
void check_safe(std::string_view bytes) {
  constexpr std::size_t kMost = 40;
  const std::string cut = judge::safe_text(bytes, kMost, "…");
  CHECK(wire::is_utf8(cut) && cut.size() <= kMost * 7 + 3);
  const std::string whole = judge::safe_text(bytes, SIZE_MAX);
  for (const char c : whole)
    CHECK(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  CHECK(judge::safe_text(whole, SIZE_MAX) == whole);
  const std::string_view middle = judge::trimmed(bytes);
  CHECK(judge::trimmed(middle) == middle);
}

}  // namespace

void text(std::string_view bytes) {
  check_json(bytes);
  check_base64(bytes);
  check_safe(bytes);
  std::string value;
  wire::Reader foreign(bytes);
  if (foreign.text(value)) CHECK(wire::is_utf8(value));
  wire::Reader skipped(bytes);
  if (skipped.skip()) CHECK(skipped.position() <= bytes.size());
}

}  // namespace assay::fuzz
