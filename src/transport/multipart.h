// multipart/form-data as it comes in: the part we want goes straight to its writer, whatever its
// size; nothing else is kept.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace assay::transport {

// The boundary of a Content-Type, or "" when it is none of a form.
std::string boundary_of(std::string_view content_type);

// A parameter of a header such as Content-Disposition: name="x", or name*=UTF-8''x.
std::string parameter_of(std::string_view header, std::string_view name);

class FormReader {
 public:
  // Begins with the first file part of that name; false from one of these stops everything.
  struct Writer {
    std::function<bool(const std::string& file_name)> begin;
    std::function<bool(std::string_view bytes)> write;
  };
  FormReader(std::string boundary, std::string part, Writer writer);

  bool put(std::string_view bytes);  // false: not a form, or the writer had enough
  [[nodiscard]] bool is_complete() const { return state_ == State::End; }
  [[nodiscard]] bool found() const { return found_; }

 private:
  enum class State { Before, Header, Body, End, Broken };
  bool step();
  bool read_delimiter_end();
  bool read_header();
  bool begin_part(std::string_view header);
  bool read_body();
  bool fail();

  std::string delimiter_;  // CRLF "--" boundary
  std::string part_;
  Writer writer_;
  std::string pending_ = "\r\n";  // so that the first delimiter looks like the others
  State state_ = State::Before;
  bool wanted_ = false;  // the part we are in
  bool found_ = false;
};

}  // namespace assay::transport
