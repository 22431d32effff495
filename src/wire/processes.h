// Processes that clients hold, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "service/processes.h"

namespace assay::wire {

Result<service::ProcessOrder> decode_process(std::string_view json);
std::string encode_process(const std::string& id, const held::Reading& reading);
std::string encode_processes(const std::vector<service::Processes::Ptr>& processes);
std::string encode_written(std::size_t bytes, bool closed);

}  // namespace assay::wire
