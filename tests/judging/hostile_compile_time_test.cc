// Code of a submission that runs while it is built: scripts of a recipe, what compilers call, what
// a language runs before its program. Each reads a file of the host and calls a door of it.
#include <unistd.h>

#include "tests/end_to_end/command.h"
#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"
#include "tests/support/listener.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using std::string;

struct Project {
  string name{};
  string tool{};
  std::vector<Packed> files{};  // with PORT and CANARY in them
};
void PrintTo(const Project& project, std::ostream* out) {
  *out << project.name;
}

Packed makefile(const string& recipe) {
  return {"Makefile", "all:\n\t@" + recipe + "\n\t@false\n"};
}

const char* const kShell = R"(cat CANARY || echo no file
(exec 3<>/dev/tcp/127.0.0.1/PORT) && echo reached || echo no door
)";

const char* const kPython = R"(import socket
try: print(open('CANARY').read())
except OSError: print('no file')
try: socket.create_connection(('127.0.0.1', PORT), 2); print('reached')
except OSError: print('no door')
)";

const char* const kPerl = R"(BEGIN {
  use Socket;
  if (open(F, '<', 'CANARY')) { print <F>, "\n" } else { print "no file\n" }
  my $door;
  print socket($door, PF_INET, SOCK_STREAM, 0) && connect($door, pack_sockaddr_in(PORT, inet_aton('127.0.0.1')))
    ? "reached\n" : "no door\n";
}
)";

const char* const kProcessor = R"(
import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;
@SupportedAnnotationTypes("*")
public class P extends AbstractProcessor {
  public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
    try {
      System.out.println(java.nio.file.Files.readString(java.nio.file.Path.of("CANARY")));
    } catch (Exception e) {
      System.out.println("no file");
    }
    try {
      new java.net.Socket("127.0.0.1", PORT).close();
      System.out.println("reached");
    } catch (Exception e) {
      System.out.println("no door");
    }
    return false;
  }
}
)";
const string kJavac = "javac -J-Xmx256m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 ";

// -wrapper: a program that gcc runs instead of its own parts.
const std::vector<Project> kProjects = {
    {"ARecipe", "/bin/bash", {makefile("bash evil"), {"evil", kShell}}},
    {"AScriptInPython", "/usr/bin/python3", {makefile("python3 evil"), {"evil", kPython}}},
    {"WhatPerlRunsBeforeTheProgram", "/usr/bin/perl", {makefile("perl -c evil"), {"evil", kPerl}}},
    {"WhatGccCalls",
     "/usr/bin/gcc",
     {makefile("gcc -wrapper bash,evil -c main.c"), {"evil", kShell}, {"main.c", "int x;"}}},
    {"WhatMakeExpands",
     "/bin/bash",
     {{"Makefile", "TEXT := $(shell bash evil)\nall:\n\t@echo '$(TEXT)'; false\n"},
      {"evil", kShell}}},
    {"AProcessorOfAnnotations",
     "/usr/bin/javac",
     {makefile(kJavac + "P.java && " + kJavac + "-processor P Main.java"),
      {"P.java", kProcessor},
      {"Main.java", "public class Main {}"}}},
};

class HostileCompileTimeTest : public JudgingTest, public ::testing::WithParamInterface<Project> {
 protected:
  [[nodiscard]] std::vector<Packed> files() const {
    std::vector<Packed> all = GetParam().files;
    for (Packed& file : all)
      for (const auto& [word, text] : {std::pair<string, string>{"CANARY", canary_.path()},
                                       {"PORT", std::to_string(door_.port())}})
        for (std::size_t at = 0; (at = file.content.find(word)) != string::npos;)
          file.content.replace(at, word.size(), text);
    return all;
  }

  const Canary canary_{0644};
  Listener door_;
};

TEST_P(HostileCompileTimeTest, ReachesNeitherFilesNorDoorsOfTheHost) {
  if (::access(GetParam().tool.c_str(), X_OK) != 0)
    GTEST_SKIP() << "not installed: " << GetParam().tool;
  const Scratch outside;
  for (const Packed& file : files())
    (void)outside.write(file.name, file.content);
  const string free = run_command({"/usr/bin/make", "-C", outside.path()}).out;
  ASSERT_TRUE(free.contains(canary_.secret()) && free.contains("reached")) << free;
  ASSERT_TRUE(door_.was_called()) << "outside of a box it is";

  judge::Problem problem = problem_of({{"", ""}});
  problem.build = judge::BuildStrategy::MakeNormal;
  const judge::JudgeResult result =
      judge(problem, {.language = "c", .archive = judge::Content{.text = pack(files())}});
  EXPECT_EQ(result.letters, "CE") << result.message;
  ASSERT_TRUE(result.compile);
  const string& log = result.compile->log;
  EXPECT_TRUE(log.contains("no file") && log.contains("no door")) << result.message << ": " << log;
  EXPECT_FALSE(log.contains(canary_.secret()) || log.contains("reached")) << log;
  EXPECT_FALSE(door_.was_called());
  EXPECT_TRUE(canary_.is_untouched());
}

INSTANTIATE_TEST_SUITE_P(Each, HostileCompileTimeTest, ::testing::ValuesIn(kProjects),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace assay::test
