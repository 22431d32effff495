// Programs that look for secrets in all that their box lets them see. They know how a word of
// random_word() looks and nothing else, and tell each that they find on both streams.
#pragma once

#include <string>

namespace assay::test {

std::string hunter_in_c();
std::string hunter_in_python();

}  // namespace assay::test
