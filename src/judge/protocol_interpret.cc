#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/checker_text.h"
#include "judge/protocol_words.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using verdict::Verdict;

// Most checkers explain themselves on stderr, some on stdout.
std::string spoken(const CheckerRun& run, std::size_t limit) {
  const std::string_view errors = trimmed(run.errors);
  return message_from(errors.empty() ? run.output : errors, limit);
}

std::string with_words(std::string reason, const CheckerRun& run, std::size_t limit) {
  const std::string words = spoken(run, limit);
  return words.empty() ? reason : reason + ": " + words;
}

std::string_view about(CutOff cut) {
  switch (cut) {
    case CutOff::Cpu:
    case CutOff::Wall:
    case CutOff::Idle:
      return "the checker took too long";
    case CutOff::Memory:
      return "the checker needed too much memory";
    case CutOff::Output:
    case CutOff::Files:
      return "the checker wrote too much";
    default:
      return "the check was stopped";
  }
}

bool is_stopped_by_us(CutOff cut) {
  return cut == CutOff::Peer || cut == CutOff::Cancelled || cut == CutOff::Terminated ||
         cut == CutOff::Shutdown;
}

// Why there is no exit code to go by, if there is none.
std::optional<std::string> why_no_answer(const CheckerRun& run) {
  if (run.cut_off_by != CutOff::None) return std::string(about(run.cut_off_by));
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&run.end))
    return fmt::format("the checker died of signal {} ({})", signaled->signal,
                       sandbox::name_of_signal(signaled->signal));
  if (const auto* forbidden = std::get_if<sandbox::Forbidden>(&run.end))
    return fmt::format("the checker called {}, which its profile forbids",
                       sandbox::name_of_syscall(forbidden->syscall));
  if (const auto* failure = std::get_if<sandbox::NotStarted>(&run.end))
    return "the checker did not start: " + message_from(sandbox::describe(*failure), 200);
  return std::nullopt;
}

CheckResult interpret_exit_code(int code, const CheckerRun& run, std::size_t limit) {
  return {.verdict = code == 0 ? Verdict::Accepted : Verdict::WrongAnswer,
          .message = spoken(run, limit)};
}

struct Translation {
  std::string_view key{}, text{};
};
constexpr std::array kTranslations = {
    Translation{"translate:success", "Output is correct"},
    Translation{"translate:wrong", "Output isn't correct"},
    Translation{"translate:partial", "Output is partially correct"},
};

std::string cms_message(std::string_view errors, std::size_t limit) {
  const std::string_view line = trimmed(first_line(errors));
  for (const Translation& each : kTranslations)
    if (each.key == line) return message_from(each.text, limit);
  return message_from(line, limit);
}

CheckResult interpret_cms(int code, const CheckerRun& run, std::size_t limit) {
  if (code != 0)
    return failed(
        with_words(fmt::format("the checker exited with code {} instead of 0", code), run, limit));
  const auto share = number_in(first_line(run.output));
  if (!share || *share < 0 || *share > 1)
    return failed("the checker's first line is no number from 0 to 1: \"" +
                  message_from(first_line(run.output), 60) + "\"");
  return from_share(*share, cms_message(run.errors, limit));
}

CheckResult interpret_lines(int code, const CheckerRun& run, std::size_t limit) {
  if (code != 0)
    return failed(
        with_words(fmt::format("the checker exited with code {} instead of 0", code), run, limit));
  return interpret_status_lines(run.output, limit);
}

CheckResult interpret_boca(int code, const CheckerRun& run, std::size_t limit) {
  const std::string message = spoken(run, limit);
  if (code == 4) return {.verdict = Verdict::Accepted, .message = message};
  if (code == 5) return {.verdict = Verdict::PresentationError, .message = message};
  if (code == 6) return {.verdict = Verdict::WrongAnswer, .message = message};
  return failed(with_words(
      fmt::format("the checker exited with code {} instead of 4, 5 or 6", code), run, limit));
}

}  // namespace

CheckResult interpret(Protocol protocol, const CheckerRun& run, std::size_t message_limit) {
  if (const auto reason = why_no_answer(run)) {
    CheckResult result = failed(with_words(*reason, run, message_limit));
    if (is_stopped_by_us(run.cut_off_by)) result.verdict = Verdict::Skipped;
    return result;
  }
  constexpr std::array kReaders = {interpret_testlib, interpret_icpc,  interpret_exit_code,
                                   interpret_cms,     interpret_lines, interpret_boca,
                                   interpret_lines};
  const int code = std::get<sandbox::Exited>(run.end).code;
  return kReaders[static_cast<std::size_t>(protocol)](code, run, message_limit);
}

CheckResult interpret_status_lines(std::string_view text, std::size_t message_limit) {
  std::optional<std::string_view> status;
  std::string_view message;
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with("STATUS:")) status = trimmed(line.substr(7));
    if (line.starts_with("MESSAGE:")) message = trimmed(line.substr(8));
  }
  if (!status) return failed("Check_Result not found: there is no line STATUS:");
  if (*status != "AC" && *status != "WA")
    return failed("Invalid Check_Result STATUS: \"" + message_from(*status, 60) + "\"");
  return {.verdict = *status == "AC" ? Verdict::Accepted : Verdict::WrongAnswer,
          .message = message_from(message, message_limit)};
}

}  // namespace assay::judge
