// The state of a comparison side by side. Private to compare_walk*.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "judge/compare_walk.h"
#include "judge/compare_window.h"

namespace assay::judge {

// Where in a line or between two tokens one side stands.
enum class Place { End, LineEnd, Blank, Token };

inline Place place_of(const Window& side) {
  if (side.left() == 0) return Place::End;
  const char c = *side.at();
  return c == '\n' ? Place::LineEnd : is_blank(c) ? Place::Blank : Place::Token;
}

// Equal bytes are skipped as fast as memory allows; all thinking happens where the two differ, and
// only with what the bytes just before say: they are the same on both sides.
class Walk {
 public:
  Walk(Window output, Window answer, const Comparison& comparison)
      : output_(std::move(output)), answer_(std::move(answer)), comparison_(comparison) {}

  Result<std::optional<Difference>> run();

 private:
  enum class Step { GoOn, Done, Differs };

  Status fill();
  void skip_common();
  void skip_both(std::size_t count);
  bool step_in_window();
  bool step_over_gap_in_window();
  bool step_over_values_in_window();
  [[nodiscard]] bool tokens_differ() const;
  Result<Step> step();
  Result<Step> step_over_values();
  Result<Step> step_over_gap();
  Result<Step> step_over_line_blanks();
  Result<Step> step_over_line_end();
  template <typename Skipped>
  Result<Step> step_to_end(Window& longer, Skipped skipped);
  template <typename Skipped>
  Status skip(Window& side, Skipped skipped);
  Result<std::optional<std::string_view>> token(Window& side, std::size_t behind);
  Step differs(Reason reason = Reason::Differs);

  Window output_, answer_;
  const Comparison& comparison_;
  bool in_token_ = false;  // the byte before is part of one
  Difference difference_{};
};

}  // namespace assay::judge
