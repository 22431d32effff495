// What a solution and an interactor said, as files and as lines for people. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/transcript.h"

namespace assay::judge {

// The voices of an interactive run.
enum class Voice : unsigned { Interactor, Solution, Errors };  // Errors: the solution's stderr
constexpr unsigned number_of(Voice voice) {
  return static_cast<unsigned>(voice);
}
std::string_view name_of(Voice voice);  // "interactor", "solution", "stderr"

// A line where it was complete; the last of a voice may have no end.
struct SpokenLine {
  Voice voice = Voice::Interactor;
  Nanoseconds at{};  // its first byte
  std::string text{};
  bool operator==(const SpokenLine&) const = default;
};
std::vector<SpokenLine> lines_of(const exec::Dialogue& dialogue);

// rbx's formats. Lines in the order of the dialogue with '<' for the interactor, '>' for the
// solution and '!' for its stderr; .pio has the first two above. What is behind an empty line is
// not read: that is where a note goes when not all was kept.
std::string as_pio(const exec::Dialogue& dialogue);
std::string as_interaction(const exec::Dialogue& dialogue);
std::string as_pin(const exec::Dialogue& dialogue);   // the interactor's bytes
std::string as_pout(const exec::Dialogue& dialogue);  // the solution's

}  // namespace assay::judge
