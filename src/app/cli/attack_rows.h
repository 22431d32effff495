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
  std::string without_cgroups{};  // what stops it in a box that has none; empty: the same
  std::string program = "test_attacks";
  std::vector<AttackTests> tests{};
  std::vector<Attempted> attempts{};
};

// What a report is about.
struct AttackHost {
  std::string kernel{}, cgroups{}, user{};
  std::string boxes{};                 // "full", "degraded", "none"
  std::vector<std::string> missing{};  // what a degraded box lacks
  std::string error{};                 // why there is none
};

// InPart: all that were tried were stopped, and some were left out, each for its reason. NotTried:
// all were left out. None at all: NotStopped.
[[nodiscard]] Attempted::End end_of(const AttackRow& row);

Result<std::vector<AttackRow>> load_attack_rows(const std::string& path);

// What a program of tests prints, line by line, becomes attempts. Marks may follow what a test
// wrote without an end of line.
class AttemptReader {
 public:
  // Gives the attempt that is over with this line, if one is: also one that never said how it
  // ended.
  std::optional<Attempted> take(std::string_view line);
  // Call at the end. The test in which the program died, if there is one.
  std::optional<Attempted> left(std::string_view why);
  // Then: not all that it announced came to an end.
  [[nodiscard]] bool is_incomplete() const { return ended_ < announced_; }

 private:
  Attempted end(Attempted::End end, std::string why);

  std::string running_;
  std::string said_;  // since it began, cut
  std::size_t announced_ = 0, ended_ = 0;
};

// From now on the programs of tests accept boxes without cgroups or without ids of their own.
void allow_degraded_attempts();

const char* word_for(Attempted::End end);  // "stopped", "not stopped", …
std::string to_json(const AttackHost& host, const std::vector<AttackRow>& rows);
std::string to_text(const AttackHost& host, const std::vector<AttackRow>& rows, bool colours);

}  // namespace assay::cli
