// What one HTTP exchange is made of: the head of a request, an answer, and the text of the
// answer's head. Values; nothing here reads or writes a socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/fd.h"

namespace assay::transport {

using Fields = std::vector<std::pair<std::string, std::string>>;

bool same_word(std::string_view a, std::string_view b);  // ASCII, in any case

struct Head {
  std::string method{};
  std::string target{};  // as sent
  std::string path{};    // decoded, without the query
  std::string query{};
  Fields fields{};
  unsigned version = 11;
  bool keep_alive = true;
  bool has_body = false;
  std::optional<std::uint64_t> content_length{};

  [[nodiscard]] std::string_view field(std::string_view name) const;  // "" when there is none
  [[nodiscard]] bool has_token(std::string_view name, std::string_view token) const;
};

// Fills path and query from the target; false when it is none that a server can be asked for.
bool split_target(Head& head);

// One field of a query, decoded; empty: it is not there, or is no text.
std::string query_field(std::string_view query, std::string_view name);

struct FilePart {  // of a file, sent without passing through our memory
  os::OwnedFd file{};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct Answer {
  unsigned status = 200;
  Fields fields{};
  std::string body{};
  std::optional<FilePart> file{};
  bool close = false;           // the connection cannot be used any more
  bool without_length = false;  // 304 and the like
};

Answer empty_answer(unsigned status);
Answer json_answer(unsigned status, std::string body);
Answer text_answer(unsigned status, std::string_view text);
Answer error_answer(const Error& error);  // a JSON string, as go-judge words it
Answer not_found();                       // of a route

struct Manner {  // of an answer: what the request says about it
  unsigned version = 11;
  bool keep_alive = true;
  bool asked_to_keep_alive = false;  // HTTP/1.0 wants to be told
};
std::string render_head(const Answer& answer, const Manner& manner);

std::string http_date(std::int64_t seconds);
std::optional<std::int64_t> parse_http_date(std::string_view text);

}  // namespace assay::transport
