// The classes of attack that `assay attack` tries, what is said to stop each, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::cli {

struct Attempted {
  enum class End { Stopped, NotStopped, NotTried, InPart };
  std::string name{};  // Suite.Test
  End end = End::NotStopped;
  std::string why{};  // unless it was stopped
};

struct AttackTests {
  std::string program{};  // empty: the row's
  std::string pattern{};  // of names
};

struct AttackRow {
  std::string id{}, what{}, stopped_by{};
  std::string program = "test_attacks";
  std::vector<AttackTests> tests{};
  std::vector<Attempted> attempts{};
};

// InPart: all that were tried were stopped, and some were left out, each for its reason. NotTried:
// all were left out. None at all: NotStopped.
[[nodiscard]] Attempted::End end_of(const AttackRow& row);

Result<std::vector<AttackRow>> load_attack_rows(const std::string& path);

// What a program of tests prints, line by line, becomes attempts.
class AttemptReader {
 public:
  // Gives the attempt that is over with this line, if one is.
  std::optional<Attempted> take(std::string_view line);
  // The test that the program did not end, if there is one: it died in it.
  [[nodiscard]] std::optional<Attempted> left(std::string_view why) const;

 private:
  std::string running_;
  std::string said_;  // since it began, cut
};

// From now on the programs of tests accept boxes without cgroups or without ids of their own.
void allow_degraded_attempts();

std::string to_json(const std::vector<AttackRow>& rows);
std::string to_text(const std::vector<AttackRow>& rows, bool colours);

}  // namespace assay::cli
