// What the protocols share in reading a checker's words. Private to protocol_*.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "judge/protocol.h"

namespace assay::judge {

std::string message_from(std::string_view text, std::size_t limit);
std::string_view first_line(std::string_view text);

// A number as text, and nothing else but blanks around it.
std::optional<double> number_in(std::string_view text);

// 1 is Accepted, 0 WrongAnswer, all between PartiallyCorrect.
CheckResult from_share(double share, std::string message);

CheckResult failed(std::string message);

CheckResult interpret_testlib(int code, const CheckerRun& run, std::size_t limit);
CheckResult interpret_icpc(int code, const CheckerRun& run, std::size_t limit);

}  // namespace assay::judge
