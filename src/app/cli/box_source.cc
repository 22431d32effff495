#include "app/cli/box_source.h"

#include "app/cli/judge_sources.h"
#include "judge/pipeline.h"
#include "sandbox/limits.h"

namespace assay::cli {

Result<HeldSource> read_held_source(const BoxOptions& options) {
  if (options.exec.profile != ExecOptions{}.profile)
    return invalid("--profile: with --language the language says which profile its programs have");
  HeldSource source;
  source.languages = TRY(judge::load_languages(language_directory()));
  source.limits = TRY(judge::load_profile_limits(profile_directory(), source.languages));
  const JudgeCommand command{.language = options.language, .files = options.exec.argv};
  const judge::Submission submission = TRY(read_submission(command, source.languages, {}));
  if (submission.archive) return invalid("--language: an archive is no source file");
  source.order = TRY(judge::compile_order(source.languages, submission));
  for (const auto& [profile, limits] : source.limits)
    source.profiles.push_back(profile);
  return source;
}

std::string why_not_compiled(const judge::Compiled& compiled) {
  if (!compiled.result) return "it was terminated before it was compiled";
  return "it does not compile: " + compiled.result->error;
}

void add_program(const HeldSource& source, const judge::Program& program,
                 const verdict::Policy& policy, sandbox::Spec& spec) {
  const judge::Language& language = *program.language;
  const auto profile = source.limits.find(language.profile(judge::Task::Run));
  judge::LimitSources sources{
      .request = spec.limits,
      .profile = profile == source.limits.end() ? sandbox::Limits{} : profile->second};
  const auto memory = judge::limits_for(language, sources).memory;
  sources.profile = sandbox::merge_limits(judge::limits_of_policy(policy, memory), sources.profile);
  const judge::RunLimits limits = judge::limits_for(language, sources);
  const judge::Invocation step = judge::run_step(language, program.sources, limits);
  spec.profile = step.profile;
  spec.argv = step.argv;
  spec.environment.insert(spec.environment.begin(), step.environment.begin(),
                          step.environment.end());
  spec.limits = step.limits;
  for (sandbox::FileIn& file : program.files_in())
    spec.files_in.push_back(std::move(file));
}

}  // namespace assay::cli
