// The lasting form of values: bytes that outlive us and that another version of us reads. A struct
// is a row of fields, each a number, a length and its bytes: what a reader does not know it skips,
// what is missing keeps its default, a list repeats its number. Numbers are never used again for
// something else. `fields(io, value)` names the fields of a struct, once for writing and reading.
#pragma once

#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.h"
#include "judge/content.h"

namespace assay::journal {

using Files = std::vector<std::shared_ptr<const os::OwnedFd>>;

// Bytes, and the open files that they name by number: whoever keeps the one keeps the others.
struct Lasting {
  std::string bytes{};
  Files files{};
};

// Where a reader finds what the bytes only name.
struct Sources {
  std::function<Result<os::OwnedFd>(std::size_t number)> file{};
  std::function<Result<judge::Content>(const std::string& path)> host_file{};
  // Who holds a file of them; none: whatever names it.
  std::function<std::shared_ptr<const os::OwnedFd>(os::OwnedFd file)> adopt{};
};

// The same during one reading. A thousand tests may name one file, and the files of a package are
// parts of one: it is opened once.
struct OpenSources {
  const Sources& from;
  std::map<std::uint64_t, std::shared_ptr<const os::OwnedFd>> opened{};
};

template <typename V, typename T>
concept Of = std::same_as<std::remove_const_t<V>, T>;

class Writer {
 public:
  explicit Writer(Lasting& out) : out_(out) {}

  template <typename T>
  void operator()(unsigned number, const T& value) {
    const std::size_t begin = out_.bytes.size();
    write(value);
    frame(number, begin);
  }
  template <typename T>
  void operator()(unsigned number, const std::optional<T>& value) {
    if (value) (*this)(number, *value);
  }
  template <typename T>
  void operator()(unsigned number, const std::vector<T>& list) {
    for (const T& value : list)
      (*this)(number, value);
  }
  template <typename E>
  void choice(unsigned number, const E& value, E) {
    (*this)(number, static_cast<std::uint64_t>(value));
  }
  template <typename E>
  void choice(unsigned number, const std::optional<E>& value, E last) {
    if (value) choice(number, *value, last);
  }
  // A variant is one field per kind of value, of which one is there.
  template <typename T, typename V>
  void alternative(unsigned number, const V& variant) {
    if (const T* value = std::get_if<T>(&variant)) (*this)(number, *value);
  }

 private:
  void count(std::uint64_t value);
  void frame(unsigned number, std::size_t begin);  // in front of what was written since
  void write(std::uint64_t value) { count(value); }
  void write(std::int64_t value);
  void write(unsigned value) { count(value); }
  void write(int value) { write(std::int64_t{value}); }
  void write(bool value) { count(value ? 1 : 0); }
  void write(double value) { count(std::bit_cast<std::uint64_t>(value)); }
  void write(Bytes value) { count(value.count); }
  void write(const std::string& text) { out_.bytes += text; }
  void write(const judge::Content& content);
  void write(const std::map<std::string, std::string, std::less<>>& map);
  template <typename R, typename P>
  void write(std::chrono::duration<R, P> value) {
    write(std::int64_t{std::chrono::nanoseconds(value).count()});
  }
  template <typename C, typename D>
  void write(std::chrono::time_point<C, D> value) {
    write(value.time_since_epoch());
  }
  template <typename T>
    requires std::is_class_v<T>
  void write(const T& value) {
    fields(*this, value);
  }

  Lasting& out_;
  std::map<const os::OwnedFd*, std::size_t> numbers_{};  // of the files
};

// Reads one struct. The first trouble is remembered and nothing is read after it.
class Reader {
 public:
  Reader(std::string_view bytes, OpenSources& sources, std::optional<Error>& trouble);

  template <typename T>
  void operator()(unsigned number, T& value) {
    if (const auto bytes = find(number)) read(*bytes, value);
  }
  template <typename T>
  void operator()(unsigned number, std::optional<T>& value) {
    if (const auto bytes = find(number)) read(*bytes, value.emplace());
  }
  template <typename T>
  void operator()(unsigned number, std::vector<T>& list) {
    for (const Field& field : fields_)
      if (field.number == number) read(field.bytes, list.emplace_back());
  }
  template <typename E>
  void choice(unsigned number, E& value, E last) {
    auto chosen = static_cast<std::uint64_t>(value);
    (*this)(number, chosen);
    if (chosen > static_cast<std::uint64_t>(last)) return fail("a choice that does not exist");
    value = static_cast<E>(chosen);
  }
  template <typename E>
  void choice(unsigned number, std::optional<E>& value, E last) {
    if (find(number)) choice(number, value.emplace(), last);
  }
  template <typename T, typename V>
  void alternative(unsigned number, V& variant) {
    if (const auto bytes = find(number)) read(*bytes, variant.template emplace<T>());
  }

 private:
  struct Field {
    std::uint64_t number = 0;
    std::string_view bytes{};
  };

  [[nodiscard]] std::optional<std::string_view> find(unsigned number) const;
  void fail(std::string why);
  void fail(Error why);
  std::uint64_t count(std::string_view bytes);
  template <typename T>
  void narrow(std::int64_t wide, T& value) {
    if (!std::in_range<T>(wide)) return fail("a number that is too large");
    value = static_cast<T>(wide);
  }
  void read(std::string_view bytes, std::uint64_t& value) { value = count(bytes); }
  void read(std::string_view bytes, std::int64_t& value);
  void read(std::string_view bytes, unsigned& value);
  void read(std::string_view bytes, int& value);
  void read(std::string_view bytes, bool& value) { value = count(bytes) != 0; }
  void read(std::string_view bytes, double& value) { value = std::bit_cast<double>(count(bytes)); }
  void read(std::string_view bytes, Bytes& value) { value.count = count(bytes); }
  void read(std::string_view bytes, std::string& text) { text = bytes; }
  void read(std::string_view bytes, judge::Content& content);
  std::shared_ptr<const os::OwnedFd> file(std::uint64_t number);  // null: there is trouble
  void read(std::string_view bytes, std::map<std::string, std::string, std::less<>>& map);
  template <typename R, typename P>
  void read(std::string_view bytes, std::chrono::duration<R, P>& value) {
    std::int64_t nanoseconds = 0;
    read(bytes, nanoseconds);
    value = std::chrono::duration_cast<std::chrono::duration<R, P>>(Nanoseconds(nanoseconds));
  }
  template <typename C, typename D>
  void read(std::string_view bytes, std::chrono::time_point<C, D>& value) {
    D since{};
    read(bytes, since);
    value = std::chrono::time_point<C, D>(since);
  }
  template <typename T>
    requires std::is_class_v<T>
  void read(std::string_view bytes, T& value) {
    Reader inside(bytes, sources_, trouble_);
    fields(inside, value);
  }

  std::vector<Field> fields_{};
  OpenSources& sources_;
  std::optional<Error>& trouble_;
};

template <typename T>
Lasting to_lasting(const T& value) {
  Lasting out;
  Writer writer(out);
  fields(writer, value);
  return out;
}

template <typename T>
Result<T> from_lasting(std::string_view bytes, const Sources& sources = {}) {
  std::optional<Error> trouble;
  T value{};
  OpenSources open{.from = sources};
  Reader reader(bytes, open, trouble);
  fields(reader, value);
  if (trouble) return std::unexpected(*std::move(trouble));
  return value;
}

}  // namespace assay::journal
