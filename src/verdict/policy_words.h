// The words of a policy file. Private to this room.
#pragma once

#include <array>
#include <string_view>

#include "verdict/policy.h"

namespace assay::verdict {

template <typename Value>
struct Word {
  std::string_view text;
  Value value;
};

template <typename Value>
constexpr auto kWords = nullptr;  // every enumeration has its own, below

template <>
inline constexpr auto kWords<CpuClock> =
    std::to_array<Word<CpuClock>>({{"total", CpuClock::Total}, {"user", CpuClock::User}});
template <>
inline constexpr auto kWords<Comparison> = std::to_array<Word<Comparison>>(
    {{"gt", Comparison::Greater}, {"ge", Comparison::GreaterOrEqual}});
template <>
inline constexpr auto kWords<ReportTime> =
    std::to_array<Word<ReportTime>>({{"measured", ReportTime::Measured},
                                     {"at_least_limit", ReportTime::AtLeastLimit},
                                     {"wall_limit", ReportTime::WallLimit}});
template <>
inline constexpr auto kWords<Stopped> =
    std::to_array<Word<Stopped>>({{"skipped", Stopped::Skipped}, {"by_end", Stopped::ByEnd}});
template <>
inline constexpr auto kWords<Cause> =
    std::to_array<Word<Cause>>({{"not_started", Cause::NotStarted},
                                {"cut_off", Cause::CutOff},
                                {"cpu", Cause::Cpu},
                                {"wall", Cause::Wall},
                                {"memory", Cause::Memory},
                                {"output", Cause::Output},
                                {"forbidden", Cause::Forbidden},
                                {"runtime", Cause::Runtime},
                                {"file_error", Cause::FileError}});
template <>
inline constexpr auto kWords<Aggregate> =
    std::to_array<Word<Aggregate>>({{"first", Aggregate::First}, {"worst", Aggregate::Worst}});
template <>
inline constexpr auto kWords<Stop> = std::to_array<Word<Stop>>({{"none", Stop::None},
                                                                {"first", Stop::First},
                                                                {"group", Stop::Group},
                                                                {"dependents", Stop::Dependents}});
template <>
inline constexpr auto kWords<Interactive> =
    std::to_array<Word<Interactive>>({{"testlib", Interactive::Testlib},
                                      {"noj", Interactive::StudentFirst},
                                      {"evaluator", Interactive::Evaluator}});
template <>
inline constexpr auto kWords<ReaderGone> = std::to_array<Word<ReaderGone>>(
    {{"drain", ReaderGone::Drain}, {"sigpipe", ReaderGone::Signal}});
template <>
inline constexpr auto kWords<InteractorExcess> = std::to_array<Word<InteractorExcess>>(
    {{"judge_failed", InteractorExcess::JudgeFailed}, {"by_limit", InteractorExcess::ByLimit}});
template <>
inline constexpr auto kWords<Compare> = std::to_array<Word<Compare>>({{"none", Compare::None},
                                                                      {"exact", Compare::Exact},
                                                                      {"lines", Compare::Lines},
                                                                      {"tokens", Compare::Tokens}});
template <>
inline constexpr auto kWords<CheckerAnswer> =
    std::to_array<Word<CheckerAnswer>>({{"testlib", CheckerAnswer::Testlib},
                                        {"exit_code", CheckerAnswer::ExitCode},
                                        {"status_lines", CheckerAnswer::StatusLines}});
template <>
inline constexpr auto kWords<Stack> =
    std::to_array<Word<Stack>>({{"memory", Stack::Memory}, {"unlimited", Stack::Unlimited}});
template <>
inline constexpr auto kWords<WaitPolarity> =
    std::to_array<Word<WaitPolarity>>({{"zero_terminates", WaitPolarity::ZeroTerminates},
                                       {"one_terminates", WaitPolarity::OneTerminates}});

}  // namespace assay::verdict
