#include "service/names.h"

#include <algorithm>

namespace assay::service {
namespace {

constexpr std::size_t kLongest = 128;

bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
}

}  // namespace

bool is_good_name(std::string_view name) {
  return name.size() <= kLongest && !name.starts_with('.') && std::ranges::all_of(name, is_letter);
}

}  // namespace assay::service
