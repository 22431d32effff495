// One test of a Normal-OJ interactive problem: a student's program and a teacher's run together,
// each in a box of its own. The teacher has the test as testcase.in, may write, and leaves its word
// in Check_Result; the student cannot know that there is one.
#pragma once

#include <optional>
#include <string>

#include "judge/interact.h"

namespace assay::judge {

inline constexpr const char* kTeacherProfile = "noj-teacher";

// An Error is ours. Whatever the teacher does wrong is in the ruling.
Result<Interacted> teach(sandbox::Sandbox& engine, const InteractOrder& order,
                         Cancellation& cancellation);

// The word in a Check_Result. Nothing: there is no such file, or none that can be taken, and then
// `why` says why.
CheckResult read_check_result(const std::optional<std::string>& text, std::string_view why,
                              std::size_t message_limit = kMessageLimit);

// The teacher's new files are counted where nothing else is wrong.
Ruling with_files(Ruling ruling, std::uint64_t new_files, const verdict::Policy& policy);

}  // namespace assay::judge
