#include "base/result.h"

#include <cstring>

namespace assay {

std::string describe(const Error& error) {
  if (error.code == 0) return error.context;
  // strerrordesc_np is a lookup in a constant table: unlike strerror it is safe from any thread.
  const char* text = ::strerrordesc_np(error.code);
  return error.context + ": " +
         (text != nullptr ? std::string(text) : "error " + std::to_string(error.code));
}

}  // namespace assay
