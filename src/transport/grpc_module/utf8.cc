#include "wire/utf8.h"

#include "transport/grpc_module/convert.h"

namespace assay::transport::module {

std::string as_utf8(std::string text) {
  if (wire::is_utf8(text)) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = wire::sequence_length(text, at);
    if (length == 0)
      out += wire::kReplacement;
    else
      out.append(text, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace assay::transport::module
