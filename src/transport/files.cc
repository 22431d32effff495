#include "transport/files.h"

#include <fmt/format.h>

#include <charconv>

namespace assay::transport {
namespace {

struct Type {
  std::string_view extension, type;
};
constexpr Type kTypes[] = {
    {".avif", "image/avif"},
    {".c", "text/x-csrc; charset=utf-8"},
    {".cc", "text/x-c++src; charset=utf-8"},
    {".cpp", "text/x-c++src; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
    {".gif", "image/gif"},
    {".gz", "application/gzip"},
    {".h", "text/x-chdr; charset=utf-8"},
    {".hs", "text/x-haskell; charset=utf-8"},
    {".htm", "text/html; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".java", "text/x-java; charset=utf-8"},
    {".jpeg", "image/jpeg"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".log", "text/plain; charset=utf-8"},
    {".md", "text/markdown; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".pdf", "application/pdf"},
    {".png", "image/png"},
    {".py", "text/x-python; charset=utf-8"},
    {".rs", "text/rust; charset=utf-8"},
    {".sh", "application/x-sh"},
    {".svg", "image/svg+xml"},
    {".tar", "application/x-tar"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".webp", "image/webp"},
    {".xml", "text/xml; charset=utf-8"},
    {".zip", "application/zip"},
};

struct Span {
  std::uint64_t first = 0, size = 0;
};
enum class Asked { Everything, Part, Impossible };

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "bytes=0-9", "bytes=5-", "bytes=-3". Several ranges at once may be answered with everything.
Asked range_of(std::string_view range, std::uint64_t size, Span& span) {
  if (range.empty() || range.find(',') != std::string_view::npos) return Asked::Everything;
  if (!range.starts_with("bytes=")) return Asked::Impossible;
  range.remove_prefix(6);
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return Asked::Impossible;
  const std::string_view from = range.substr(0, dash);
  const std::string_view to = range.substr(dash + 1);
  const auto last = number_in(to);
  if (from.empty()) {
    if (!last || (*last == 0 && size > 0)) return Asked::Impossible;
    span = {size - std::min(size, *last), std::min(size, *last)};
    return size == 0 ? Asked::Everything : Asked::Part;
  }
  const auto first = number_in(from);
  if (!first || *first >= size || (!to.empty() && (!last || *last < *first)))
    return Asked::Impossible;
  span = {*first, std::min(last.value_or(size - 1), size - 1) - *first + 1};
  return Asked::Part;
}

// 304 or 412 when the client's copy says so; 0 otherwise.
unsigned precondition(const Head& head, std::int64_t modified) {
  const auto unless = parse_http_date(head.field("If-Unmodified-Since"));
  if (unless && modified > *unless) return 412;
  const auto since = parse_http_date(head.field("If-Modified-Since"));
  return since && modified <= *since ? 304 : 0;
}

std::string_view wanted_range(const Head& head, std::int64_t modified) {
  const std::string_view condition = head.field("If-Range");
  if (!condition.empty() && parse_http_date(condition) != modified) return {};
  return head.field("Range");
}

}  // namespace

std::string_view type_of_file(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  for (const Type& type : kTypes) {
    if (same_word(type.extension, name.substr(dot))) return type.type;
  }
  return {};
}

std::string disposition_of_file(std::string_view name) {
  bool plain = true;
  std::string quoted;
  std::string encoded;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    plain = plain && byte >= 0x20 && byte < 0x7f;
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
    const bool unreserved = std::isalnum(byte) != 0 ||
                            std::string_view("!#$&+-.^_`|~").find(letter) != std::string_view::npos;
    if (byte < 0x80 && unreserved)
      encoded += letter;
    else
      encoded += fmt::format("%{:02X}", byte);
  }
  if (plain) return fmt::format("attachment; filename=\"{}\"", quoted);
  return fmt::format("attachment; filename*=UTF-8''{}", encoded);
}

Answer file_answer(store::Opened file, const Head& head) {
  const std::int64_t modified = std::chrono::system_clock::to_time_t(file.modified);
  Answer answer;
  const std::string_view type = type_of_file(file.name);
  answer.fields = {{"Content-Disposition", disposition_of_file(file.name)},
                   {"Last-Modified", http_date(modified)}};
  if (const unsigned status = precondition(head, modified); status != 0) {
    answer.status = status;
    answer.without_length = status == 304;
    return answer;
  }
  Span span{.first = 0, .size = file.size.count};
  switch (range_of(wanted_range(head, modified), file.size.count, span)) {
    case Asked::Impossible: {
      Answer refusal = text_answer(416, "invalid range: failed to overlap\n");
      refusal.fields.emplace_back("Content-Range", fmt::format("bytes */{}", file.size.count));
      return refusal;
    }
    case Asked::Part:
      answer.status = 206;
      answer.fields.emplace_back(
          "Content-Range",
          fmt::format("bytes {}-{}/{}", span.first, span.first + span.size - 1, file.size.count));
      break;
    case Asked::Everything:
      break;
  }
  if (!type.empty()) answer.fields.emplace_back("Content-Type", type);
  answer.fields.emplace_back("Accept-Ranges", "bytes");
  answer.file = FilePart{.file = std::move(file.file), .offset = span.first, .size = span.size};
  return answer;
}

void forget_files(store::Store& store, const std::vector<exec::CommandResult>& results) {
  for (const exec::CommandResult& result : results)
    for (const auto& [name, id] : result.file_ids)
      (void)store.remove(id);  // gone already: somebody else removed it
}

}  // namespace assay::transport
