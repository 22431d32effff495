// HTTP/1 requests from bytes, as they come in. Beast does the parsing.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/units.h"
#include "transport/message.h"

namespace assay::transport {

class Parser {
 public:
  enum class Trouble { None, Malformed, HeaderTooLarge, BodyTooLarge, SinkRefused };

  Parser(Bytes header_limit, Bytes body_limit);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser();

  // How many of the bytes were used. Stops behind the header, so that somebody can decide what the
  // body is for; goes on with the next call.
  std::size_t put(std::string_view bytes);

  // Where the body goes, from now on; false from it stops the request.
  using Sink = std::function<bool(std::string_view)>;
  void body_to(Sink sink);

  [[nodiscard]] bool header_is_done() const;
  [[nodiscard]] bool is_done() const;
  [[nodiscard]] Trouble trouble() const;
  Head& head();

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::transport
