// Bytes in and out of files, plain or compressed.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "store/store.h"

namespace assay::store {

using Sink = std::function<Status(std::string_view bytes)>;

// All of a file, piece by piece; its offset is left alone.
Status read_through(int fd, const Sink& sink);

// Compresses all of `from` to the end of `to`.
Status pack(int from, int to, Compression form);

// The plain bytes of a file in `form`. Damaged data is an error, and so is more than `most`:
// whoever tampers with a file must not fill the disk with it.
Status unpack(int from, Compression form, Bytes most, const Sink& sink);

std::string_view word_of(Compression form);  // "plain", "lz4", "zstd"
std::optional<Compression> form_of(std::string_view word);
std::string_view suffix_of(Compression form);  // of a blob's file name

}  // namespace assay::store
