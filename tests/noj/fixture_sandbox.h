// Calls `sandbox` as Normal-OJ's runner does, in a directory of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "tests/end_to_end/command.h"

namespace assay::test {

inline constexpr const char* kC = "0";
inline constexpr const char* kCpp = "1";
inline constexpr const char* kPython = "2";

struct Call {
  std::string language = kC;
  bool compile = false;
  std::string time = "1000";
  std::string memory = "65536";
  std::string output = "67108864";
  std::string input = "";
  bool may_write = false;
  bool network_word = false;
  std::vector<std::string> environment{};
};
struct Said {
  Ran ran{};
  std::vector<std::string> lines{};  // of the result file
  std::string out{}, err{};
};

class NojSandbox : public ::testing::Test {
 protected:
  Said call(const Call& call) {
    (void)scratch_.write("stdin.txt", call.input);
    for (const char* name : {"stdout.txt", "stderr.txt", "result.txt"})
      ::unlink((scratch_.path() + "/" + name).c_str());
    std::vector<std::string> argv{"/usr/bin/env", "-C", scratch_.path()};
    if (std::getenv("ASSAY_TEST_DEGRADED") != nullptr)
      argv.emplace_back("SANDBOX_ALLOW_DEGRADED=1");
    if (call.may_write) argv.emplace_back("SANDBOX_ALLOW_WRITE=1");
    argv.insert(argv.end(), call.environment.begin(), call.environment.end());
    for (const std::string& word : {std::string(ASSAY_BIN_DIR) + "/sandbox", call.language,
                                    std::string(call.compile ? "1" : "0"), std::string("stdin.txt"),
                                    std::string("stdout.txt"), std::string("stderr.txt"), call.time,
                                    call.memory, std::string("1"), call.output, std::string("10")})
      argv.push_back(word);
    if (call.network_word) argv.emplace_back("0");
    argv.emplace_back("result.txt");
    Said said{.ran = run_command(argv)};
    std::istringstream result(file("result.txt"));
    for (std::string line; std::getline(result, line);)
      said.lines.push_back(line);
    said.lines.resize(4);
    said.out = file("stdout.txt");
    said.err = file("stderr.txt");
    return said;
  }

  Said compile_and_run(const std::string& source, Call run = {}) {
    (void)scratch_.write(run.language == kCpp ? "main.cpp" : "main.c", source);
    const Said compiled =
        call({.language = run.language, .compile = true, .time = "20000", .memory = "1048576"});
    EXPECT_EQ(compiled.lines[0], "Exited Normally") << compiled.err << compiled.ran.err;
    return call(run);
  }
  Said run_python(const std::string& source, Call run = {}) {
    (void)scratch_.write("main.py", source);
    run.language = kPython;
    return call(run);
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return content_of(scratch_.path() + "/" + name);
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return ::access((scratch_.path() + "/" + name).c_str(), F_OK) == 0;
  }
  static bool has_meters() { return std::getenv("ASSAY_TEST_DEGRADED") == nullptr; }

  Scratch scratch_;
};

}  // namespace assay::test
