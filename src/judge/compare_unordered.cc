#include "judge/compare_unordered.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <vector>

#include "judge/compare_items.h"
#include "judge/compare_place.h"
#include "judge/compare_walk.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

struct Tally {
  std::uint64_t low = 0, high = 0, items = 0;
  std::optional<std::uint64_t> malformed{};  // where the first one is
};

template <typename Visit>
Status for_each(const Side& side, const Comparison& comparison, HashKey key, Visit visit) {
  Items items = TRY(Items::of(side, comparison, key));
  return items.for_each(visit);
}

Result<Tally> tally(const Side& side, const Comparison& comparison, HashKey key) {
  Tally sum;
  TRY_STATUS(for_each(side, comparison, key, [&](const Item& item) {
    sum.low += item.hash.low;
    sum.high += item.hash.high;
    ++sum.items;
    if (item.malformed && !sum.malformed) sum.malformed = item.offset;
  }));
  return sum;
}

// For the message only: with a key that never changes the same files always get the same words. An
// output made to fool it spoils its own message.
constexpr HashKey kFixed{.low = 0x61737361792d6f6e, .high = 0x6520646966666572};
constexpr unsigned kLevelBits = 16;
constexpr unsigned kLevels = 3;

bool is_under(const Hash& hash, std::uint64_t prefix, unsigned bits) {
  return bits == 0 || hash.low >> (64 - bits) == prefix;
}

// Adds up, by the next bits of their hash, what the items under `prefix` are worth: the output's
// for, the answer's against. Where they are the same the sum is 0.
Status weigh(const Side& side, const Comparison& comparison, std::uint64_t prefix, unsigned bits,
             std::uint64_t sign, std::vector<std::uint64_t>& sums) {
  return for_each(side, comparison, kFixed, [&](const Item& item) {
    if (!is_under(item.hash, prefix, bits)) return;
    const std::uint64_t slot = item.hash.low >> (64 - bits - kLevelBits);
    sums[slot & ((1U << kLevelBits) - 1)] += sign * item.hash.high;
  });
}

struct Copies {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

Result<Copies> copies(const Side& side, const Comparison& comparison, std::uint64_t prefix) {
  Copies found;
  TRY_STATUS(for_each(side, comparison, kFixed, [&](const Item& item) {
    if (!is_under(item.hash, prefix, kLevels * kLevelBits)) return;
    if (found.count++ == 0) found.first = item.offset;
  }));
  return found;
}

// The hash prefix of an item that one side has more often, level by level, so that memory does not
// grow with the files.
Result<std::optional<std::uint64_t>> unbalanced(const Side& output, const Side& answer,
                                                const Comparison& comparison) {
  std::uint64_t prefix = 0;
  for (unsigned level = 0; level < kLevels; ++level) {
    std::vector<std::uint64_t> sums(std::size_t{1} << kLevelBits);
    const unsigned bits = level * kLevelBits;
    TRY_STATUS(weigh(output, comparison, prefix, bits, 1, sums));
    TRY_STATUS(weigh(answer, comparison, prefix, bits, ~std::uint64_t{0}, sums));
    std::size_t slot = 0;
    while (slot < sums.size() && sums[slot] == 0)
      ++slot;
    if (slot == sums.size()) return std::nullopt;
    prefix = prefix << kLevelBits | slot;
  }
  return prefix;
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

Result<std::string> describe_imbalance(const Side& output, const Side& answer,
                                       const Comparison& comparison) {
  const auto prefix = TRY(unbalanced(output, answer, comparison));
  if (!prefix) return std::string("the output and the answer differ");
  const Copies found = TRY(copies(output, comparison, *prefix));
  const Copies expected = TRY(copies(answer, comparison, *prefix));
  const bool by_line = comparison.order == Order::AnyLines;
  const Extent extent = by_line ? Extent::Line : Extent::Token;
  const std::string_view what = by_line ? "line" : "token";
  if (found.count == 0) {
    const auto text = TRY(shown(answer, expected.first, extent, "the answer"));
    return fmt::format("expected the {} {} {}, found it nowhere", what, text,
                       times(expected.count));
  }
  const Spot spot = TRY(locate(output, found.first));
  const auto text = TRY(shown(output, found.first, extent, "the output"));
  return fmt::format("line {}: found the {} {} {}, expected it {}", spot.line, what, text,
                     times(found.count), expected.count == 0 ? "nowhere" : times(expected.count));
}

Result<CheckResult> describe_malformed(const Side& side, std::uint64_t offset,
                                       std::string_view file, Verdict verdict) {
  const Spot spot = TRY(locate(side, offset));
  const auto text = TRY(shown(side, offset, Extent::Token, file));
  return CheckResult{
      .verdict = verdict,
      .message = fmt::format("line {} of {}: {} is not an integer", spot.line, file, text)};
}

}  // namespace

Result<CheckResult> compare_unordered(const Side& output, const Side& answer,
                                      const Comparison& comparison) {
  Comparison ordered = comparison;
  ordered.order = Order::Given;
  ordered.gaps = comparison.order == Order::AnyLines ? Gaps::Trailing : Gaps::Any;
  // Most right answers have the given order, and that is quicker to see.
  if (!TRY(first_difference(output, answer, ordered)))
    return CheckResult{.verdict = Verdict::Accepted};
  HashKey key;
  if (::getrandom(&key, sizeof key, 0) != static_cast<ssize_t>(sizeof key))
    return system_error("get random bytes");
  const Tally expected = TRY(tally(answer, comparison, key));
  if (comparison.strict && expected.malformed)
    return describe_malformed(answer, *expected.malformed, "the answer", Verdict::JudgeFailed);
  const Tally found = TRY(tally(output, comparison, key));
  if (comparison.strict && found.malformed)
    return describe_malformed(output, *found.malformed, "the output", Verdict::PresentationError);
  if (found.low == expected.low && found.high == expected.high && found.items == expected.items)
    return CheckResult{.verdict = Verdict::Accepted};
  return CheckResult{.verdict = Verdict::WrongAnswer,
                     .message = TRY(describe_imbalance(output, answer, comparison))};
}

}  // namespace assay::judge
