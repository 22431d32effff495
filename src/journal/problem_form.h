// The lasting form of problems and submissions. The bindings name every member, so that a new one
// does not compile until it has a number here.
#pragma once

#include "journal/lasting.h"
#include "judge/pipeline.h"

namespace assay::sandbox {

template <typename Io, journal::Of<Limits> V>
void fields(Io& io, V& v) {
  auto& [cpu_time, wall_time, idle_time, memory, stack, address_space, data_segment, output,
         total_output, disk, inodes, open_files, processes, cpu_permille] = v;
  io(1, cpu_time);
  io(2, wall_time);
  io(3, idle_time);
  io(4, memory);
  io(5, stack);
  io(6, address_space);
  io(7, data_segment);
  io(8, output);
  io(9, total_output);
  io(10, disk);
  io(11, inodes);
  io(12, open_files);
  io(13, processes);
  io(14, cpu_permille);
}

}  // namespace assay::sandbox

namespace assay::judge {

template <typename Io, journal::Of<SourceFile> V>
void fields(Io& io, V& v) {
  auto& [name, content, executable] = v;
  io(1, name);
  io(2, content);
  io(3, executable);
}

template <typename Io, journal::Of<Submission> V>
void fields(Io& io, V& v) {
  auto& [id, language, sources, archive, extra_flags] = v;
  io(1, id);
  io(2, language);
  io(3, sources);
  io(4, archive);
  io(5, extra_flags);
}

template <typename Io, journal::Of<ProblemTest> V>
void fields(Io& io, V& v) {
  auto& [id, input, answer, score, subtask, limits] = v;
  io(1, id);
  io(2, input);
  io(3, answer);
  io(4, score);
  io(5, subtask);
  io(6, limits);
}

template <typename Io, journal::Of<Subtask> V>
void fields(Io& io, V& v) {
  auto& [id, score, rule, depends_on] = v;
  io(1, id);
  io(2, score);
  io.choice(3, rule, SubtaskRule::Script);
  io(4, depends_on);
}

template <typename Io, journal::Of<Comparison> V>
void fields(Io& io, V& v) {
  auto& [gaps, values, order, ignore_case, absolute, relative, strict, presentation] = v;
  io.choice(1, gaps, Gaps::Any);
  io.choice(2, values, Values::YesNo);
  io.choice(3, order, Order::AnyTokens);
  io(4, ignore_case);
  io(5, absolute);
  io(6, relative);
  io(7, strict);
  io(8, presentation);
}

template <typename Io, journal::Of<CheckerProgram> V>
void fields(Io& io, V& v) {
  auto& [source, protocol, arguments, limits] = v;
  io(1, source);
  io.choice(2, protocol, Protocol::Noj);
  io(3, arguments);
  io(4, limits);
}

template <typename Io, journal::Of<Interactor> V>
void fields(Io& io, V& v) {
  auto& [source, protocol, arguments, limits, starts_first] = v;
  io(1, source);
  io.choice(2, protocol, Protocol::Noj);
  io(3, arguments);
  io(4, limits);
  io(5, starts_first);
}

template <typename Io, journal::Of<Manager> V>
void fields(Io& io, V& v) {
  auto& [source, protocol, arguments, limits] = v;
  io(1, source);
  io.choice(2, protocol, Protocol::Noj);
  io(3, arguments);
  io(4, limits);
}

template <typename Io, journal::Of<ScorerProgram> V>
void fields(Io& io, V& v) {
  auto& [source, limits] = v;
  io(1, source);
  io(2, limits);
}

template <typename Io, journal::Of<Grader> V>
void fields(Io& io, V& v) {
  auto& [language, files, submission] = v;
  io(1, language);
  io(2, files);
  io(3, submission);
}

template <typename Io, journal::Of<Problem> V>
void fields(Io& io, V& v) {
  auto& [kind, passes, build, graders, build_files, build_archive, io_mode, input_file, output_file,
         limits, checker, has_own_checker, checks_by_policy, tests, subtasks, interactor, manager,
         processes, process_io, scorer, stop, granted_flags, beside, test_files, teacher_files,
         run_profiles, policy] = v;
  io.choice(1, kind, ProblemKind::TwoStep);
  io(2, passes);
  io.choice(3, build, BuildStrategy::MakeInteractive);
  io(4, graders);
  io(5, build_files);
  io(6, build_archive);
  io.choice(7, io_mode, IoMode::FileIo);
  io(8, input_file);
  io(9, output_file);
  io(10, limits);
  io.template alternative<Comparison>(11, checker);
  io.template alternative<CheckerProgram>(12, checker);
  io(13, has_own_checker);
  io(14, tests);
  io(15, subtasks);
  io(16, interactor);
  io(17, scorer);
  io.choice(18, stop, StopRule::Group);
  io(19, beside);
  io(20, run_profiles);
  io(21, manager);
  io(22, processes);
  io.choice(23, process_io, ProcessIo::Terminal);
  io(24, test_files);
  io(25, teacher_files);
  io(26, checks_by_policy);
  io(27, granted_flags);
  io(28, policy);
}

template <typename Io, journal::Of<Factor> V>
void fields(Io& io, V& v) {
  auto& [thousandths] = v;
  io(1, thousandths);
}

template <typename Io, journal::Of<Repeats> V>
void fields(Io& io, V& v) {
  auto& [most, margin, counts] = v;
  io(1, most);
  io(2, margin);
  io.choice(3, counts, Repeats::Counts::Slowest);
}

// How many tests run at a time, and where, is decided when it is judged.
template <typename Io, journal::Of<JudgeOptions> V>
void fields(Io& io, V& v) {
  auto& [limits, stop, workers, cores, soft, repeats, sanitize, dialogue, lint] = v;
  (void)workers;
  (void)cores;
  io(1, limits);
  io.choice(2, stop, StopRule::Group);
  io(3, soft);
  io(4, repeats);
  io(5, sanitize);
  io(6, dialogue);
  io(7, lint);
}

}  // namespace assay::judge
