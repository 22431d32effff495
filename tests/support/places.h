// Where the engine that is tried lies. Of itself that of the build; `assay attack` names the one
// that it belongs to, so that what is tried is what this host uses: its programs, and the profiles
// as its operator left them.
#pragma once

#include <string>

namespace assay::test {

std::string tried_programs();  // assay-warden and its like
std::string tried_data();      // profiles, policies, languages
std::string tried_guests();

// Started by `assay attack`: what this host cannot try is said, and is no failure.
bool is_report();

}  // namespace assay::test
