#include "app/daemon/config/line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>

namespace assay::daemon {
namespace {

constexpr std::array<std::string_view, 4> kWords{"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 4> kShort{"DEBUG", "INFO ", "WARN ", "ERROR"};

// The bytes of one UTF-8 character at the front, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = at(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xc0U) != 0x80U) return 0;
  return length;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      result += "\\ufffd";
    } else if (byte == '"' || byte == '\\') {
      result += fmt::format("\\{}", text[0]);
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + '"';
}

std::string plain(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

std::string json_value(const LogField& field) {
  if (const auto* text = std::get_if<std::string>(&field.value)) return quoted(*text);
  if (const auto* flag = std::get_if<bool>(&field.value)) return *flag ? "true" : "false";
  if (const auto* json = std::get_if<Json>(&field.value)) return json->text;
  return fmt::format("{}", std::get<std::int64_t>(field.value));
}

std::string text_value(const LogField& field) {
  if (const auto* text = std::get_if<std::string>(&field.value))
    return text->find_first_of(" \"") == std::string::npos ? plain(*text) : plain(quoted(*text));
  return json_value(field);
}

int milliseconds(Time time) {
  const auto since = time.time_since_epoch();
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::milliseconds>(since % std::chrono::seconds(1))
          .count());
}

}  // namespace

std::string json_line(Time time, Level level, std::string_view message,
                      const std::vector<LogField>& fields) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::string line = fmt::format(R"({{"time":"{:%Y-%m-%dT%H:%M:%S}.{:03}Z","level":"{}","msg":{})",
                                 fmt::gmtime(seconds), milliseconds(time),
                                 kWords[static_cast<std::size_t>(level)], quoted(message));
  for (const LogField& field : fields)
    line += fmt::format(",{}:{}", quoted(field.key), json_value(field));
  return line + "}\n";
}

std::string text_line(Time time, Level level, std::string_view message,
                      const std::vector<LogField>& fields) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::string line =
      fmt::format("{:%H:%M:%S}.{:03} {} {}", fmt::localtime(seconds), milliseconds(time),
                  kShort[static_cast<std::size_t>(level)], plain(message));
  for (const LogField& field : fields)
    line += fmt::format(" {}={}", field.key, text_value(field));
  return line + "\n";
}

}  // namespace assay::daemon
