// `assay interact`: one solution and one interactor on one input, with all they said.
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/cli/dialogue_report.h"
#include "app/cli/exec_spec.h"
#include "app/cli/judge_job.h"
#include "app/cli/source_file.h"
#include "judge/compare_names.h"
#include "judge/dialogue.h"
#include "judge/native_files.h"
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
  interactor.source.sources.push_back(
      {file, TRY(about("--interactor", read_source_file(command.interactor)))});
  const auto folder =
      TRY(judge::ProblemDirectory::open(name == 0 ? "." : command.interactor.substr(0, name)));
  std::ranges::move(TRY(judge::headers_beside(folder, file, *language)),
                    std::back_inserter(interactor.source.sources));
  return interactor;
}

Result<judge::Problem> problem_of(const InteractCommand& command,
                                  const judge::LanguageSet& languages) {
  judge::Problem problem{.kind = judge::ProblemKind::Interactive};
  problem.limits.cpu_time = TRY(about("--cpu", parse_duration(command.cpu)));
  problem.limits.memory = TRY(about("--memory", parse_bytes(command.memory)));
  if (problem.limits.cpu_time == Nanoseconds{}) return invalid("--cpu: must be more than 0");
  if (problem.limits.memory == Bytes{}) return invalid("--memory: must be more than 0");
  problem.checker = TRY(judge::comparison_named("tokens"));
  problem.interactor = TRY(interactor_of(command, languages));
  if (command.terminal) problem.process_io = judge::ProcessIo::Terminal;
  judge::ProblemTest& test = problem.tests.emplace_back();
  test.id = "1";
  test.input.text = TRY(about("--input", read_source_file(command.input)));
  if (!command.answer.empty())
    test.answer.text = TRY(about("--answer", read_source_file(command.answer)));
  return problem;
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

// None was asked for: none.
Result<std::optional<StreamFile>> open_dialogue(const InteractCommand& command) {
  if (command.pio.empty()) return std::nullopt;
  if (format_of(command.pio) == nullptr)
    return invalid("--pio: '" + command.pio +
                   "' must end in .pio, .interaction, .pin or .pout, which is its format");
  StreamFile file = TRY(about("--pio", StreamFile::open(command.pio)));
  const auto identity = identity_of(file.fd());
  for (const std::string& path :
       {command.solution, command.interactor, command.input, command.answer})
    if (identity && identity == identity_of(path))
      return invalid("--pio: '" + command.pio + "' is read by this run, too");
  return file;
}

Status write_dialogue(const InteractCommand& command, StreamFile& file,
                      const exec::Dialogue& dialogue) {
  TRY_STATUS(about("--pio", file.begin()));
  const Status written = os::write_all(file.fd(), format_of(command.pio)->write(dialogue));
  if (written) return {};
  return system_error(written.error().code, "write '" + command.pio + "'");
}

Status report(const InteractCommand& command, const JudgeCommand& judging,
              std::optional<StreamFile>& file, const judge::Problem& problem,
              const judge::JudgeResult& result) {
  const auto& interaction = result.tests.front().interaction;
  if (file && interaction && interaction->dialogue)
    TRY_STATUS(write_dialogue(command, *file, *interaction->dialogue));
  TRY_STATUS(print_result(judging, problem, result));
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
  auto file = open_dialogue(command);
  if (!file) return failed(describe(file.error()));
  return judge_job(
      judging,
      {.problem =
           [&](const judge::LanguageSet& languages) { return problem_of(command, languages); },
       .report =
           [&](const judge::Problem& problem, const judge::JudgeResult& result) {
             return report(command, judging, *file, problem, result);
           },
       .dialogue = kMostNoted});
}

}  // namespace assay::cli
