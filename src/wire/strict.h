// Objects of our own interface: names match exactly, and one that nobody knows is an error, because
// a limit with a typing mistake in it would be no limit.
#pragma once

#include <span>

#include "wire/fields.h"

namespace assay::wire {

template <typename T, typename Context>
struct StrictField {
  std::string_view name;
  Status (*read)(Reader& in, T& out, Context& context);
};

template <typename T, typename Context>
Status read_strict(Reader& in, T& out, Context& context,
                   std::span<const StrictField<T, Context>> fields) {
  if (in.peek() != Reader::Kind::Object)
    return in.members([](std::string_view) { return Status{}; });
  return in.members([&](std::string_view key) -> Status {
    for (const StrictField<T, Context>& field : fields)
      if (field.name == key) return field.read(in, out, context);
    return in.fail("unknown field");
  });
}

template <typename T, typename Read>
Status read_at_most(Reader& in, std::size_t most, std::string_view what, std::vector<T>& out,
                    Read&& read) {
  return read_list(in, out, [&](T& element) -> Status {
    if (out.size() > most)
      return in.fail("more than " + std::to_string(most) + " " + std::string(what));
    return read(element);
  });
}

}  // namespace assay::wire
