// `assay attack`: what it tells of attempts that succeed, fail, are left out or never end.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

// An installation with a table and test programs of its own.
class AttackCommand : public testing::Test {
 protected:
  AttackCommand() {
    std::string name = testing::TempDir() + "attack-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    place_ = name;
    fs::create_directories(place_ / "bin");
    fs::create_directories(table().parent_path());
    fs::copy_file(std::string(ASSAY_BIN_DIR) + "/assay", place_ / "bin/assay");
  }
  ~AttackCommand() override { fs::remove_all(place_); }

  fs::path table() const { return place_ / "share/assay/tests/attacks/rows.toml"; }
  void program(const std::string& name, const std::string& script) const {
    const fs::path path = place_ / "bin" / name;
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
  }
  void row(const std::string& id, const std::string& tests, const std::string& more = "") const {
    std::ofstream(table(), std::ios::app)
        << "[[row]]\nid = \"" << id << "\"\nwhat = \"w\"\nstopped_by = \"s\"\ntests = [\"" << tests
        << "\"]\n"
        << more;
  }
  Ran attack(std::vector<std::string> arguments = {"--json"}) const {
    arguments.insert(arguments.begin(), {(place_ / "bin/assay").string(), "attack"});
    return run_command(arguments);
  }

  fs::path place_;
};

const std::string kStopped = "echo '[ RUN      ] A.Holds'\necho '[       OK ] A.Holds (1 ms)'\n";

TEST_F(AttackCommand, AllStoppedIsGood) {
  row("1", "A.*");
  program("test_attacks", kStopped);
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(R"("stopped":1,"inPart":0,"notStopped":0,"notTried":0)"),
            std::string::npos);
}

TEST_F(AttackCommand, OneThatIsNotStoppedIsNamedWithWhatWasSeen) {
  row("1", "A.*");
  row("2", "B.*");
  program("test_attacks", kStopped +
                              "echo '[ RUN      ] B.TheHostIsReached'\necho seen\n"
                              "echo '[  FAILED  ] B.TheHostIsReached (1 ms)'\nexit 1\n");
  const Ran ran = attack({});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("not stopped: the host is reached: seen"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, WhatIsLeftOutIsNotCalledStopped) {
  row("1", "A.*");
  program("test_attacks",
          "echo '[ RUN      ] A.Holds'\necho 'needs root'\necho '[  SKIPPED ] A.Holds (0 ms)'\n");
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.out.find(R"("stopped":0,"inPart":0,"notStopped":0,"notTried":1)"),
            std::string::npos);
  EXPECT_NE(ran.out.find("needs root"), std::string::npos);
}

// The one that was tried may be the least of them.
TEST_F(AttackCommand, ARowOfWhichSomeIsLeftOutIsStoppedOnlyInPart) {
  row("1", "A.*");
  program("test_attacks", kStopped +
                              "echo '[ RUN      ] A.Limits'\necho 'needs a cgroup'\n"
                              "echo '[  SKIPPED ] A.Limits (0 ms)'\n");
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.out.find(R"("stopped":0,"inPart":1,"notStopped":0,"notTried":0)"),
            std::string::npos)
      << ran.out;
  const Ran text = attack({});
  EXPECT_NE(text.out.find("in part       1  w"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("not tried: limits: needs a cgroup"), std::string::npos) << text.out;
}

TEST_F(AttackCommand, ARowMayHaveTestsOfSeveralPrograms) {
  row("1", "A.*\", \"test_doors:B.*");
  program("test_attacks", kStopped);
  program("test_doors",
          "echo '[ RUN      ] B.Opens'\necho '[  FAILED  ] B.Opens (1 ms)'\nexit 1\n");
  const Ran ran = attack({});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("not stopped: opens"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("2 attempts"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, WhatIsNotStoppedCountsMoreThanWhatIsNotTried) {
  row("1", "A.*");
  row("2", "B.*");
  program("test_attacks",
          "echo '[ RUN      ] A.Holds'\necho '[  SKIPPED ] A.Holds (0 ms)'\n"
          "echo '[ RUN      ] B.Holds'\necho '[  FAILED  ] B.Holds (0 ms)'\n");
  EXPECT_EQ(attack().code, 1);
}

TEST_F(AttackCommand, DegradedBoxesAreTriedWhenThatIsAllowed) {
  row("1", "A.*");
  program("test_attacks",
          "echo '[ RUN      ] A.Holds'\n"
          "if [ \"$ASSAY_TEST_DEGRADED\" = 1 ]; then echo '[       OK ] A.Holds (1 ms)'\n"
          "else echo '[  SKIPPED ] A.Holds (0 ms)'; fi\n");
  EXPECT_EQ(attack({"--json", "--allow-degraded"}).code, 0);
}

TEST_F(AttackCommand, AnAttemptThatTakesTheProgramWithItIsNotStopped) {
  row("1", "A.*");
  program("test_attacks", "echo '[ RUN      ] A.Holds'\nkill -9 $$\n");
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("ended with signal 9"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, AttemptsThatAreNotThereAreNotStopped) {
  row("1", "A.*");
  row("2", "A.*", "in = \"test_nothing\"\n");
  program("test_attacks", "exit 0\n");
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(R"("notStopped":2)"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, APatternThatFitsNoTestIsNotStopped) {
  row("1", "A.*\", \"Renamed.*");
  program("test_attacks", kStopped);
  const Ran ran = attack();
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("test_attacks ran no test Renamed.*"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, AFailureBehindTextWithoutAnEndIsSeen) {
  row("1", "A.*");
  program("test_attacks",
          "echo '[ RUN      ] A.Breaks'\nprintf 'text '\n"
          "echo '[  FAILED  ] A.Breaks (1 ms)'\n" +
              kStopped + "exit 1\n");
  const Ran ran = attack({});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("not stopped: breaks: text"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, AnAttemptThatNeverSaysHowItEndedIsNotForgotten) {
  row("1", "A.*");
  program("test_attacks", "echo '[ RUN      ] A.Vanishes'\n" + kStopped);
  const Ran ran = attack({});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("not stopped: vanishes"), std::string::npos) << ran.out;
}

TEST_F(AttackCommand, AProgramThatDiesBetweenTwoAttemptsHasStoppedNothing) {
  row("1", "A.*");
  program("test_attacks", "echo '[==========] Running 5 tests from 2 test suites.'\n" + kStopped);
  EXPECT_EQ(attack().code, 1);
  program("test_attacks", kStopped + "kill -9 $$\n");
  const Ran killed = attack({});
  EXPECT_EQ(killed.code, 1);
  EXPECT_NE(killed.out.find("ended with signal 9"), std::string::npos) << killed.out;
}

TEST_F(AttackCommand, AnAttemptMayBeOfSeveralClasses) {
  row("1", "A.*");
  row("2", "A.Holds");
  program("test_attacks", kStopped);
  const Ran ran = attack({});
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find("2 classes of attack, 1 attempts: 2 stopped"), std::string::npos)
      << ran.out;
}

TEST_F(AttackCommand, ATableThatIsWrongOrMissingIsSaid) {
  EXPECT_EQ(attack().code, 2);
  row("1", "A.*", "in = \"../../bin/sh\"\n");
  const Ran path = attack();
  EXPECT_EQ(path.code, 2);
  EXPECT_NE(path.err.find("plain name"), std::string::npos) << path.err;
  const Ran unknown = run_command({std::string(ASSAY_BIN_DIR) + "/assay", "attack", "nothing"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no attack 'nothing'"), std::string::npos) << unknown.err;
}

struct Pattern {
  std::string program{}, tests{};
};

std::vector<Pattern> patterns_of(const std::string& table) {
  static const std::regex in("\nin = \"([^\"]*)\""), tests("\ntests = \\[([^\\]]*)\\]"),
      quoted("\"(?:([^\":]*):)?([^\"]*)\"");
  std::vector<Pattern> all;
  for (std::size_t at = table.find("[[row]]"), next = 0; at != std::string::npos; at = next) {
    next = table.find("[[row]]", at + 1);
    const std::string row = table.substr(at, next - at);
    std::smatch found;
    const std::string program = std::regex_search(row, found, in) ? found[1].str() : "test_attacks";
    EXPECT_TRUE(std::regex_search(row, found, tests)) << row;
    const std::string list = found[1];
    for (std::sregex_iterator each(list.begin(), list.end(), quoted), end; each != end; ++each)
      all.push_back({(*each)[1].matched ? (*each)[1].str() : program, (*each)[2].str()});
  }
  return all;
}

std::string read_table() {
  std::ifstream file(ASSAY_SOURCE_DIR "/tests/attacks/rows.toml");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whoever writes a new attack must say what stops it.
TEST(AttackTable, HasEverySuiteOfTheAttacks) {
  const Ran list = run_command({std::string(ASSAY_BIN_DIR) + "/assay", "attack", "--list"});
  ASSERT_EQ(list.code, 0) << list.err;
  std::set<std::string> ids;
  for (int row = 1; row <= 47; ++row)
    ids.insert(std::to_string(row));
  for (int row = 1; row <= 10; ++row)
    ids.insert("P" + std::to_string(row));
  std::istringstream listed(list.out);
  for (std::string line; std::getline(listed, line);) {
    std::istringstream words(line);
    std::string id;
    words >> id;
    EXPECT_EQ(ids.erase(id), 1U) << "there is twice, or is no row of the tables: " << line;
  }
  EXPECT_TRUE(ids.empty()) << *ids.begin() << " is missing";
  const std::string table = read_table();
  const Ran suites =
      run_command({std::string(ASSAY_BIN_DIR) + "/test_attacks", "--gtest_list_tests"});
  std::istringstream lines(suites.out);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("Attack") && !line.starts_with("Poison")) continue;
    ++found;
    EXPECT_NE(table.find('"' + line + "*\""), std::string::npos) << line;
  }
  EXPECT_GE(found, 51);
}

TEST(AttackTable, HasNothingThatIsNotThere) {
  const std::vector<Pattern> patterns = patterns_of(read_table());
  EXPECT_GE(patterns.size(), 57U);
  for (const Pattern& pattern : patterns) {
    const Ran listed = run_command({std::string(ASSAY_BIN_DIR) + "/" + pattern.program,
                                    "--gtest_list_tests", "--gtest_filter=" + pattern.tests});
    EXPECT_NE(listed.out.find("\n  "), std::string::npos)
        << pattern.program << " has no test " << pattern.tests;
  }
}

}  // namespace
}  // namespace assay::test
