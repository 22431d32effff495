#include "wire/fields.h"

#include <algorithm>

namespace assay::wire {
namespace {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool same_letters(std::string_view name, std::string_view key) {
  return std::ranges::equal(name, key, {}, lower, lower);
}

}  // namespace assay::wire
