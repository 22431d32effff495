// libFuzzer's way in; ASSAY_FUZZ_TARGET is the function of targets.h that this program is for.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::ASSAY_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
