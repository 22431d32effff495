// The keys of a policy file and the members they fill. Private to this room.
#pragma once

#include <string_view>
#include <tuple>

#include "sandbox/spec.h"
#include "verdict/policy.h"

namespace assay::verdict {

template <typename Section, typename Member>
struct Field {
  std::string_view name;
  Member Section::* member;
};

template <typename Section>
constexpr auto kFields = nullptr;  // every section has its own, below

template <>
inline constexpr auto kFields<Label> = std::tuple{
    Field{"letters", &Label::letters}, Field{"name", &Label::name}, Field{"code", &Label::code}};
template <>
inline constexpr auto kFields<EndLabels> = std::tuple{
    Field{"exit_code", &EndLabels::exit_code}, Field{"signal", &EndLabels::signal},
    Field{"forbidden", &EndLabels::forbidden}, Field{"file_error", &EndLabels::file_error}};
template <>
inline constexpr auto kFields<RunRules> =
    std::tuple{Field{"cpu_clock", &RunRules::cpu_clock},
               Field{"comparison", &RunRules::comparison},
               Field{"soft_comparison", &RunRules::soft_comparison},
               Field{"wall_verdict", &RunRules::wall_verdict},
               Field{"not_executable", &RunRules::not_executable},
               Field{"stopped", &RunRules::stopped},
               Field{"crash_may_be_time_limit", &RunRules::crash_may_be_time_limit},
               Field{"errors_count", &RunRules::errors_count},
               Field{"report_time", &RunRules::report_time},
               Field{"order", &RunRules::order}};
template <>
inline constexpr auto kFields<WallRules> =
    std::tuple{Field{"factor", &WallRules::factor}, Field{"extra", &WallRules::extra},
               Field{"extra_of_language", &WallRules::extra_of_language},
               Field{"interactor_extra", &WallRules::interactor_extra}};
template <>
inline constexpr auto kFields<LimitRules> =
    std::tuple{Field{"address_space_factor", &LimitRules::address_space_factor},
               Field{"address_space", &LimitRules::address_space},
               Field{"stack", &LimitRules::stack},
               Field{"stack_factor", &LimitRules::stack_factor},
               Field{"output", &LimitRules::output},
               Field{"interactive_output", &LimitRules::interactive_output},
               Field{"processes", &LimitRules::processes},
               Field{"round_up", &LimitRules::round_up}};
template <>
inline constexpr auto kFields<sandbox::Limits> = std::tuple{
    Field{"cpu_time", &sandbox::Limits::cpu_time}, Field{"wall_time", &sandbox::Limits::wall_time},
    Field{"memory", &sandbox::Limits::memory}, Field{"output", &sandbox::Limits::output},
    Field{"processes", &sandbox::Limits::processes}};
template <>
inline constexpr auto kFields<SubmissionRules> = std::tuple{
    Field{"aggregate", &SubmissionRules::aggregate}, Field{"order", &SubmissionRules::order},
    Field{"stop", &SubmissionRules::stop}, Field{"score_sum", &SubmissionRules::score_sum},
    Field{"whole_scores", &SubmissionRules::whole_scores}};
template <>
inline constexpr auto kFields<CheckRules> =
    std::tuple{Field{"compare", &CheckRules::compare}, Field{"checker", &CheckRules::checker},
               Field{"invalid_result", &CheckRules::invalid_result},
               Field{"message_limit", &CheckRules::message_limit}};
template <>
inline constexpr auto kFields<InteractiveRules> =
    std::tuple{Field{"rule", &InteractiveRules::rule},
               Field{"start_gap", &InteractiveRules::start_gap},
               Field{"peer_grace", &InteractiveRules::peer_grace},
               Field{"idle", &InteractiveRules::idle},
               Field{"reader_gone", &InteractiveRules::reader_gone},
               Field{"interactor_excess", &InteractiveRules::interactor_excess},
               Field{"new_files", &InteractiveRules::new_files}};
template <>
inline constexpr auto kFields<HeldRules> =
    std::tuple{Field{"wait", &HeldRules::wait}, Field{"grace", &HeldRules::grace}};
template <>
inline constexpr auto kFields<Policy> = std::tuple{Field{"about", &Policy::about},
                                                   Field{"run", &Policy::run},
                                                   Field{"wall", &Policy::wall},
                                                   Field{"limits", &Policy::limits},
                                                   Field{"compile", &Policy::compile},
                                                   Field{"helper", &Policy::helper},
                                                   Field{"submission", &Policy::submission},
                                                   Field{"check", &Policy::check},
                                                   Field{"interactive", &Policy::interactive},
                                                   Field{"held", &Policy::held},
                                                   Field{"verdicts", &Policy::verdicts},
                                                   Field{"ends", &Policy::ends}};

}  // namespace assay::verdict
