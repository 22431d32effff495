// What Normal-OJ takes in: a zip with a file called main, or with a project. Only what the zip says
// of its entries is looked at here; unpacking is the business of a box, which believes none of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/unpacking.h"
#include "package/noj_meta.h"

namespace assay::package {

struct ZipEntry {
  std::string name{};
  Bytes size{};  // unpacked, as it says
  bool is_link = false;
  bool operator==(const ZipEntry&) const = default;
};

// From the directory at the end of a zip. Each must be what the entry itself says, or whoever
// reads from the start would see other files than we do.
Result<std::vector<ZipEntry>> entries_of_zip(std::string_view zip,
                                             const judge::ArchiveLimits& limits = {});

// The refusals are Normal-OJ's.
Status check_noj_archive(const NojMeta& meta, NojLanguage language,
                         const std::vector<ZipEntry>& entries);

}  // namespace assay::package
