#include "app/cli/dialogue_report.h"

#include <fmt/format.h>

#include "judge/checker_text.h"
#include "judge/dialogue.h"

namespace assay::cli {
namespace {

using judge::SpokenLine;
using judge::Voice;

constexpr std::size_t kWidth = 36;  // of a side, in characters
constexpr std::size_t kShownAtEachEnd = 25;

std::string row(std::string_view at, std::string_view left, std::string_view right) {
  return fmt::format("  {:>12}  {:<{}} | {}\n", at, left, kWidth, right);
}

std::string row_of(const SpokenLine& line, bool managed) {
  const std::string at =
      fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(line.at).count());
  const std::string whose = managed ? fmt::format("[{}] ", line.process) : "";
  const std::string text = whose + judge::safe_text(line.text, kWidth - 2 - whose.size());
  if (line.voice == Voice::Interactor) return row(at, text, "");
  return row(at, "", line.voice == Voice::Errors ? "! " + text : text);
}

}  // namespace

std::string side_by_side(const judge::InteractionResult& interaction) {
  if (!interaction.dialogue) return "";
  const std::vector<SpokenLine> lines = judge::lines_of(*interaction.dialogue);
  const std::string_view partner = interaction.managed ? "manager" : "interactor";
  std::string text = row("", partner, "solution (! its stderr)");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool shown = i < kShownAtEachEnd || i + kShownAtEachEnd >= lines.size();
    if (shown) text += row_of(lines[i], interaction.managed);
    if (!shown && i == kShownAtEachEnd)
      text += row("", fmt::format("... {} lines ...", lines.size() - 2 * kShownAtEachEnd), "");
  }
  if (interaction.dialogue->truncated)
    text += fmt::format("  not all was kept: {} bytes were said\n", interaction.dialogue->bytes);
  text += fmt::format("  the {} ended first\n", interaction.solution_first ? "solution" : partner);
  return text;
}

}  // namespace assay::cli
