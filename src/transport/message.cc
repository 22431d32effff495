#include "transport/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "service/service.h"
#include "wire/json.h"

namespace assay::transport {
namespace {

struct Reason {
  unsigned status;
  std::string_view words;
};
constexpr Reason kReasons[] = {{100, "Continue"},
                               {200, "OK"},
                               {201, "Created"},
                               {202, "Accepted"},
                               {204, "No Content"},
                               {206, "Partial Content"},
                               {304, "Not Modified"},
                               {400, "Bad Request"},
                               {401, "Unauthorized"},
                               {403, "Forbidden"},
                               {404, "Not Found"},
                               {408, "Request Timeout"},
                               {409, "Conflict"},
                               {412, "Precondition Failed"},
                               {413, "Request Entity Too Large"},
                               {416, "Requested Range Not Satisfiable"},
                               {417, "Expectation Failed"},
                               {431, "Request Header Fields Too Large"},
                               {500, "Internal Server Error"},
                               {503, "Service Unavailable"}};

std::string_view reason_of(unsigned status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return reason.words;
  }
  return "Unknown";
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char small = lower(digit);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool decode_percent(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return false;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// One per thread and second: the date is in every answer.
const std::string& date_now() {
  thread_local std::int64_t when = 0;
  thread_local std::string text;
  const std::int64_t now = std::time(nullptr);
  if (now != when) text = http_date(when = now);
  return text;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (lower(a[at]) != lower(b[at])) return false;
  }
  return true;
}

std::string_view Head::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (same_word(key, name)) return value;
  }
  return {};
}

bool Head::has_token(std::string_view name, std::string_view token) const {
  for (const auto& [key, value] : fields) {
    if (!same_word(key, name)) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      if (same_word(trimmed(rest.substr(0, comma)), token)) return true;
      rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
  }
  return false;
}

bool split_target(Head& head) {
  std::string_view target = head.target;
  if (target.starts_with("http://") || target.starts_with("https://")) {
    const std::size_t slash = target.find('/', target.find("//") + 2);
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  const std::size_t question = target.find('?');
  if (question != std::string_view::npos) head.query = target.substr(question + 1);
  return decode_percent(target.substr(0, question), head.path);
}

std::string query_field(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (!part.starts_with(name) || !part.substr(name.size()).starts_with('=')) continue;
    std::string raw(part.substr(name.size() + 1));
    std::ranges::replace(raw, '+', ' ');  // as forms write it
    std::string text;
    return decode_percent(raw, text) ? text : std::string{};
  }
  return {};
}

Answer empty_answer(unsigned status) {
  return {.status = status};
}

Answer json_answer(unsigned status, std::string body) {
  return {.status = status,
          .fields = {{"Content-Type", "application/json; charset=utf-8"}},
          .body = std::move(body)};
}

Answer text_answer(unsigned status, std::string_view text) {
  return {.status = status,
          .fields = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = std::string(text)};
}

Answer error_answer(const Error& error) {
  const unsigned status = error.fault == Fault::InvalidRequest ? 400 : 500;
  Answer answer = json_answer(status, wire::encode_string(describe(error)));
  if (error.context == service::kQueueFull) answer.fields.emplace_back("Retry-After", "1");
  return answer;
}

Answer not_found() {
  return {.status = 404, .fields = {{"Content-Type", "text/plain"}}, .body = "404 page not found"};
}

std::string render_head(const Answer& answer, const Manner& manner) {
  std::string out;
  out.reserve(256);
  auto to = std::back_inserter(out);
  fmt::format_to(to, "HTTP/1.{} {} {}\r\nDate: {}\r\n", manner.version % 10, answer.status,
                 reason_of(answer.status), date_now());
  for (const auto& [name, value] : answer.fields)
    fmt::format_to(to, "{}: {}\r\n", name, value);
  if (!answer.without_length) {
    const std::uint64_t length = answer.file ? answer.file->size : answer.body.size();
    fmt::format_to(to, "Content-Length: {}\r\n", length);
  }
  if (!manner.keep_alive)
    out += "Connection: close\r\n";
  else if (manner.asked_to_keep_alive)
    out += "Connection: keep-alive\r\n";
  out += "\r\n";
  return out;
}

std::string http_date(std::int64_t seconds) {
  const std::time_t when = seconds;
  std::tm parts{};
  ::gmtime_r(&when, &parts);
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                     kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                     kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::optional<std::int64_t> parse_http_date(std::string_view text) {
  for (const char* format :
       {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"}) {
    std::tm parts{};
    const std::string copy(text);
    const char* end = ::strptime(copy.c_str(), format, &parts);
    if (end != nullptr && *end == '\0') return ::timegm(&parts);
  }
  return std::nullopt;
}

}  // namespace assay::transport
