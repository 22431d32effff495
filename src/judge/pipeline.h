// Judges submissions: compiles, runs the tests, checks, scores. The result is the same whatever the
// number of workers and their luck. Never logs, and never touches a file that it was not given.
#pragma once

#include <functional>

#include "judge/cancellation.h"
#include "judge/judge_result.h"
#include "judge/language_set.h"
#include "judge/outputs.h"
#include "judge/problem.h"
#include "judge/repeats.h"
#include "judge/submission.h"
#include "judge/test_run.h"
#include "judge/unpacking.h"
#include "verdict/policy.h"

namespace assay::judge {

class Compilers;

struct JudgeOptions {
  sandbox::Limits limits{};        // before the problem's
  std::optional<StopRule> stop{};  // instead of the problem's
  unsigned workers = 1;            // tests at the same time
  // One for each worker: its programs run there, and so does the thread that waits for them.
  // Handing over from one core to another costs a tenth of a short test. Empty: any.
  std::vector<unsigned> cores{};
  Factor soft{};  // a run may take so many times its limit, see soft_limit.h
  Repeats repeats{};
  bool sanitize = false;  // compile with sanitizers and judge accordingly, see sanitizers.h
  Bytes dialogue{};       // so much of what was said is in the results of interactive tests
  bool lint = false;      // check the syntax first, where the language has a check; else CE
};

// Told while it happens, by one thread at a time. A test that is told may still become SKIPPED,
// when an earlier one fails later: the result counts.
struct JudgeEvents {
  std::function<void(const CompileResult&)> compiled{};
  std::function<void()> testing{};  // everything is compiled that has to be
  std::function<void(std::size_t index, const TestResult&)> tested{};
  std::function<void(const JudgeResult&)> finished{};
  // Where dialogues are kept: while they are spoken, by several threads at a time.
  std::function<void(std::size_t index, const exec::Remark&)> said{};
};

// The default limits of every profile that a language names, and of all others there.
Result<ProfileLimits> load_profile_limits(const std::string& directory,
                                          const LanguageSet& languages);

// What a judge can do without.
struct JudgeTools {
  const Unpacker* unpacker = nullptr;  // no archives
  Compilers* compilers = nullptr;      // everything is compiled each time
};

class Judge {
 public:
  // All of them must outlive it.
  Judge(sandbox::Sandbox& engine, const LanguageSet& languages, const ProfileLimits& profiles,
        const verdict::Policy& policy, JudgeTools tools = {})
      : engine_(engine),
        languages_(languages),
        profiles_(profiles),
        policy_(policy),
        tools_(tools) {}

  // Whether there is something to judge, as judge() will see it before it runs anything.
  [[nodiscard]] Status can_judge(const Problem& problem, const Submission& submission) const;

  // Of a judging that came to nothing: every test skipped.
  [[nodiscard]] JudgeResult failed(const Problem& problem, verdict::Verdict verdict,
                                   std::string message) const;

  // An Error says that there is nothing to judge: the request or the problem is wrong. When we fail
  // later, the result says so. Safe from any thread.
  Result<JudgeResult> judge(const Problem& problem, const Submission& submission,
                            const JudgeOptions& options, const JudgeEvents& events,
                            Cancellation& cancellation) const;

 private:
  Result<Compiled> compiled(const CompileOrder& order, Cancellation& cancellation) const;
  Result<Program> compile_checker(const Submission& source, const char* what,
                                  Cancellation& cancellation) const;
  Status score(const Problem& problem, JudgeResult& result, Cancellation& cancellation) const;
  Result<Program> checker_of(const Problem& problem, Cancellation& cancellation) const;
  // Either a program, or nothing but outputs.
  struct Judged {
    std::optional<CompileResult> lint{};
    Compiled compiled{};
    std::optional<Outputs> outputs{};
  };
  Result<Judged> make_ready(const Problem& problem, const Submission& submission,
                            const JudgeOptions& options, Cancellation& cancellation) const;
  Result<std::vector<TestResult>> test(const Problem& problem, const Judged& judged,
                                       const JudgeOptions& options, const JudgeEvents& events,
                                       Cancellation& cancellation) const;
  [[nodiscard]] JudgeResult teacher_failed(const Problem& problem, JudgeResult result,
                                           const std::string& why) const;
  Result<JudgeResult> judge_valid(const Problem& problem, const Submission& submission,
                                  JudgeResult result, const JudgeOptions& options,
                                  const JudgeEvents& events, Cancellation& cancellation) const;

  sandbox::Sandbox& engine_;
  const LanguageSet& languages_;
  const ProfileLimits& profiles_;
  const verdict::Policy& policy_;
  JudgeTools tools_;
};

}  // namespace assay::judge
