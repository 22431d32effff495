// The lines or tokens of a file, one after the other, hashed. Private to the comparisons.
#pragma once

#include <cstdint>
#include <optional>

#include "judge/compare.h"
#include "judge/compare_hash.h"
#include "judge/compare_window.h"

namespace assay::judge {

struct Item {
  Hash hash{};
  std::uint64_t offset = 0;
  bool malformed = false;  // it should have been an integer
};

// Lines without the blanks at their ends, the empty ones left out; or tokens. Integers that are the
// same have the same hash. An item may be of any size.
class Items {
 public:
  static Result<Items> of(const Side& side, const Comparison& comparison, HashKey key);

  template <typename Visit>
  Status for_each(Visit visit) {
    for (;;) {
      while (const auto item = in_window())
        visit(*item);
      TRY_STATUS(read_on());
      if (window_.is_at_end()) return {};
      if (!is_huge_) continue;
      if (const auto item = TRY(in_pieces())) visit(*item);
    }
  }

 private:
  Items(Window window, const Comparison& comparison, HashKey key);

  // The next item, if all of it is in the window.
  std::optional<Item> in_window();
  // More of the file behind what is left of the window; no room for more means a huge item.
  Status read_on();
  Result<std::optional<Item>> in_pieces();

  void skip_to_start();
  // In `text`, where the item that it begins with ends.
  [[nodiscard]] std::size_t end_in(std::string_view text) const;
  [[nodiscard]] Item whole(std::string_view text, std::uint64_t offset) const;

  Window window_;
  bool by_line_;
  bool integers_;
  bool is_huge_ = false;
  HashKey key_;
};

}  // namespace assay::judge
