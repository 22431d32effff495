// The report of `assay doctor`, for a person and for a program.
#pragma once

#include <span>
#include <string>

#include "app/cli/doctor.h"

namespace assay::cli::checkup {

enum class Colours { No, Yes };

std::string as_table(std::span<const Line> lines, const BoxTrial& trial, Colours colours);
std::string as_json(std::span<const Line> lines, const BoxTrial& trial);

}  // namespace assay::cli::checkup
