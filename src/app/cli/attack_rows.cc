#include "app/cli/attack_rows.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "os/file.h"
#include "sandbox/document.h"

namespace assay::cli {
namespace {

using sandbox::field;
using sandbox::Node;

constexpr std::size_t kMostSaid = 2000;

// "Suite.*", or "test_config:Suite.*" for those of another program than the row's.
Status read_tests(const Node& node, std::vector<AttackTests>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr || list->empty())
    return sandbox::wrong(node.position, "must be an array of texts");
  for (const Node& each : *list) {
    std::string text;
    TRY_STATUS(sandbox::read(each, text));
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      into.push_back({.pattern = std::move(text)});
    else
      into.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  return {};
}

// Of ours, beside this program.
Status give_programs(const Node& node, AttackRow& row) {
  for (AttackTests& tests : row.tests) {
    if (tests.program.empty()) tests.program = row.program;
    if (tests.program.contains('/'))
      return sandbox::wrong(node.position, "the name of a program of tests is a plain name");
  }
  return {};
}

constexpr std::array kRow{field<&AttackRow::id>("id"),
                          field<&AttackRow::what>("what"),
                          field<&AttackRow::stopped_by>("stopped_by"),
                          field<&AttackRow::without_cgroups>("without_cgroups"),
                          field<&AttackRow::program>("in"),
                          field<&AttackRow::tests, read_tests>("tests")};

struct Rows {
  std::vector<AttackRow> rows{};
};

Status read_rows(const Node& node, std::vector<AttackRow>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return sandbox::wrong(node.position, "must be an array of tables");
  for (const Node& each : *list) {
    AttackRow& row = into.emplace_back();
    TRY_STATUS(sandbox::read_table(each, row, kRow));
    if (row.id.empty() || row.what.empty() || row.stopped_by.empty() || row.tests.empty())
      return sandbox::wrong(each.position, "needs id, what, stopped_by and tests");
    TRY_STATUS(give_programs(each, row));
  }
  return {};
}

constexpr std::array kRows{field<&Rows::rows, read_rows>("row")};

// "[       OK ] Suite.Test (12 ms)" → "Suite.Test"
std::string name_in(std::string_view rest) {
  const std::size_t begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  rest.remove_prefix(begin);
  return std::string(rest.substr(0, rest.find_first_of(" ,")));
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Attempted::End end_of(const AttackRow& row) {
  using End = Attempted::End;
  const auto has = [&](End end) {
    return std::ranges::any_of(row.attempts, [&](const Attempted& one) { return one.end == end; });
  };
  if (row.attempts.empty() || has(End::NotStopped)) return End::NotStopped;
  if (!has(End::NotTried)) return End::Stopped;
  return has(End::Stopped) ? End::InPart : End::NotTried;
}

Result<std::vector<AttackRow>> load_attack_rows(const std::string& path) {
  const std::string text = TRY(os::read_whole(path));
  const Node document = TRY(sandbox::parse_document(path, text));
  Rows read{};
  TRY_STATUS(sandbox::read_table(document, read, kRows));
  if (read.rows.empty()) return invalid(path + " has no rows");
  return std::move(read.rows);
}

Attempted AttemptReader::end(Attempted::End end, std::string why) {
  ++ended_;
  return {std::exchange(running_, {}), end, std::move(why)};
}

std::optional<Attempted> AttemptReader::take(std::string_view line) {
  using End = Attempted::End;
  constexpr std::string_view kAnnounced = "[==========] Running ", kRun = "[ RUN      ]";
  static constexpr std::array<std::pair<std::string_view, End>, 3> kEnds{
      {{"[       OK ]", End::Stopped},
       {"[  FAILED  ]", End::NotStopped},
       {"[  SKIPPED ]", End::NotTried}}};
  if (line.starts_with(kAnnounced)) announced_ = number_in(line.substr(kAnnounced.size()));
  if (const std::size_t at = line.find(kRun); at != std::string_view::npos) {
    std::optional<Attempted> lost;
    if (!running_.empty()) lost = end(End::NotStopped, "it did not say how it ended: " + said_);
    running_ = name_in(line.substr(at + kRun.size()));
    said_.clear();
    return lost;
  }
  if (running_.empty()) return std::nullopt;  // the summary names them again
  for (const auto& [mark, how] : kEnds) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos || name_in(line.substr(at + mark.size())) != running_)
      continue;
    return end(how, how == End::Stopped ? "" : said_ + std::string(line.substr(0, at)));
  }
  if (said_.size() < kMostSaid) said_ += (said_.empty() ? "" : " | ") + std::string(line);
  return std::nullopt;
}

std::optional<Attempted> AttemptReader::left(std::string_view why) {
  if (running_.empty()) return std::nullopt;
  return end(Attempted::End::NotStopped, std::string(why));
}

}  // namespace assay::cli
