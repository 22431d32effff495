// A connection to an HTTP server that is kept open: one request out, one answer back. Only what a
// bench needs.
#pragma once

#include <string>
#include <string_view>

#include "os/fd.h"

namespace assay::cli {

struct Address {
  std::string host{};
  unsigned port = 0;
};
Result<Address> parse_url(const std::string& url);  // "http://host:port"

class HttpLine {
 public:
  static Result<HttpLine> connect(const Address& address);
  struct Answer {
    int status = 0;
    std::string body{};
  };
  // `request` is a whole request, headers and all.
  Result<Answer> exchange(std::string_view request);

 private:
  explicit HttpLine(os::OwnedFd socket) : socket_(std::move(socket)) {}
  Status read_more();
  os::OwnedFd socket_;
  std::string buffer_;
};

std::string http_request(std::string_view method, std::string_view path, std::string_view body);

}  // namespace assay::cli
