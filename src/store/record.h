// What is known of one id. A record is one directory entry: the target of a symbolic link that
// leads nowhere, so that writing one is a single atomic system call; a name too long for that, or
// with a zero byte in it, makes it a small file instead.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "store/packing.h"

namespace assay::store {

constexpr Bytes kLongestName = 64_KiB;

struct Record {
  std::string digest{};
  Bytes size{};  // of the plain bytes
  Compression form = Compression::None;
  std::chrono::system_clock::time_point added{};
  std::string name{};
};

std::string encode(const Record& record);
std::optional<Record> decode_record(std::string_view text);  // nothing when it is not one

bool fits_a_link(std::string_view encoded);

}  // namespace assay::store
