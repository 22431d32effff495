// `assay exec`: run one program in a box. The files are opened as the caller; everything that meets
// the program's bytes is done by a child without privilege; the warden is the only other process
// with any.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/exec_report.h"
#include "app/cli/exec_spec.h"
#include "app/cli/program_input.h"
#include "app/cli/unprivileged.h"
#include "os/file.h"
#include "sandbox/sandbox.h"
#include "sandbox/warden/warden.h"
#include "verdict/judge.h"

namespace assay::cli {
namespace {

bool colours_wanted() {
  return ::isatty(STDERR_FILENO) != 0 &&
         std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe)
}

// One sentence for what kept the program from starting or a file from coming out; empty when all is
// well.
std::string complaint(const sandbox::Facts& facts) {
  if (const auto* failure = std::get_if<sandbox::NotStarted>(&facts.end)) return describe(*failure);
  if (!facts.file_errors.empty())
    return "could not take '" + facts.file_errors[0].name +
           "' out of the box: " + facts.file_errors[0].why;
  return "";
}

int serve_as_warden(const std::string& profiles, int socket) {
  const Status served = sandbox::warden::serve({.profiles = profiles, .socket = socket});
  return served ? kGood : failed(describe(served.error()));
}

int run_and_report(sandbox::Sandbox& box, PreparedRun& run, const verdict::Policy& policy,
                   const ExecOptions& options) {
  const auto facts = run_with_input(box, run.spec, run.relayed_input);
  if (run.copied_input) run.copied_input->leave_the_rest();
  if (!facts) return failed(describe(facts.error()));
  const verdict::Judgement judgement = verdict::judge(*facts, policy);
  if (options.json) {
    if (!os::write_all(STDOUT_FILENO, json_report(*facts, judgement)))
      return failed("could not write the report to stdout");
  } else if (!options.quiet && !std::holds_alternative<sandbox::NotStarted>(facts->end)) {
    (void)os::write_all(STDERR_FILENO, summary(*facts, judgement, colours_wanted()));
  }
  if (const std::string sentence = complaint(*facts); !sentence.empty()) return failed(sentence);
  return judgement.verdict == verdict::Verdict::Accepted ? kGood : kNotGood;
}

}  // namespace

Result<sandbox::Sandbox> start_exec_engine(Runs runs) {
  return sandbox::Sandbox::start({.warden_main = serve_as_warden,
                                  .profiles = profile_directory(),
                                  .one_shot = runs == Runs::One});
}

int exec(const ExecOptions& options, Result<sandbox::Sandbox> box) {
  auto run = prepare_run(options);
  if (!run) return failed(describe(run.error()));
  if (!box) return failed(describe(box.error()));
  if (options.allow_degraded) box->accept_degraded();
  // The warden makes the box while we read the rest.
  if (const Status ordered = box->order_ahead(run->spec); !ordered)
    return failed(describe(ordered.error()));
  if (const Status known = box->know(options.profile); !known)
    return failed(describe(known.error()));
  const auto policy = verdict::load_policy(policy_directory(), options.policy);
  if (!policy) return failed(describe(policy.error()));
  if (const Status checked = check_run(*run); !checked) return failed(describe(checked.error()));
  if (const Status opened = open_outputs(*run, options); !opened)
    return failed(describe(opened.error()));
  const Afterwards afterwards =
      run->outputs.empty() ? Afterwards::NeedsNone : Afterwards::NeedsRights;
  const auto code =
      run_unprivileged(afterwards, [&] { return run_and_report(*box, *run, *policy, options); });
  if (!code) return failed(describe(code.error()));
  if (*code == kFailed) return kFailed;
  for (PendingFile& output : run->outputs)
    if (const Status published = output.publish(); !published)
      return failed(describe(published.error()));
  return *code;
}

}  // namespace assay::cli
