#include "judge/compile_entry.h"

#include <fmt/format.h>

#include <charconv>

#include "store/digest.h"
#include "store/id.h"

namespace assay::judge {
namespace {

constexpr std::string_view kVersion = "assay-compile-1";
constexpr std::uint64_t kMostFiles = 4096;

void put(std::string& text, std::string_view field) {
  text += fmt::format("{} ", field.size());
  text += field;
  text += '\n';
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Fields one after the other; after the first that is wrong, none is right.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  std::string_view text() {
    const std::size_t blank = left_.find(' ');
    const auto size = number(left_.substr(0, blank));
    if (blank == std::string_view::npos || !size || *size >= left_.size() - blank - 1)
      return fail();
    const std::string_view field = left_.substr(blank + 1, *size);
    left_.remove_prefix(blank + 1 + *size);
    if (!left_.starts_with('\n')) return fail();
    left_.remove_prefix(1);
    return field;
  }
  std::uint64_t count() {
    const auto value = number(text());
    if (!value) fail();
    return value.value_or(0);
  }
  [[nodiscard]] bool is_good() const { return good_; }
  [[nodiscard]] bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view fail() {
    good_ = false;
    return left_ = {};
  }
  std::string_view left_;
  bool good_ = true;
};

bool is_sound(const KeptFile& file) {
  return !file.name.empty() && store::is_digest(file.digest) && store::is_id(file.id);
}

}  // namespace

std::string encode(const CompileEntry& entry) {
  std::string body;
  put(body, std::to_string(entry.result.time.count()));
  put(body, std::to_string(entry.result.memory.count));
  put(body, std::to_string(entry.result.exit_code.value_or(0)));
  put(body, entry.result.log);
  put(body, std::to_string(entry.files.size()));
  for (const KeptFile& file : entry.files) {
    put(body, file.name);
    put(body, file.executable ? "1" : "0");
    put(body, std::to_string(file.size.count));
    put(body, file.digest);
    put(body, file.id);
  }
  return fmt::format("{} {}\n{}", kVersion, store::digest_of(body), body);
}

std::optional<CompileEntry> decode_entry(std::string_view text) {
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(line + 1);
  if (text.substr(0, line) != fmt::format("{} {}", kVersion, store::digest_of(body)))
    return std::nullopt;
  Reader reader(body);
  CompileEntry entry{.result = {.ok = true}};
  entry.result.time = Nanoseconds(reader.count());
  entry.result.memory = Bytes{reader.count()};
  entry.result.exit_code = static_cast<int>(reader.count());
  entry.result.log = reader.text();
  const std::uint64_t files = reader.count();
  if (files > kMostFiles) return std::nullopt;
  for (std::uint64_t i = 0; i < files && reader.is_good(); ++i) {
    KeptFile& file = entry.files.emplace_back();
    file.name = reader.text();
    file.executable = reader.count() != 0;
    file.size = Bytes{reader.count()};
    file.digest = reader.text();
    file.id = reader.text();
    if (!is_sound(file)) return std::nullopt;
  }
  if (!reader.is_good() || !reader.is_at_end()) return std::nullopt;
  return entry;
}

}  // namespace assay::judge
