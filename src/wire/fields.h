// A JSON object as a table: the name of each field and how to read it. Names match as in Go:
// exactly, else in any case; unknown ones are passed over; of repeated ones the last wins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/reader.h"

namespace assay::wire {

bool same_letters(std::string_view name, std::string_view key);  // in any case, of A-Z

template <typename T>
struct Field {
  std::string_view name;
  Status (*read)(Reader& in, T& out);
};

template <typename T>
const Field<T>* find_field(std::span<const Field<T>> fields, std::string_view key) {
  for (const Field<T>& field : fields)
    if (field.name == key) return &field;
  for (const Field<T>& field : fields)
    if (same_letters(field.name, key)) return &field;
  return nullptr;
}

template <typename T>
Status read_object(Reader& in, T& out, std::span<const Field<T>> fields) {
  if (in.take_null()) return {};
  return in.members([&](std::string_view key) -> Status {
    const Field<T>* field = find_field(fields, key);
    return field != nullptr ? field->read(in, out) : in.skip();
  });
}

// A list replaces what was there; null empties it.
template <typename T, typename Read>
Status read_list(Reader& in, std::vector<T>& out, Read&& read) {
  out.clear();
  if (in.take_null()) return {};
  return in.elements([&] { return read(out.emplace_back()); });
}

}  // namespace assay::wire
