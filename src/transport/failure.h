// A failure of our own interface, as an answer.
#pragma once

#include "transport/message.h"

namespace assay::transport {

Answer failure_answer(const Error& error);

}  // namespace assay::transport
