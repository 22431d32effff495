#include "config/source.h"

#include <array>

namespace assay::config {

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames{"language", "profile", "policy"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace assay::config
