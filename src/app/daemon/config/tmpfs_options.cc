#include <fmt/format.h>

#include "app/daemon/config/box.h"
#include "app/daemon/config/values.h"

namespace assay::daemon {
namespace {

__extension__ using Wide = unsigned __int128;

// As the kernel reads it: more than 100 % is allowed.
Result<Bytes> read_size(std::string_view value, Bytes memory) {
  if (!value.ends_with('%')) return parse_size(value);
  constexpr std::uint64_t kMostPercent = 10'000;
  value.remove_suffix(1);
  const std::uint64_t percent = TRY(parse_count(value, 0, kMostPercent));
  return Bytes{static_cast<std::uint64_t>(Wide{memory.count} * percent / 100)};
}

// Numbers of tmpfs: 4k inodes are 4096.
Status read_word(std::string_view word, Bytes memory, TmpfsOptions& into) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = word.substr(std::min(equals + 1, word.size()));
  if (key != "size" && key != "nr_inodes") {
    into.unknown.emplace_back(word);
    return {};
  }
  const Bytes number = TRY(key == "size" ? read_size(value, memory) : parse_size(value));
  if (number.count == 0) return invalid(fmt::format("'{}' must be more than 0", word));
  if (key == "size")
    into.size = number;
  else
    into.inodes = number.count;
  return {};
}

}  // namespace

Result<TmpfsOptions> parse_tmpfs_options(std::string_view text, Bytes memory) {
  TmpfsOptions options;
  for (const std::string& word : parse_list(text))
    TRY_STATUS(read_word(word, memory, options));
  return options;
}

}  // namespace assay::daemon
