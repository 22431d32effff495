// What a solution and an interactor said, as files and as lines for people. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/transcript.h"

namespace assay::judge {

// The voices of an interactive run. Errors: the solution's stderr. Where there are several
// solutions each has its three, and what the manager says has the number of whom it says it to.
enum class Voice : unsigned { Interactor, Solution, Errors };
constexpr unsigned kVoices = 3;
constexpr unsigned number_of(Voice voice, std::size_t process = 0) {
  return static_cast<unsigned>(process) * kVoices + static_cast<unsigned>(voice);
}
constexpr Voice voice_of(unsigned number) {
  return static_cast<Voice>(number % kVoices);
}
constexpr unsigned process_of(unsigned number) {
  return number / kVoices;
}
std::string_view name_of(Voice voice);  // "interactor", "solution", "stderr"

// A line where it was complete; the last of a voice may have no end.
struct SpokenLine {
  Voice voice = Voice::Interactor;
  Nanoseconds at{};  // its first byte
  std::string text{};
  unsigned process = 0;
  bool operator==(const SpokenLine&) const = default;
};
std::vector<SpokenLine> lines_of(const exec::Dialogue& dialogue);

// rbx's formats. Lines in the order of the dialogue with '<' for the interactor, '>' for the
// solution and '!' for its stderr; .pio has the first two above. What is behind an empty line is
// not read: that is where a note goes when not all was kept. Where there are several solutions a
// line begins with the number of the one that spoke or heard: "1>".
std::string as_pio(const exec::Dialogue& dialogue);
std::string as_interaction(const exec::Dialogue& dialogue);
std::string as_pin(const exec::Dialogue& dialogue);   // the interactor's bytes
std::string as_pout(const exec::Dialogue& dialogue);  // the solution's

}  // namespace assay::judge
