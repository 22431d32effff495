#include <fmt/format.h>

#include <array>

#include "app/cli/attack_rows.h"
#include "app/cli/json_text.h"

namespace assay::cli {
namespace {

using End = Attempted::End;

constexpr std::size_t kEnds = 4;
constexpr std::array<std::string_view, kEnds> kWords{"stopped", "not stopped", "not tried",
                                                     "in part"};
constexpr std::array<std::string_view, kEnds> kColours{"\x1b[32m", "\x1b[1;31m", "\x1b[33m",
                                                       "\x1b[33m"};

std::size_t place(End end) {
  return static_cast<std::size_t>(end);
}

// "AFifoWithoutAWriterDoesNotBlock" → "a fifo without a writer does not block"
std::string as_sentence(std::string_view name) {
  std::string sentence;
  for (const char c : name.substr(name.find('.') + 1)) {
    const bool begins = c >= 'A' && c <= 'Z';
    if (begins && !sentence.empty()) sentence += ' ';
    sentence += begins ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return sentence;
}

std::array<std::size_t, kEnds> count(const std::vector<AttackRow>& rows) {
  std::array<std::size_t, kEnds> counts{};
  for (const AttackRow& row : rows)
    ++counts.at(place(end_of(row)));
  return counts;
}

}  // namespace

std::string to_json(const std::vector<AttackRow>& rows) {
  std::string out = "{\"attacks\":[";
  for (const AttackRow& row : rows) {
    out += fmt::format(R"({}{{"id":{},"what":{},"stoppedBy":{},"end":{},"attempts":[)",
                       &row == rows.data() ? "" : ",", json_quoted(row.id), json_quoted(row.what),
                       json_quoted(row.stopped_by), json_quoted(kWords.at(place(end_of(row)))));
    for (const Attempted& one : row.attempts)
      out += fmt::format(R"({}{{"name":{},"end":{},"why":{}}})",
                         &one == row.attempts.data() ? "" : ",", json_quoted(one.name),
                         json_quoted(kWords.at(place(one.end))), json_quoted(one.why));
    out += "]}";
  }
  const auto counts = count(rows);
  return out + fmt::format("],\"stopped\":{},\"inPart\":{},\"notStopped\":{},\"notTried\":{}}}\n",
                           counts[place(End::Stopped)], counts[place(End::InPart)],
                           counts[place(End::NotStopped)], counts[place(End::NotTried)]);
}

std::string to_text(const std::vector<AttackRow>& rows, bool colours) {
  std::string out;
  for (const AttackRow& row : rows) {
    const End end = end_of(row);
    out += fmt::format("{}{:<11}{} {:>3}  {}\n                 {}\n",
                       colours ? kColours.at(place(end)) : "", kWords.at(place(end)),
                       colours ? "\x1b[0m" : "", row.id, row.what, row.stopped_by);
    if (row.attempts.empty()) out += "                 - none of its tests is here\n";
    for (const Attempted& one : row.attempts)
      if (one.end != End::Stopped)
        out += fmt::format("                 - {}: {}: {}\n", kWords.at(place(one.end)),
                           as_sentence(one.name), one.why);
  }
  const auto counts = count(rows);
  std::size_t attempts = 0;
  for (const AttackRow& row : rows)
    attempts += row.attempts.size();
  return out + fmt::format(
                   "\n{} classes of attack, {} attempts: {} stopped, {} tried in part and stopped, "
                   "{} not stopped, {} not tried here\n",
                   rows.size(), attempts, counts[place(End::Stopped)], counts[place(End::InPart)],
                   counts[place(End::NotStopped)], counts[place(End::NotTried)]);
}

}  // namespace assay::cli
