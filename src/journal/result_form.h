// The lasting form of results, with all the evidence.
#pragma once

#include "journal/problem_form.h"
#include "judge/judge_result.h"

namespace assay::sandbox {

template <typename Io, journal::Of<Exited> V>
void fields(Io& io, V& v) {
  auto& [code] = v;
  io(1, code);
}

template <typename Io, journal::Of<Signaled> V>
void fields(Io& io, V& v) {
  auto& [signal, core] = v;
  io(1, signal);
  io(2, core);
}

template <typename Io, journal::Of<Forbidden> V>
void fields(Io& io, V& v) {
  auto& [syscall] = v;
  io(1, syscall);
}

template <typename Io, journal::Of<NotStarted> V>
void fields(Io& io, V& v) {
  auto& [step, what, error] = v;
  io(1, step);
  io(2, what);
  io(3, error);
}

template <typename Io, journal::Of<StreamFacts> V>
void fields(Io& io, V& v) {
  auto& [bytes, over_limit] = v;
  io(1, bytes);
  io(2, over_limit);
}

template <typename Io, journal::Of<FileError> V>
void fields(Io& io, V& v) {
  auto& [name, why, error, stage] = v;
  io(1, name);
  io(2, why);
  io(3, error);
  io.choice(4, stage, FileStage::Take);
}

template <typename Io, journal::Of<Facts> V>
void fields(Io& io, V& v) {
  auto& [end, cut_off_by, cpu_total, cpu_user, cpu_system, wall, starved, memory_peak, memory_now,
         memory_meter, rss_peak, section_peak, oom_kills, processes_peak, processes_refused, output,
         errors, streams, file_over_limit, slept, switches_voluntary, switches_forced, exit_order,
         file_errors, box, missing, limits] = v;
  io.template alternative<Exited>(1, end);
  io.template alternative<Signaled>(2, end);
  io.template alternative<Forbidden>(3, end);
  io.template alternative<NotStarted>(4, end);
  io.choice(5, cut_off_by, CutOff::Shutdown);
  io(6, cpu_total);
  io(7, cpu_user);
  io(8, cpu_system);
  io(9, wall);
  io(10, memory_peak);
  io(11, memory_now);
  io(12, memory_meter);
  io(13, section_peak);
  io(14, oom_kills);
  io(15, processes_peak);
  io(16, processes_refused);
  io(17, output);
  io(18, errors);
  io(19, streams);
  io(20, file_over_limit);
  io(21, switches_voluntary);
  io(22, switches_forced);
  io(23, exit_order);
  io(24, file_errors);
  io.choice(25, box, BoxMode::None);
  io(26, missing);
  io(27, limits);
  io(28, starved);
  io(29, rss_peak);
  io(30, slept);
}

}  // namespace assay::sandbox

namespace assay::exec {

template <typename Io, journal::Of<Remark> V>
void fields(Io& io, V& v) {
  auto& [voice, at, bytes] = v;
  io(1, voice);
  io(2, at);
  io(3, bytes);
}

template <typename Io, journal::Of<Dialogue> V>
void fields(Io& io, V& v) {
  auto& [remarks, bytes, truncated] = v;
  io(1, remarks);
  io(2, bytes);
  io(3, truncated);
}

}  // namespace assay::exec

namespace assay::judge {

using verdict::Verdict;

template <typename Io, journal::Of<CompileResult> V>
void fields(Io& io, V& v) {
  auto& [ok, exit_code, time, memory, log, error, cached] = v;
  io(1, ok);
  io(2, exit_code);
  io(3, time);
  io(4, memory);
  io(5, log);
  io(6, error);
  io(7, cached);
}

template <typename Io, journal::Of<InteractionResult> V>
void fields(Io& io, V& v) {
  auto& [solution_first, taught, managed, interactor, dialogue] = v;
  io(1, solution_first);
  io(2, taught);
  io(3, interactor);
  io(4, dialogue);
  io(5, managed);
}

template <typename Io, journal::Of<TestResult> V>
void fields(Io& io, V& v) {
  auto& [id, subtask, verdict, letters, message, team_message, time, wall, memory, output_size,
         exit_code, output, errors, checker_log, verdict_without_limit, letters_without_limit,
         sanitizer_report, run_times, share, score, facts, processes, interaction] = v;
  io(1, id);
  io(2, subtask);
  io.choice(3, verdict, Verdict::AnalysisError);
  io(4, letters);
  io(5, message);
  io(6, time);
  io(7, wall);
  io(8, memory);
  io(9, output_size);
  io(10, exit_code);
  io(11, output);
  io(12, errors);
  io(13, checker_log);
  io.choice(14, verdict_without_limit, Verdict::AnalysisError);
  io(15, letters_without_limit);
  io(16, sanitizer_report);
  io(17, run_times);
  io(18, share);
  io(19, score);
  io(20, facts);
  io(21, interaction);
  io(22, processes);
  io(23, team_message);
}

template <typename Io, journal::Of<SubtaskResult> V>
void fields(Io& io, V& v) {
  auto& [id, score, solved] = v;
  io(1, id);
  io(2, score);
  io(3, solved);
}

template <typename Io, journal::Of<ScriptScore> V>
void fields(Io& io, V& v) {
  auto& [message, breakdown] = v;
  io(1, message);
  io(2, breakdown);
}

template <typename Io, journal::Of<Summary> V>
void fields(Io& io, V& v) {
  auto& [total_time, max_memory, total_score, failed_test, worst, verdict_without_limit,
         letters_without_limit, sanitizer_report] = v;
  io(1, total_time);
  io(2, max_memory);
  io(3, total_score);
  io(4, failed_test);
  io.choice(5, verdict_without_limit, Verdict::AnalysisError);
  io(6, letters_without_limit);
  io(7, sanitizer_report);
  io(8, worst);
}

template <typename Io, journal::Of<JudgeResult> V>
void fields(Io& io, V& v) {
  auto& [submission_id, status, verdict, letters, message, score, language, compile, lint, tests,
         subtasks, script, summary, received_at, finished_at] = v;
  io(1, submission_id);
  io.choice(2, status, JudgeStatus::Failed);
  io.choice(3, verdict, Verdict::AnalysisError);
  io(4, letters);
  io(5, message);
  io(6, score);
  io(7, language);
  io(8, compile);
  io(9, lint);
  io(10, tests);
  io(11, subtasks);
  io(12, script);
  io(13, summary);
  io(14, received_at);
  io(15, finished_at);
}

}  // namespace assay::judge
