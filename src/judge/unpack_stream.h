// Reads what assay-unpack wrote. That program has met a hostile archive, so that its word counts
// for nothing: every rule is checked again here. Pure.
#pragma once

#include <string_view>

#include "judge/unpacking.h"

namespace assay::judge {

// A stream that breaks the protocol or the limits is a refusal, too.
Unpacked read_unpacked(std::string_view stream, const ArchiveLimits& limits);
// The same, with files for a taker, if there is one. An Error is the taker's.
Result<Unpacked> read_unpacked(std::string_view stream, const ArchiveLimits& limits,
                               const FileTaker* taker);

// Why a path in an archive is not taken; empty when it is: relative, plain, UTF-8, within the
// limits.
std::string complaint_about_name(std::string_view name, const ArchiveLimits& limits);

}  // namespace assay::judge
