// JSON as Go's encoder writes it, appended to one string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::wire {

// In quotes. '<', '>', '&', U+2028 and U+2029 are escaped, a byte that is no UTF-8 is \ufffd.
void append_text(std::string& out, std::string_view text);
void append_number(std::string& out, std::int64_t value);
void append_count(std::string& out, std::uint64_t value);

// One object. The keys are ours and need no escape, unless said otherwise.
class Object {
 public:
  explicit Object(std::string& out) : out_(out) { out_ += '{'; }

  std::string& value(std::string_view key);  // where the caller appends the value
  std::string& value_of(std::string_view foreign_key);
  void text(std::string_view key, std::string_view value) { append_text(this->value(key), value); }
  void number(std::string_view key, std::int64_t value) { append_number(this->value(key), value); }
  void count(std::string_view key, std::uint64_t value) { append_count(this->value(key), value); }
  void flag(std::string_view key, bool value) { this->value(key) += value ? "true" : "false"; }
  void null(std::string_view key) { this->value(key) += "null"; }
  void close() { out_ += '}'; }

 private:
  void separate();

  std::string& out_;
  bool empty_ = true;
};

template <typename List, typename Append>
void append_list(std::string& out, const List& list, Append&& append) {
  out += '[';
  bool empty = true;
  for (const auto& each : list) {
    if (!empty) out += ',';
    empty = false;
    append(out, each);
  }
  out += ']';
}

}  // namespace assay::wire
