// multipart/form-data as it comes in: the parts that are wanted go straight to their writer,
// whatever their size; nothing else is kept.
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
  struct Part {
    std::string name{};
    std::string file_name{};  // without directories; empty: none was given
  };
  enum class Wish { Take, Skip, Stop };
  struct Writer {
    std::function<Wish(const Part& part)> begin;
    std::function<bool(std::string_view bytes)> write;  // of the part that was taken; false: stop
  };
  FormReader(std::string boundary, Writer writer);

  bool put(std::string_view bytes);  // false: not a form, or the writer had enough
  [[nodiscard]] bool is_complete() const { return state_ == State::End; }

 private:
  enum class State { Before, Header, Body, End, Broken };
  bool step();
  bool read_delimiter_end();
  bool read_header();
  bool begin_part(std::string_view header);
  bool read_body();
  bool fail();
  [[nodiscard]] std::string_view rest() const { return std::string_view(pending_).substr(at_); }

  std::string delimiter_;  // CRLF "--" boundary
  Writer writer_;
  std::size_t searched_ = 0;      // of a header: whoever sends it byte by byte has it read once
  std::string pending_ = "\r\n";  // so that the first delimiter looks like the others
  std::size_t at_ = 0;            // of it: what is before is used up, and goes once per put()
  std::size_t parts_ = 0;         // so far
  State state_ = State::Before;
  bool wanted_ = false;  // the part we are in
};

}  // namespace assay::transport
