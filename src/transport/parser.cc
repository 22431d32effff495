#include "transport/parser.h"

#include "transport/beast.h"

namespace assay::transport {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

class Parser::Inside final : public http::basic_parser<true> {
 public:
  Inside(Bytes header, Bytes body) {
    header_limit(static_cast<std::uint32_t>(std::min<std::uint64_t>(header.count, 1U << 30U)));
    body_limit(body.count);
  }

  Head head;
  Sink sink;
  Trouble trouble = Trouble::None;

  void note(error_code ec) {
    if (!ec || ec == http::error::need_more || trouble != Trouble::None) return;
    trouble = Trouble::Malformed;
    if (ec == http::error::header_limit) trouble = Trouble::HeaderTooLarge;
    if (ec == http::error::body_limit) trouble = Trouble::BodyTooLarge;
  }

 private:
  static std::string_view plain(string_view text) { return {text.data(), text.size()}; }

  void take(string_view bytes, error_code& ec) {
    if (sink == nullptr || sink(plain(bytes))) return;
    trouble = Trouble::SinkRefused;
    ec = http::error::unexpected_body;
  }

  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code&) override {
    head.method = plain(method);
    head.target = plain(target);
    head.version = static_cast<unsigned>(version);
  }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(http::field, string_view name, string_view value, error_code&) override {
    head.fields.emplace_back(plain(name), plain(value));
  }
  // What Beast does not take for chunked it takes for no body at all, and a proxy before us may
  // not: then the body would be read as the next request.
  [[nodiscard]] bool has_plain_coding() const {
    bool seen = false;
    for (const auto& [name, value] : head.fields) {
      if (!same_word(name, "Transfer-Encoding")) continue;
      if (seen || head.version < 11 || !same_word(value, "chunked")) return false;
      seen = true;
    }
    return true;
  }
  void on_header_impl(error_code& ec) override {
    if (!has_plain_coding()) ec = http::error::bad_transfer_encoding;
    head.keep_alive = keep_alive();
    if (const auto length = content_length()) head.content_length = *length;
    head.has_body = chunked() || head.content_length.value_or(0) > 0;
  }
  void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
  std::size_t on_body_impl(string_view bytes, error_code& ec) override {
    take(bytes, ec);
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& ec) override {
    take(bytes, ec);
    return bytes.size();
  }
  void on_finish_impl(error_code&) override {}
};

Parser::Parser(Bytes header_limit, Bytes body_limit)
    : inside_(std::make_unique<Inside>(header_limit, body_limit)) {}
Parser::~Parser() = default;

std::size_t Parser::put(std::string_view bytes) {
  // Beast stops at the end of the header, of a chunk's header and of the body.
  std::size_t used = 0;
  const bool began_in_body = inside_->is_header_done();
  while (used < bytes.size() && !inside_->is_done() && trouble() == Trouble::None) {
    error_code ec;
    const std::size_t step =
        inside_->put(boost::asio::const_buffer(bytes.data() + used, bytes.size() - used), ec);
    inside_->note(ec);
    used += step;
    if (inside_->is_header_done() != began_in_body) break;
    if (step == 0 || ec == http::error::need_more) break;
  }
  return used;
}

void Parser::body_to(Sink sink) {
  inside_->sink = std::move(sink);
}
bool Parser::header_is_done() const {
  return inside_->is_header_done();
}
bool Parser::is_done() const {
  return inside_->is_done();
}
Parser::Trouble Parser::trouble() const {
  return inside_->trouble;
}
Head& Parser::head() {
  return inside_->head;
}

}  // namespace assay::transport
