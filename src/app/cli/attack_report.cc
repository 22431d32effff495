#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/cli/attack_rows.h"
#include "app/cli/json_text.h"

namespace assay::cli {
namespace {

using End = Attempted::End;

constexpr std::size_t kEnds = 4;
constexpr std::array<const char*, kEnds> kWords{"stopped", "not stopped", "not tried", "in part"};
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

// One attempt may be of several classes.
std::size_t count_attempts(const std::vector<AttackRow>& rows) {
  std::set<std::string_view> names;
  for (const AttackRow& row : rows)
    for (const Attempted& one : row.attempts)
      names.insert(one.name);
  return names.size();
}

std::string_view barrier(const AttackHost& host, const AttackRow& row) {
  const bool cgroups = std::ranges::none_of(
      host.missing, [](const std::string& what) { return what.starts_with("cgroups"); });
  return cgroups || row.without_cgroups.empty() ? row.stopped_by : row.without_cgroups;
}

std::string host_json(const AttackHost& host) {
  std::string missing;
  for (const std::string& what : host.missing)
    missing += (missing.empty() ? "" : ",") + json_quoted(what);
  return fmt::format(
      R"({{"kernel":{},"cgroups":{},"user":{},"boxes":{},"missing":[{}],"error":{}}})",
      json_quoted(host.kernel), json_quoted(host.cgroups), json_quoted(host.user),
      json_quoted(host.boxes), missing, json_quoted(host.error));
}

std::string host_text(const AttackHost& host) {
  std::string text = fmt::format("Linux {}, {}, as {}; boxes are {}", host.kernel, host.cgroups,
                                 host.user, host.boxes);
  if (!host.error.empty()) text += ": " + host.error;
  for (const std::string& what : host.missing)
    text += "\n  without " + what;
  return text + "\n\n";
}

}  // namespace

const char* word_for(Attempted::End end) {
  return kWords.at(place(end));
}

std::string to_json(const AttackHost& host, const std::vector<AttackRow>& rows) {
  std::string out = fmt::format("{{\"host\":{},\"attacks\":[", host_json(host));
  for (const AttackRow& row : rows) {
    out += fmt::format(R"({}{{"id":{},"what":{},"stoppedBy":{},"end":{},"attempts":[)",
                       &row == rows.data() ? "" : ",", json_quoted(row.id), json_quoted(row.what),
                       json_quoted(barrier(host, row)), json_quoted(kWords.at(place(end_of(row)))));
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

std::string to_text(const AttackHost& host, const std::vector<AttackRow>& rows, bool colours) {
  std::string out = host_text(host);
  for (const AttackRow& row : rows) {
    const End end = end_of(row);
    out += fmt::format("{}{:<11}{} {:>3}  {}\n", colours ? kColours.at(place(end)) : "",
                       kWords.at(place(end)), colours ? "\x1b[0m" : "", row.id, row.what);
    if (end == End::Stopped || end == End::InPart)
      out += fmt::format("                 {}\n", barrier(host, row));
    if (row.attempts.empty()) out += "                 - none of its tests is here\n";
    for (const Attempted& one : row.attempts)
      if (one.end != End::Stopped)
        out += fmt::format("                 - {}: {}: {}\n", kWords.at(place(one.end)),
                           as_sentence(one.name), one.why);
  }
  const auto counts = count(rows);
  return out + fmt::format(
                   "\n{} classes of attack, {} attempts: {} stopped, {} tried in part and stopped, "
                   "{} not stopped, {} not tried here\n",
                   rows.size(), count_attempts(rows), counts[place(End::Stopped)],
                   counts[place(End::InPart)], counts[place(End::NotStopped)],
                   counts[place(End::NotTried)]);
}

}  // namespace assay::cli
