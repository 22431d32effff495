// Hostile programs in a box, beside a canary on the host that anybody may read and
// one that only its owner may. Whatever a test does, neither is changed and neither secret comes
// out.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {

class Attack : public BoxTest {
 protected:
  void TearDown() override {
    EXPECT_TRUE(open_.is_untouched());
    EXPECT_TRUE(closed_.is_untouched());
    BoxTest::TearDown();
  }

  Outcome attack(const Job& job) {
    Outcome outcome = run(job);
    for (const Canary* canary : {&open_, &closed_}) {
      EXPECT_FALSE(outcome.output.contains(canary->secret()));
      EXPECT_FALSE(outcome.errors.contains(canary->secret()));
      for (const auto& [name, content] : outcome.files)
        EXPECT_FALSE(content.contains(canary->secret())) << name;
      for (const sandbox::FileError& error : outcome.facts.file_errors)
        EXPECT_FALSE((error.name + error.why).contains(canary->secret())) << error.name;
    }
    return outcome;
  }

  // The engine, and this box, go on as if nothing had been.
  void expect_unharmed() {
    const Outcome next = run({.guest = "echo_input", .input = "unharmed"});
    EXPECT_EQ(next.output, "unharmed") << next;
    EXPECT_EQ(next.letters, "AC") << next;
  }

  Canary open_{0644};
  Canary closed_{0600};
};

using Names = std::vector<std::string>;

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// Guests say "what: done" of an attempt that succeeded. `allowed` may; nothing else.
inline void expect_refused(const Outcome& outcome, const Names& allowed = {}) {
  EXPECT_TRUE(outcome.output.contains(": ")) << "nothing was attempted: " << outcome;
  for (const std::string& line : lines_of(outcome.output)) {
    if (!line.ends_with(": done")) continue;
    const std::string what = line.substr(0, line.size() - 6);
    EXPECT_TRUE(std::ranges::find(allowed, what) != allowed.end()) << "succeeded: " << what;
  }
}

inline std::string result_of(const Outcome& outcome, const std::string& what) {
  for (const std::string& line : lines_of(outcome.output))
    if (line.starts_with(what + ": ")) return line.substr(what.size() + 2);
  return "";
}

}  // namespace assay::test
