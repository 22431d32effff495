// One entry of the request's "cmd".
#pragma once

#include "exec/command.h"
#include "wire/reader.h"

namespace assay::wire {

Status read_command(Reader& in, exec::Command& out);

}  // namespace assay::wire
