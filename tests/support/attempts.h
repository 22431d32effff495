// Guests that try to get out and tell of each attempt in a line: for tests that run all of them in
// one kind of box after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::test {

struct Attempts {
  std::string guest{};  // from tests/guests
  std::vector<std::string> arguments{};
  std::vector<std::string> allowed{};  // may be done, in every box; see attempts.cc for why
};

// `target` is a file of the host: what they link to, and connect to.
std::vector<Attempts> all_attempts(const std::string& target);

// Whatever of this text says that something was done, opened, reached, other than what may be.
std::vector<std::string> successes(std::string_view told, const Attempts& tried);

// How many attempts are told of: a test in which nothing was tried shows nothing.
std::size_t count_attempts(std::string_view told);

}  // namespace assay::test
