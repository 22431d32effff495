#include "app/cli/doctor_print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/json_text.h"

namespace assay::cli::checkup {
namespace {

struct Look {
  const char* word;
  const char* colour;
};

Look look_of(State state) {
  switch (state) {
    case State::Ok:
      return {"ok", "32"};
    case State::Note:
      return {"note", "36"};
    case State::Optional:
      return {"optional", "2"};
    case State::Degraded:
      return {"degraded", "33"};
    case State::Missing:
      break;
  }
  return {"missing", "31"};
}

std::string painted(const std::string& text, const char* colour, Colours colours) {
  return colours == Colours::No ? text : fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

// What a program printed as its version must not steer a terminal.
std::string harmless(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

// What is merely absent needs no second line.
std::string sentence_of(const Finding& finding) {
  if (finding.state != State::Optional || finding.fix.empty()) return finding.found;
  return fmt::format("{} ({})", finding.found, finding.fix);
}

std::string conclusion(const BoxTrial& trial) {
  if (trial.mode == "full") return "a full box can be made here";
  if (trial.mode == "degraded")
    return fmt::format("only a degraded box can be made here: {}", fmt::join(trial.missing, "; "));
  return "no box can be made here: " + trial.error;
}

}  // namespace

std::string as_table(std::span<const Line> lines, const BoxTrial& trial, Colours colours) {
  std::size_t width = 0;
  for (const Line& line : lines)
    width = std::max(width, line.name.size());
  std::string text;
  std::string group;
  for (const Line& line : lines) {
    if (line.group != group)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", painted(line.group, "1", colours));
    group = line.group;
    const Look look = look_of(line.finding.state);
    text += fmt::format("  {}  {:<{}}  {}\n",
                        painted(fmt::format("{:<8}", look.word), look.colour, colours), line.name,
                        width, harmless(sentence_of(line.finding)));
    if (!line.finding.fix.empty() && line.finding.state != State::Optional)
      text += fmt::format("  {:<8}  {:<{}}  fix: {}\n", "", "", width, harmless(line.finding.fix));
  }
  const char* colour = look_of(trial.mode == "full" ? State::Ok : State::Missing).colour;
  return text + "\n" + painted(harmless(conclusion(trial)), colour, colours) + "\n";
}

std::string as_json(std::span<const Line> lines, const BoxTrial& trial) {
  std::string text =
      fmt::format("{{\"full_box\":{},\"mode\":{},", trial.mode == "full", json_quoted(trial.mode));
  if (!trial.instance.empty()) text += fmt::format("\"instance\":{},", json_quoted(trial.instance));
  text += "\"checks\":[";
  const char* between = "\n";
  for (const Line& line : lines) {
    text += fmt::format("{}{{\"group\":{},\"name\":{},\"state\":\"{}\",\"found\":{},\"fix\":{}}}",
                        between, json_quoted(line.group), json_quoted(line.name),
                        look_of(line.finding.state).word, json_quoted(line.finding.found),
                        json_quoted(line.finding.fix));
    between = ",\n";
  }
  return text + "\n]}\n";
}

}  // namespace assay::cli::checkup
