// What a request of a run says, taken out of flat memory: by init in the box, and by whoever tests
// that nothing outside of that memory is ever touched. Nothing here allocates or calls anybody.
#pragma once

#include "sandbox/inside/plan.h"

namespace assay::sandbox::inside {

// Whether the numbers of a request fit each other and the message that it came in.
inline bool is_shaped(const RunRequest& request, unsigned long size, unsigned fd_count) noexcept {
  if (request.limits > kMaxResourceLimits || request.cpu_words > kMaxCpuWords ||
      request.descriptors > kMaxRunDescriptors || request.copies > kMaxCopies ||
      request.program > 1 || request.strings > kMaxStrings)
    return false;
  const unsigned long inline_strings = request.long_strings != 0 ? 0 : request.strings;
  return fd_count == request.descriptors + request.copies + request.program +
                         (request.long_strings != 0 ? 1 : 0) &&
         size >= sizeof request + inline_strings;
}

// The program's own descriptor; they arrive in order.
inline int program_descriptor(const RunRequest& request) noexcept {
  return static_cast<int>(request.descriptors + request.copies);
}

// Pointers to `count` strings one after the other, and a null behind them; null where they do not
// fit.
inline char** point_at(char*& text, const char* text_end, char**& pointers,
                       char* const* pointers_end, std::uint32_t count) noexcept {
  char** first = pointers;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (pointers + 1 >= pointers_end) return nullptr;
    char* end = text;
    while (end < text_end && *end != '\0')
      ++end;
    if (end >= text_end) return nullptr;
    *pointers++ = text;
    text = end + 1;
  }
  if (pointers >= pointers_end) return nullptr;
  *pointers++ = nullptr;
  return first;
}

struct PutInPart {
  PutIn what{};
  const char* name = nullptr;
  const char* content = nullptr;
};

// The next thing to put in, and `list` behind it; false when it is not whole.
inline bool take_put_in(const char*& list, const char* end, PutInPart& part) noexcept {
  if (end - list < static_cast<long>(sizeof part.what)) return false;
  __builtin_memcpy(&part.what, list, sizeof part.what);
  const auto left = static_cast<unsigned long>(end - list) - sizeof part.what;
  const PutIn& what = part.what;
  if (what.name == 0 || what.name > left || what.content > left - what.name) return false;
  part.name = list + sizeof what;
  part.content = part.name + what.name;
  list = part.content + what.content;
  const bool is_link = what.kind == PutIn::Kind::Link;
  return part.name[what.name - 1] == '\0' &&
         (!is_link || (what.content > 0 && part.content[what.content - 1] == '\0'));
}

}  // namespace assay::sandbox::inside
