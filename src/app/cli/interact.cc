// `assay interact`: one solution and one interactor on one input, with all they said.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/cli/dialogue_report.h"
#include "app/cli/judge_job.h"
#include "judge/compare_names.h"
#include "judge/dialogue.h"
#include "judge/native_sources.h"
#include "os/file.h"

namespace assay::cli {
namespace {

constexpr Bytes kMostNoted = 64_MiB;

Result<judge::Interactor> interactor_of(const InteractCommand& command,
                                        const judge::LanguageSet& languages) {
  judge::Interactor interactor;
  const auto protocol = judge::protocol_named(command.protocol);
  if (!protocol) return invalid("--protocol is testlib or icpc, not '" + command.protocol + "'");
  interactor.protocol = *protocol;
  const judge::Language* language = languages.for_file(command.interactor);
  if (!command.interactor_language.empty())
    language = TRY(languages.find(command.interactor_language));
  if (language == nullptr)
    return invalid("which language is '" + command.interactor + "'? Say --interactor-language");
  interactor.source.language = language->id;
  const std::size_t name = command.interactor.rfind('/') + 1;  // npos + 1 is 0
  const std::string file = command.interactor.substr(name);
  interactor.source.sources.push_back({file, TRY(os::read_whole(command.interactor))});
  const auto folder =
      TRY(judge::ProblemDirectory::open(name == 0 ? "." : command.interactor.substr(0, name)));
  std::ranges::move(TRY(judge::headers_beside(folder, file, *language)),
                    std::back_inserter(interactor.source.sources));
  return interactor;
}

Result<package::Package> problem_of(const InteractCommand& command,
                                    const judge::LanguageSet& languages) {
  judge::Problem problem{.kind = judge::ProblemKind::Interactive};
  problem.limits.cpu_time = TRY(parse_duration(command.cpu));
  problem.limits.memory = TRY(parse_bytes(command.memory));
  problem.checker = TRY(judge::comparison_named("tokens"));
  problem.interactor = TRY(interactor_of(command, languages));
  if (command.terminal) problem.process_io = judge::ProcessIo::Terminal;
  judge::ProblemTest& test = problem.tests.emplace_back();
  test.id = "1";
  test.input.text = TRY(os::read_whole(command.input));
  if (!command.answer.empty()) test.answer.text = TRY(os::read_whole(command.answer));
  return package::Package{.problem = std::move(problem)};
}

struct DialogueFormat {
  std::string_view ending{};
  std::string (*write)(const exec::Dialogue&) = nullptr;
};
constexpr std::array<DialogueFormat, 4> kFormats{{{".pio", judge::as_pio},
                                                  {".interaction", judge::as_interaction},
                                                  {".pin", judge::as_pin},
                                                  {".pout", judge::as_pout}}};

const DialogueFormat* format_of(const std::string& path) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const DialogueFormat& format) { return path.ends_with(format.ending); });
  return found == kFormats.end() ? nullptr : &*found;
}

Status report(const InteractCommand& command, const JudgeCommand& judging, int file,
              const judge::JudgeResult& result) {
  const auto& interaction = result.tests.front().interaction;
  if (file >= 0 && interaction && interaction->dialogue)
    TRY_STATUS(os::write_all(file, format_of(command.pio)->write(*interaction->dialogue)));
  TRY_STATUS(print_result(judging, result));
  const bool shown = result.tests.front().verdict != verdict::Verdict::Accepted;  // by the table
  if (command.json || shown || !interaction) return {};
  return os::write_all(STDOUT_FILENO, side_by_side(*interaction));
}

}  // namespace

int interact(const InteractCommand& command) {
  JudgeCommand judging;
  judging.files = {command.solution};
  judging.language = command.language;
  judging.policy = command.policy;
  judging.json = command.json;
  judging.allow_degraded = command.allow_degraded;
  os::OwnedFd file;
  if (!command.pio.empty()) {
    if (format_of(command.pio) == nullptr)
      return failed("--pio: '" + command.pio +
                    "' must end in .pio, .interaction, .pin or .pout, which is its format");
    auto opened = os::open(command.pio, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!opened) return failed(describe(opened.error()));
    file = *std::move(opened);
  }
  return judge_job(judging, {.package =
                                 [&](const judge::LanguageSet& languages) {
                                   return problem_of(command, languages);
                                 },
                             .report =
                                 [&](const judge::JudgeResult& result) {
                                   return report(command, judging, file.get(), result);
                                 },
                             .dialogue = kMostNoted});
}

}  // namespace assay::cli
