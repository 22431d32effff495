#include "app/daemon/config/webhook_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/units.h"

namespace assay::daemon {
namespace {

constexpr std::size_t kLongest = 2048;
constexpr std::size_t kLongestHost = 253;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
unsigned value_of(char hex) {
  return static_cast<unsigned>(is_digit(hex) ? hex - '0' : lower(hex) - 'a' + 10);
}

// What RFC 3986 lets stand in a path or a query, '%' aside.
bool may_stand(char c) {
  constexpr std::string_view kSigns = "-._~!$&'()*+,;=:@/?";
  return is_letter(c) || is_digit(c) || kSigns.find(c) != std::string_view::npos;
}

// An escaped separator or dot is a separator to some, and none to others.
Status check_escape(std::string_view rest, bool in_path) {
  if (rest.size() < 3 || !is_hex(rest[1]) || !is_hex(rest[2]))
    return invalid("has a '%' without two hex digits after it");
  const auto byte = static_cast<unsigned char>(value_of(rest[1]) * 16 + value_of(rest[2]));
  if (byte < ' ' || byte == 0x7f) return invalid("has an escaped control character in it");
  if (in_path && (byte == '/' || byte == '\\' || byte == '.' || byte == '%'))
    return invalid("has an escaped '/', '\\', '.' or '%' in its path");
  return {};
}

Status check_characters(std::string_view text, bool in_path) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%')
      TRY_STATUS(check_escape(text.substr(i), in_path));
    else if (!may_stand(text[i]))
      return invalid("has a character in it that must be escaped");
  }
  return {};
}

Status check_path(std::string_view path) {
  TRY_STATUS(check_characters(path, true));
  while (!path.empty()) {
    path.remove_prefix(1);  // the '/'
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment == "." || segment == "..") return invalid("has a '.' or '..' in its path");
    path.remove_prefix(segment.size());
  }
  return {};
}

bool is_name(std::string_view host) {
  return std::ranges::all_of(
      host, [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_'; });
}
bool is_ipv6(std::string_view host) {
  return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
         std::ranges::all_of(host.substr(1, host.size() - 2),
                             [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

// "host", "host:80", "[::1]:80"
Status read_authority(std::string_view text, WebhookUrl& url) {
  if (text.find('@') != std::string_view::npos) return invalid("has a user name in it");
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && text.find(']', colon) == text.npos;
  const std::string_view host = text.substr(0, has_port ? colon : text.size());
  if (host.empty() || host.size() > kLongestHost || (!is_name(host) && !is_ipv6(host)))
    return invalid("has no host that we understand");
  url.host = host;
  std::ranges::transform(url.host, url.host.begin(), lower);
  url.port = url.secure ? 443 : 80;
  if (!has_port) return {};
  const auto port = parse_count(text.substr(colon + 1), 1, UINT16_MAX);
  if (!port) return invalid("has a port that is none from 1 to 65535");
  url.port = static_cast<std::uint16_t>(*port);
  return {};
}

// Without the '/' at its end, which separates nothing.
std::string_view stem_of(std::string_view path) {
  while (path.ends_with('/'))
    path.remove_suffix(1);
  return path;
}

}  // namespace

Result<WebhookUrl> parse_webhook_url(std::string_view text) {
  if (text.size() > kLongest) return invalid(fmt::format("is longer than {} characters", kLongest));
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c >= 0x7f; }))
    return invalid("has a blank, a control character or a letter beyond ASCII in it");
  if (text.find('#') != std::string_view::npos) return invalid("has a fragment");
  WebhookUrl url;
  std::string_view rest = text;
  url.secure = rest.starts_with("https://");
  if (!url.secure && !rest.starts_with("http://"))
    return invalid("does not begin with http:// or https://");
  rest.remove_prefix(url.secure ? 8 : 7);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  TRY_STATUS(read_authority(authority, url));
  rest.remove_prefix(authority.size());
  url.path = rest.substr(0, rest.find('?'));
  url.query = rest.substr(url.path.size());
  TRY_STATUS(check_path(url.path));
  TRY_STATUS(check_characters(url.query, false));
  return url;
}

Result<WebhookUrl> parse_webhook_prefix(std::string_view text) {
  WebhookUrl url = TRY(parse_webhook_url(text));
  if (!url.query.empty()) return invalid("has a query");
  return url;
}

bool is_before(const WebhookUrl& prefix, const WebhookUrl& url) {
  if (prefix.secure != url.secure || prefix.host != url.host || prefix.port != url.port)
    return false;
  const std::string_view stem = stem_of(prefix.path);
  if (!url.path.starts_with(stem)) return false;
  return url.path.size() == stem.size() || url.path[stem.size()] == '/';
}

Status check_webhook(const std::vector<WebhookUrl>& prefixes, std::string_view text) {
  const auto url = parse_webhook_url(text);
  if (!url) return invalid("the address " + url.error().context);
  const bool allowed =
      std::ranges::any_of(prefixes, [&](const WebhookUrl& each) { return is_before(each, *url); });
  return allowed ? Status{} : invalid("this server does not call that address");
}

}  // namespace assay::daemon
