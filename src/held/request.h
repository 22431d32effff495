// What a client means by the bytes it wrote to the `wait` pipe. Pure.
#pragma once

#include <string_view>

#include "verdict/policy.h"

namespace assay::held {

enum class Asked {
  Nothing,  // opened and closed: it asks for nothing and waits for no answer
  Continue,
  Terminate,
  Unclear  // answered as Continue: a wrong byte must not end a process
};

// All that came until the client closed. One digit, with or without a newline; digits of clients
// that wrote at once are one request, and one of them that asks for the end gets it.
Asked read_request(std::string_view bytes, verdict::WaitPolarity polarity);

}  // namespace assay::held
