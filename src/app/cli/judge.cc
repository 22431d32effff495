// `assay judge`: a problem's directory and source files in, verdicts out. All files are opened as
// the caller; whatever meets their bytes or a program's is done without privilege.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/cli/cache_place.h"
#include "app/cli/judge_job.h"
#include "app/cli/judge_profile.h"
#include "app/cli/judge_report.h"
#include "app/cli/judge_sources.h"
#include "app/cli/unprivileged.h"
#include "judge/pipeline.h"
#include "os/cores.h"
#include "os/file.h"
#include "package/load.h"
#include "wire/judging.h"

namespace assay::cli {
namespace {

struct Assignment {
  judge::LanguageSet languages;
  judge::ProfileLimits profiles;
  verdict::Policy policy;
  judge::Problem problem;
  judge::Submission submission;
  judge::Unpacker unpacker;
  judge::JudgeOptions options;
  judge::ProfileStamps stamps;
  CachePlace cache;
};

Result<judge::JudgeOptions> read_options(const JudgeCommand& command) {
  judge::JudgeOptions options;
  if (!command.stop.empty()) {
    options.stop = judge::stop_rule_named(command.stop);
    if (!options.stop) return invalid("--stop is none, first or group, not '" + command.stop + "'");
  }
  const std::vector<unsigned> cores = os::usable_cores();
  options.workers = command.jobs != 0 ? command.jobs : static_cast<unsigned>(cores.size());
  if (options.workers > 1 && options.workers <= cores.size()) options.cores = cores;
  const auto thousandths = [](double times) {
    return judge::Factor{static_cast<std::uint64_t>(std::lround(times * 1000))};
  };
  options.soft = thousandths(command.soft);
  options.repeats = {.most = command.reruns,
                     .margin = thousandths(command.margin / 100),
                     .counts = command.counts == "slowest" ? judge::Repeats::Counts::Slowest
                                                           : judge::Repeats::Counts::Fastest};
  options.sanitize = command.sanitize;
  options.lint = command.lint;
  return options;
}

Result<Assignment> prepare(const JudgeCommand& command, const JudgeJob& job) {
  judge::JudgeOptions options = TRY(read_options(command));
  options.dialogue = job.dialogue;
  judge::LanguageSet languages = TRY(judge::load_languages(language_directory()));
  judge::ProfileLimits profiles = TRY(judge::load_profile_limits(profile_directory(), languages));
  judge::Problem problem = TRY(job.problem(languages));
  const std::string usual = problem.policy.empty() ? "assay" : problem.policy;
  verdict::Policy policy = TRY(
      verdict::load_policy(policy_directory(), command.policy.empty() ? usual : command.policy));
  judge::Submission submission = TRY(read_submission(command, languages, problem));
  judge::Unpacker unpacker = TRY(judge::Unpacker::open());
  judge::ProfileStamps stamps = TRY(judge::load_profile_stamps(profile_directory(), languages));
  CachePlace cache = TRY(cache_place(command.cache, command.cache_level));
  return Assignment{
      std::move(languages),  std::move(profiles), std::move(policy), std::move(problem),
      std::move(submission), std::move(unpacker), options,           std::move(stamps),
      std::move(cache)};
}

// Some ten thousand remarks of a test: why a dialogue failed is mostly at its end.
constexpr Bytes kDialogue = 1_MiB;

bool is_terminal(int fd) {
  return ::isatty(fd) != 0 && std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe)
}

// A line that is written over again, only for somebody who watches.
judge::JudgeEvents progress(std::size_t tests, std::size_t& done) {
  if (!is_terminal(STDERR_FILENO)) return {};
  return {.compiled = [](const judge::CompileResult&) { std::fputs("\rcompiled", stderr); },
          .tested =
              [tests, &done](std::size_t, const judge::TestResult&) {
                std::fprintf(stderr, "\r%zu of %zu tests\033[K", ++done, tests);
              },
          .finished =
              [](const judge::JudgeResult&) {
                std::fputs("\r\033[K", stderr);
              }};
}

// A directory of root's is no good: what it judges for root is not root.
std::string about_cache(const Error& error) {
  constexpr uid_t kNobody = 65534;
  const bool as_nobody = error.code == EACCES && ::geteuid() == kNobody;
  return describe(error) + (as_nobody ? "; root's judgings are done by nobody: the directory must "
                                        "be its own (chown nobody), or not be there yet"
                                      : "");
}

int run_and_report(sandbox::Sandbox& engine, const Assignment& work, const JudgeCommand& command,
                   const JudgeJob& job) {
  const auto compilers = open_compilers(engine, work.cache, work.stamps);
  if (!compilers) return failed(about_cache(compilers.error()));
  const judge::Judge judge(engine, work.languages, work.profiles, work.policy,
                           {.unpacker = &work.unpacker, .compilers = compilers->get()});
  judge::Cancellation cancellation;
  std::size_t done = 0;
  JudgeProfile profile;
  const auto result =
      judge.judge(work.problem, work.submission, work.options,
                  profile.around(progress(work.problem.tests.size(), done)), cancellation);
  if (!result) return failed(describe(result.error()));
  if (const Status told = job.report(work.problem, *result); !told)
    return failed(describe(told.error()));
  if (command.profile) std::fputs(profile.text(*result, work.options.workers).c_str(), stderr);
  if (result->status == judge::JudgeStatus::Failed || verdict::is_our_fault(result->verdict))
    return kFailed;
  return result->verdict == verdict::Verdict::Accepted ? kGood : kNotGood;
}

// Every profile is read now: later there is no right to.
Result<int> judge_in_boxes(const JudgeCommand& command, const JudgeJob& job) {
  const Assignment work = TRY(prepare(command, job));
  auto engine = TRY(sandbox::Sandbox::start({.profiles = profile_directory(),
                                             .allow_degraded = command.allow_degraded,
                                             .spare_boxes = work.options.workers}));
  for (const auto& [profile, limits] : work.profiles)
    TRY_STATUS(engine.know(profile));
  return run_unprivileged(Afterwards::NeedsNone,
                          [&] { return run_and_report(engine, work, command, job); });
}

}  // namespace

int judge_job(const JudgeCommand& command, const JudgeJob& job) {
  const auto code = judge_in_boxes(command, job);
  return code ? *code : failed(describe(code.error()));
}

Status print_result(const JudgeCommand& command, const judge::Problem& problem,
                    const judge::JudgeResult& result) {
  const Colours colours = is_terminal(STDOUT_FILENO) ? Colours::Yes : Colours::No;
  if (os::write_all(STDOUT_FILENO, command.json ? wire::encode_judge_result(result, true)
                                                : table(problem, result, colours)))
    return {};
  return system_error(0, "could not write the result to stdout");
}

int judge_files(const JudgeCommand& command) {
  // A table shows a failing dialogue; JSON carries them all, which somebody must want.
  const bool wanted = command.dialogue || !command.json;
  return judge_job(command,
                   {.problem =
                        [&](const judge::LanguageSet& languages) {
                          return package::load_package(command.problem, languages);
                        },
                    .report =
                        [&](const judge::Problem& problem, const judge::JudgeResult& result) {
                          return print_result(command, problem, result);
                        },
                    .dialogue = wanted ? kDialogue : Bytes{}});
}

}  // namespace assay::cli
