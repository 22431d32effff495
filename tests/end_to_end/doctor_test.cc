// `assay doctor`, as a person and as a program see it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

const std::string kDoctor = std::string(ASSAY_BIN_DIR) + "/assay doctor";

struct Ran {
  int code = -1;
  std::string text{};
};

Ran run(const std::string& command) {
  Ran ran;
  FILE* output = ::popen(command.c_str(), "re");
  if (output == nullptr) return ran;
  std::array<char, 4096> chunk{};
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), output))
    ran.text.append(chunk.data(), got);
  const int status = ::pclose(output);
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  return ran;
}

// A directory for one test.
struct Scratch {
  std::string path = testing::TempDir() + "doctor-XXXXXX";
  Scratch() { EXPECT_NE(::mkdtemp(path.data()), nullptr); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path); }
};

// Python says whether `expression` holds of the document `d` and its checks `c`.
testing::AssertionResult holds(const std::string& json, const std::string& expression) {
  const Scratch scratch;
  const std::string path = scratch.path + "/report.json";
  std::ofstream(path) << json;
  const Ran asked = run("python3 -c \"import json; d = json.load(open('" + path +
                        "')); c = d['checks']; exit(0 if (" + expression + ") else 1)\" 2>&1");
  if (asked.code == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << expression << "\n" << asked.text << json;
}

// As a user without name, groups or privileges. Empty where we are such a user already.
std::string as_plain_user() {
  return ::geteuid() == 0 ? "setpriv --reuid 54321 --regid 54321 --clear-groups --inh-caps=-all "
                          : "";
}

TEST(Doctor, PrintsJsonThatAReaderUnderstands) {
  const Ran ran = run(kDoctor + " --json");
  EXPECT_TRUE(holds(ran.text, "isinstance(d['full_box'], bool) and len(c) > 30"));
  EXPECT_TRUE(holds(ran.text, "d['mode'] in ('full', 'degraded', 'none')"));
  EXPECT_TRUE(
      holds(ran.text, "all(set(x) == {'group', 'name', 'state', 'found', 'fix'} for x in c)"));
  EXPECT_TRUE(holds(
      ran.text, "{x['state'] for x in c} <= {'ok', 'note', 'optional', 'degraded', 'missing'}"));
  EXPECT_TRUE(
      holds(ran.text,
            "{x['group'] for x in c} == {'kernel', 'cgroups', 'identities', 'box', 'profiles', "
            "'languages', 'noise'}"));
}

TEST(Doctor, SaysWhatItFoundOnEveryLine) {
  EXPECT_TRUE(holds(run(kDoctor + " --json").text, "all(x['found'] for x in c)"));
}

TEST(Doctor, NamesAFixForEverythingThatIsNotAsItShouldBe) {
  const std::string expression =
      "all(x['fix'] for x in c if x['state'] in ('degraded', 'missing'))";
  EXPECT_TRUE(holds(run(kDoctor + " --json").text, expression));
  EXPECT_TRUE(holds(run(as_plain_user() + kDoctor + " --json").text, expression));
}

TEST(Doctor, ExitsWithOneExactlyWhenAFullBoxCannotBeMade) {
  const Ran ran = run(kDoctor + " --json");
  ASSERT_TRUE(ran.code == 0 || ran.code == 1);
  EXPECT_TRUE(holds(ran.text, ran.code == 0 ? "d['full_box'] and d['mode'] == 'full'"
                                            : "not d['full_box'] and d['mode'] != 'full'"));
}

TEST(Doctor, NamesTheInstanceThatMadeTheBox) {
  const Ran ran = run(kDoctor + " --json");
  if (ran.code != 0) GTEST_SKIP() << "no full box on this host";
  EXPECT_TRUE(holds(ran.text, "d['instance'].isdigit()"));
}

TEST(Doctor, ClosesTheTableWithWhatItAllMeans) {
  const Ran ran = run(kDoctor);
  const std::string last = ran.text.substr(ran.text.rfind('\n', ran.text.size() - 2) + 1);
  if (ran.code == 0)
    EXPECT_EQ(last, "a full box can be made here\n");
  else
    EXPECT_NE(last.find("box can be made here: "), std::string::npos) << last;
}

TEST(Doctor, UsesNoColoursWhereNobodyLooks) {
  EXPECT_EQ(run(kDoctor).text.find('\x1b'), std::string::npos);
}

TEST(Doctor, TellsAPlainUserInAFewSecondsWhatThatUserCanDo) {
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = run(as_plain_user() + kDoctor + " --json");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(90));
  ASSERT_TRUE(ran.code == 0 || ran.code == 1) << ran.text;
  if (::geteuid() != 0) return;
  EXPECT_TRUE(holds(
      ran.text,
      "any('usermod --add-subuids' in x['fix'] for x in c if x['name'] == 'subordinate ids')"));
}

TEST(Doctor, SaysThatAMissingWardenIsInTheWay) {
  const Scratch scratch;
  ASSERT_EQ(run("cp " + std::string(ASSAY_BIN_DIR) + "/assay " + scratch.path).code, 0);
  const Ran ran = run(scratch.path + "/assay doctor --json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(holds(ran.text, "d['mode'] == 'none'"));
  EXPECT_TRUE(holds(ran.text, "any(x['name'] == 'warden' and x['state'] == 'missing' for x in c)"));
}

// A ghc that neither answers nor lets go of its output, in a mount namespace where it is the
// host's.
TEST(Doctor, DoesNotWaitForACompilerThatHangs) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to show the doctor another /usr/local/bin";
  const Scratch scratch;
  std::ofstream(scratch.path + "/ghc") << "#!/bin/sh\ntrap '' TERM\nsleep 5 &\nwait\n";
  ASSERT_EQ(run("chmod +x " + scratch.path + "/ghc").code, 0);
  const Ran ran = run("unshare -m sh -c 'mount --bind " + scratch.path +
                      " /usr/local/bin && exec " + kDoctor + " --json'");
  EXPECT_TRUE(holds(ran.text, "any(x['name'] == 'ghc' and 'in 2 s' in x['found'] for x in c)"));
}

TEST(Doctor, LeavesNothingBehind) {
  const Ran ran = run(kDoctor + " --json");
  const std::string key = "\"instance\":\"";
  const std::size_t at = ran.text.find(key);
  if (at == std::string::npos) GTEST_SKIP() << "no box on this host";
  const std::size_t begin = at + key.size();
  const std::string instance = ran.text.substr(begin, ran.text.find('"', begin) - begin);
  EXPECT_EQ(run("find /sys/fs/cgroup -type d -name assay-" + instance + " 2>/dev/null").text, "");
  EXPECT_EQ(run("ls /run/assay/" + instance + ".lock 2>/dev/null").text, "");
}

}  // namespace
