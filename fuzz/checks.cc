// What programs of problem setters and of submissions say. Whatever it is, there is a verdict, and
// a message that can be shown.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "held/reading.h"
#include "held/request.h"
#include "judge/dialogue.h"
#include "judge/flags.h"
#include "judge/protocol.h"
#include "judge/sanitizers.h"
#include "judge/scorer.h"
#include "wire/utf8.h"

namespace assay::fuzz {
namespace {

using judge::CheckResult;
using verdict::Verdict;

constexpr std::size_t kLimit = 64;

bool is_shown(std::string_view message) {
  return wire::is_utf8(message) && message.size() <= 8 * kLimit + 1024 &&
         std::ranges::none_of(message, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

void check(const CheckResult& result) {
  using enum Verdict;
  CHECK(result.verdict == Accepted || result.verdict == WrongAnswer ||
        result.verdict == PresentationError || result.verdict == PartiallyCorrect ||
        result.verdict == JudgeFailed || result.verdict == Skipped);
  CHECK(is_shown(result.message) && is_shown(result.team_message));
  if (!result.score) return;
  CHECK(std::isfinite(result.score->value) && result.score->value >= 0);
  CHECK(result.score->unit == judge::Score::Unit::Points || result.score->value <= 1);
}

sandbox::End end_of(Slices& in) {
  const int code = in.byte();
  switch (in.byte() % 8) {
    case 1:
      return sandbox::Signaled{.signal = code};
    case 2:
      return sandbox::Forbidden{.syscall = code};
    case 3:
      return sandbox::NotStarted{.step = "execute", .what = std::string(in.part()), .error = code};
    default:
      return sandbox::Exited{.code = code};
  }
}

std::optional<std::string> some_file(Slices& in, bool there) {
  if (!there) return std::nullopt;
  return std::string(in.part());
}

}  // namespace

void checker_output(std::string_view bytes) {
  Slices in(bytes);
  const auto protocol = static_cast<judge::Protocol>(in.byte() % 7);
  judge::CheckerRun run{.end = end_of(in)};
  const unsigned there = in.byte();
  run.cut_off_by = static_cast<sandbox::CutOff>(there >= 224 ? there % 11 : 0);
  run.feedback = {.judge_message = some_file(in, (there & 1U) != 0),
                  .team_message = some_file(in, (there & 2U) != 0),
                  .score = some_file(in, (there & 4U) != 0),
                  .score_multiplier = some_file(in, (there & 8U) != 0),
                  .next_pass = (there & 16U) != 0};
  run.output = in.part();
  run.errors = in.rest();
  check(judge::interpret(protocol, run, kLimit));
  (void)judge::has_sanitizer_report({}, run.errors);
}

void check_result(std::string_view bytes) {
  const CheckResult result = judge::interpret_status_lines(bytes, kLimit);
  check(result);
  CHECK(result.verdict == Verdict::JudgeFailed || bytes.contains("STATUS:"));
}

void scorer_answer(std::string_view bytes) {
  const auto answer = judge::read_scorer_answer(bytes);
  if (!answer) {
    CHECK(is_explained(answer, bytes.size()));
    return;
  }
  CHECK(std::isfinite(answer->score) && wire::is_utf8(answer->said.message));
  for (const auto& [id, score] : answer->subtasks)
    CHECK(std::isfinite(score));
}

// Remarks of three voices, as files and as lines.
void dialogue(std::string_view bytes) {
  Slices in(bytes);
  exec::Dialogue said{.truncated = in.byte() % 2 == 1};
  std::string interactor;
  while (!in.is_empty()) {
    exec::Remark remark{.voice = in.byte() % 6U, .bytes = std::string(in.part())};
    if (judge::voice_of(remark.voice) == judge::Voice::Interactor) interactor += remark.bytes;
    said.bytes += remark.bytes.size();
    said.remarks.push_back(std::move(remark));
  }
  CHECK(judge::as_pin(said).starts_with(interactor));
  CHECK(judge::as_pio(said).size() <= 12 * bytes.size() + 256);
  CHECK(judge::as_interaction(said).size() <= 12 * bytes.size() + 256);
  std::size_t total = 0;
  for (const judge::SpokenLine& line : judge::lines_of(said))
    total += line.text.size();
  CHECK(total <= bytes.size());
}

// No list of a language lets a flag through that names files or other programs.
void flags(std::string_view bytes) {
  Slices in(bytes);
  const judge::FlagRules rules{
      .allow = {std::string(in.part()), "-O*", "-std=*", "-f*", "-W*", "*"},
      .deny = {"-fplugin*"},
      .drop_unknown = in.byte() % 2 == 1};
  std::vector<std::string> wanted;
  while (!in.is_empty())
    wanted.emplace_back(in.part());
  const auto used = judge::filter_flags(rules, wanted);
  if (!used) {
    CHECK(is_explained(used, bytes.size()));
    return;
  }
  for (const std::string& flag : *used)
    CHECK(!judge::needs_grant(flag) && std::ranges::find(wanted, flag) != wanted.end());
}

// The pipe that a process is held by: a wrong byte must not end it.
void wait_pipe(std::string_view bytes) {
  const bool whole =
      std::ranges::all_of(bytes, [](char c) { return c == '0' || c == '1' || c == '\n'; });
  for (const auto polarity :
       {verdict::WaitPolarity::ZeroTerminates, verdict::WaitPolarity::OneTerminates}) {
    const char ends = polarity == verdict::WaitPolarity::ZeroTerminates ? '0' : '1';
    const held::Asked asked = held::read_request(bytes, polarity);
    CHECK((asked == held::Asked::Nothing) == bytes.empty());
    if (asked == held::Asked::Terminate) CHECK(whole && bytes.contains(ends));
    if (asked == held::Asked::Continue) CHECK(whole && !bytes.contains(ends));
  }
  const std::string lines =
      held::status_lines({.running = false, .text = held::describe_no_start(bytes)});
  CHECK(std::ranges::count(lines, '\n') == 3 && lines.size() < 4096);
}

}  // namespace assay::fuzz
