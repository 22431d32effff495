// Judgings and their results as clients see them: the same numbers as over HTTP.
#include <chrono>
#include <cmath>

#include "judge/dialogue.h"
#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/judging_convert.h"

namespace assay::transport::module {
namespace {

using service::JudgingStage;
using service::JudgingStep;
using Time = judge::JudgeResult::Clock::time_point;

std::uint64_t milliseconds(Nanoseconds time) {
  return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(time).count());
}
std::uint64_t kilobytes(Bytes bytes) {
  return bytes.count / 1024;
}
double rounded(double score) {
  return std::round(score * 1e6) / 1e6;
}

void fill_time(Time from, google::protobuf::Timestamp& to) {
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(from).time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(whole);
  to.set_seconds(seconds.count());
  to.set_nanos(static_cast<std::int32_t>(Nanoseconds(whole - seconds).count()));
}

void fill_compile(const judge::CompileResult& from, v1::CompileResult& to) {
  to.set_ok(from.ok);
  if (from.exit_code) to.set_exit_code(*from.exit_code);
  to.set_time_ms(milliseconds(from.time));
  to.set_memory_kb(kilobytes(from.memory));
  to.set_log(as_utf8(from.log));
  to.set_error(as_utf8(from.error));
  to.set_cached(from.cached);
}

// Of an output that was handed in nothing was measured.
void fill_measures(const judge::TestResult& from, v1::TestResult& to) {
  const bool judged_unrun = !from.facts && from.verdict != verdict::Verdict::Skipped &&
                            from.verdict != verdict::Verdict::SystemError;
  if (judged_unrun) return;
  to.set_time_ms(milliseconds(from.time));
  to.set_wall_time_ms(milliseconds(from.wall));
  to.set_memory_kb(kilobytes(from.memory));
}

v1::Interaction::Side side_of(judge::Voice voice) {
  switch (voice) {
    case judge::Voice::Interactor:
      return v1::Interaction::SIDE_INTERACTOR;
    case judge::Voice::Solution:
      return v1::Interaction::SIDE_SOLUTION;
    case judge::Voice::Errors:
      break;
  }
  return v1::Interaction::SIDE_STDERR;
}

void fill_remark(const exec::Remark& from, bool managed, v1::Interaction::Remark& to) {
  const judge::Voice voice = judge::voice_of(from.voice);
  const bool manager = managed && voice == judge::Voice::Interactor;
  to.set_from(manager ? v1::Interaction::SIDE_MANAGER : side_of(voice));
  if (managed) to.set_process(judge::process_of(from.voice));
  to.set_at_us(
      static_cast<std::uint64_t>(std::chrono::floor<std::chrono::microseconds>(from.at).count()));
  to.set_said(from.bytes);
}

void fill_interaction(const judge::InteractionResult& from, bool with_facts, v1::Interaction& to) {
  const auto other =
      from.managed ? v1::Interaction::SIDE_MANAGER : v1::Interaction::SIDE_INTERACTOR;
  to.set_first_to_end(from.solution_first ? v1::Interaction::SIDE_SOLUTION : other);
  if (with_facts && from.interactor) fill_facts(*from.interactor, *to.mutable_interactor_facts());
  if (!from.dialogue) return;
  v1::Interaction::Dialogue& dialogue = *to.mutable_dialogue();
  dialogue.set_bytes(from.dialogue->bytes);
  dialogue.set_truncated(from.dialogue->truncated);
  for (const exec::Remark& remark : from.dialogue->remarks)
    fill_remark(remark, from.managed, *dialogue.add_events());
}

void fill_test(const judge::TestResult& from, bool with_facts, v1::TestResult& to) {
  to.set_test_id(as_utf8(from.id));
  to.set_verdict(as_utf8(from.letters));
  fill_measures(from, to);
  to.set_output_kb(kilobytes(from.output_size));
  if (from.exit_code) to.set_exit_code(*from.exit_code);
  to.set_message(as_utf8(from.message));
  to.set_runtime_log(as_utf8(from.errors));
  to.set_checker_log(as_utf8(from.checker_log));
  to.set_team_message(as_utf8(from.team_message));
  to.set_stdout(from.output);
  to.set_stderr(from.errors);
  to.set_score(rounded(from.score));
  to.set_subtask_id(as_utf8(from.subtask));
  if (from.verdict_without_limit) to.set_verdict_without_limit(as_utf8(from.letters_without_limit));
  to.set_sanitizer_report(from.sanitizer_report);
  for (const Nanoseconds time : from.run_times)
    to.add_run_times_ms(milliseconds(time));
  if (from.interaction) fill_interaction(*from.interaction, with_facts, *to.mutable_interaction());
  if (with_facts && from.facts) fill_facts(*from.facts, *to.mutable_facts());
  if (with_facts)
    for (const sandbox::Facts& facts : from.processes)
      fill_facts(facts, *to.add_processes());
}

void fill_summary(const judge::Summary& from, v1::Summary& to) {
  to.set_total_time_ms(milliseconds(from.total_time));
  to.set_max_memory_kb(kilobytes(from.max_memory));
  to.set_total_score(rounded(from.total_score));
  to.set_failed_test_id(as_utf8(from.failed_test));
  to.set_worst(as_utf8(from.worst));
  if (from.verdict_without_limit) to.set_verdict_without_limit(as_utf8(from.letters_without_limit));
  to.set_sanitizer_report(from.sanitizer_report);
}

v1::JudgingState::Status status_of(const judge::JudgeResult& result) {
  return result.status == judge::JudgeStatus::Finished ? v1::JudgingState::STATUS_FINISHED
                                                       : v1::JudgingState::STATUS_FAILED;
}

v1::JudgingState::Status status_of(const service::JudgingView& view) {
  if (view.result) return status_of(*view.result);
  switch (view.stage) {
    case JudgingStage::Compiling:
      return v1::JudgingState::STATUS_COMPILING;
    case JudgingStage::Running:
      return v1::JudgingState::STATUS_RUNNING;
    default:
      return v1::JudgingState::STATUS_PENDING;
  }
}

void fill_result(const judge::JudgeResult& from, bool with_facts, v1::JudgeResult& to) {
  to.set_submission_id(from.submission_id);
  to.set_status(status_of(from));
  to.set_verdict(as_utf8(from.letters));
  to.set_message(as_utf8(from.message));
  to.set_score(rounded(from.score));
  to.set_language(as_utf8(from.language));
  if (from.compile) fill_compile(*from.compile, *to.mutable_compile());
  if (from.lint) fill_compile(*from.lint, *to.mutable_lint());
  for (const judge::TestResult& test : from.tests)
    fill_test(test, with_facts, *to.add_tests());
  for (const judge::SubtaskResult& subtask : from.subtasks) {
    v1::SubtaskResult& added = *to.add_subtasks();
    added.set_id(as_utf8(subtask.id));
    added.set_score(rounded(subtask.score));
    added.set_solved(subtask.solved);
  }
  if (from.script) {
    to.mutable_scoring()->set_message(as_utf8(from.script->message));
    to.mutable_scoring()->set_breakdown_json(as_utf8(from.script->breakdown));
  }
  fill_summary(from.summary, *to.mutable_summary());
  fill_time(from.received_at, *to.mutable_timestamps()->mutable_received_at());
  fill_time(from.finished_at, *to.mutable_timestamps()->mutable_finished_at());
}

v1::JudgingEvent::Step to_step(JudgingStep step) {
  switch (step) {
    case JudgingStep::Queued:
      return v1::JudgingEvent::STEP_QUEUED;
    case JudgingStep::Begun:
      return v1::JudgingEvent::STEP_BEGUN;
    case JudgingStep::Compiled:
      return v1::JudgingEvent::STEP_COMPILED;
    case JudgingStep::Said:
      return v1::JudgingEvent::STEP_SAID;
    case JudgingStep::Tested:
      return v1::JudgingEvent::STEP_TEST;
    case JudgingStep::Ended:
      break;
  }
  return v1::JudgingEvent::STEP_RESULT;
}

}  // namespace

v1::JudgingState to_state(const service::Judging& judging) {
  const service::JudgingView view = judging.view();
  v1::JudgingState state;
  state.set_submission_id(judging.id());
  state.set_status(status_of(view));
  state.mutable_progress()->set_total_tests(judging.tests());
  state.mutable_progress()->set_done_tests(view.tests_done);
  fill_time(judging.received_at(), *state.mutable_received_at());
  if (view.result) fill_result(*view.result, judging.order().wants_facts, *state.mutable_result());
  return state;
}

v1::JudgingEvent to_event(const service::JudgingEvent& event, const service::Judging& judging) {
  const bool with_facts = judging.order().wants_facts;
  v1::JudgingEvent made;
  made.set_number(event.number);
  made.set_event(to_step(event.step));
  made.set_submission_id(judging.id());
  if (event.compile) fill_compile(*event.compile, *made.mutable_compile());
  if (event.said) {
    made.set_test_id(as_utf8(event.said->test_id));
    fill_remark(event.said->remark, event.said->managed, *made.mutable_said());
  }
  if (event.test) fill_test(*event.test, with_facts, *made.mutable_test());
  if (event.result) fill_result(*event.result, with_facts, *made.mutable_result());
  return made;
}

v1::LanguageList to_languages(const std::vector<judge::Language>& languages) {
  v1::LanguageList list;
  for (const judge::Language& language : languages) {
    v1::Language& added = *list.add_languages();
    added.set_id(as_utf8(language.id));
    added.set_name(as_utf8(language.name));
    for (const std::string& alias : language.aliases)
      added.add_aliases(as_utf8(alias));
    for (const std::string& extension : language.extensions)
      added.add_extensions(as_utf8(extension));
    added.set_source_file(as_utf8(language.source));
    added.set_binary_file(as_utf8(language.output));
    added.set_compile_enabled(!language.compile.empty());
    added.set_time_multiplier(static_cast<double>(language.time.multiplier.thousandths) / 1000);
    added.set_memory_multiplier(static_cast<double>(language.memory.multiplier.thousandths) / 1000);
  }
  return list;
}

v1::ProblemInfo to_info(const service::ProblemInfo& problem) {
  v1::ProblemInfo info;
  info.set_problem_id(problem.id);
  info.set_digest(problem.digest);
  info.set_tests(problem.tests);
  info.set_subtasks(problem.subtasks);
  return info;
}

}  // namespace assay::transport::module
