// go-judge's CmdFile: one JSON object that may be many things; the first rule that fits decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "exec/command.h"
#include "wire/reader.h"

namespace assay::wire {

struct CmdFile {
  std::optional<std::string> src{}, content{}, id{}, name{}, link{};
  std::optional<std::uint64_t> max{};
  bool stream_in = false, stream_out = false, pipe = false;
  bool directory = false;                          // ours
  exec::Encoding encoding = exec::Encoding::Text;  // ours: of content
};

Status read_encoding(Reader& in, exec::Encoding& out);
Status read_cmd_file(Reader& in, CmdFile& out);

// As a descriptor, and as something to copy in (a link is handled before).
Result<exec::File> file_of(const Reader& in, CmdFile from);
Result<exec::Source> source_of(const Reader& in, CmdFile from);

}  // namespace assay::wire
