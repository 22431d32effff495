// A stored file as an HTTP answer: its name, its type, and the part of it that was asked for.
#pragma once

#include "exec/result.h"
#include "store/store.h"
#include "transport/message.h"

namespace assay::transport {

Answer file_answer(store::Opened file, const Head& head);

// What programs left in the store for a client who is not told.
void forget_files(store::Store& store, const std::vector<exec::CommandResult>& results);

std::string_view type_of_file(std::string_view name);    // by its extension; "" when unknown
std::string disposition_of_file(std::string_view name);  // Content-Disposition

}  // namespace assay::transport
