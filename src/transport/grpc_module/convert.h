// go-judge's protobuf messages, and our values. The only file pair where their field names meet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/command.h"
#include "exec/result.h"
#include "executor.pb.h"
#include "store/store.h"

namespace assay::transport::module {

// `live`: streams may be asked for. An error names the place: "cmd[0].files[1].pipe.max: expected
// integer >= 0, got -1".
Result<exec::Request> to_request(const pb::Request& message, bool live);

// Contents are moved out of the results.
pb::Response to_response(const std::string& request_id, std::vector<exec::CommandResult> results);

pb::FileListType to_file_list(const std::vector<store::Listed>& files);

// A protobuf string must be UTF-8, or clients refuse the whole message: what is not becomes U+FFFD.
std::string as_utf8(std::string text);

}  // namespace assay::transport::module
