// What the unpacker says, after a hostile archive took it over.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "judge/unpack_stream.h"
#include "judge/unpacker/stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;  // NOLINT(google-build-using-namespace)
  const judge::ArchiveLimits limits{.total = 64_B, .entries = 4, .depth = 2, .name = 16};
  const std::string text(judge::unpacker::kMagic);
  const auto unpacked =
      judge::read_unpacked(text + std::string(reinterpret_cast<const char*>(data), size), limits);
  CHECK(unpacked.refusal.empty() || unpacked.files.empty());
  CHECK(unpacked.files.size() + unpacked.directories.size() <= limits.entries);
  std::size_t total = 0;
  for (const judge::SourceFile& file : unpacked.files) {
    total += file.content.size();
    CHECK(judge::complaint_about_name(file.name, limits).empty());
  }
  CHECK(total <= limits.total.count);
  return 0;
}
