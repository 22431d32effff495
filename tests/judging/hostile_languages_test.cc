// Sources that make their compiler read what is not theirs, in every language that can.
#include <unistd.h>

#include "tests/judging/fixture.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using std::string;

// How a language reads a file, or runs a program, while it is only compiled. PATH is a file of the
// host that anybody may read; `tool` must be where boxes see it.
struct Reader {
  const char* name = "";
  const char* language = "";
  const char* tool = "";
  const char* source = "";
};
const Reader kReaders[] = {
    {"IncludeStrOfRust", "rust", "/usr/bin/rustc",
     "fn main() { let s: u32 = include_str!(\"PATH\"); println!(\"{}\", s); }"},
    {"IncludeOfRust", "rust", "/usr/bin/rustc", "include!(\"PATH\");\nfn main() {}"},
    {"IncludeBytesOfRust", "rust", "/usr/bin/rustc",
     "static S: [u8; 1] = *include_bytes!(\"PATH\");\nfn main() {}"},
    {"IncludeOfPascal", "pascal", "/usr/bin/fpc", "program p;\n{$I PATH}\nbegin\nend.\n"},
    {"ResourceOfPascal", "pascal", "/usr/bin/fpc", "program p;\n{$R PATH}\nbegin\nend.\n"},
    {"LinkedObjectOfPascal", "pascal", "/usr/bin/fpc", "program p;\n{$L PATH}\nbegin\nend.\n"},
    {"EmbedOfGo", "go", "/usr/bin/go",
     "package main\nimport _ \"embed\"\n//go:embed PATH\nvar s string\nfunc main() { x }\n"},
    {"TemplateOfHaskell", "haskell", "/usr/bin/ghc",
     "{-# LANGUAGE TemplateHaskell #-}\nimport Language.Haskell.TH\nimport "
     "Language.Haskell.TH.Syntax\n"
     "main = putStrLn $(runIO (readFile \"PATH\") >>= fail)\n"},
    {"PreprocessorOfHaskell", "haskell", "/usr/bin/ghc",
     "{-# LANGUAGE CPP #-}\n#include \"PATH\"\nmain = return ()\n"},
    {"PreprocessorOfOcaml", "ocaml", "/usr/bin/ocamlopt",
     "# 1 \"PATH\"\nlet () = print_int \"x\"\n"},
    {"ReferenceOfTypescript", "typescript", "/usr/bin/tsc",
     "/// <reference path=\"PATH\" />\nconst x: number = 'y';\n"},
    {"LineOfCsharp", "csharp", "/usr/bin/mcs",
     "#line 1 \"PATH\"\nclass A { static void Main() { x } }\n"},
    {"BeginOfPerl", "perl", "/usr/bin/perl",
     "BEGIN { open(F, '<', 'PATH') or die 'not there'; print STDERR <F>; die; }\n"},
    {"UseOfPerl", "perl", "/usr/bin/perl", "BEGIN { require 'PATH'; }\n"},
};

class HostileLanguageTest : public JudgingTest, public ::testing::WithParamInterface<Reader> {
 protected:
  // What is said of a source that reads this file, which is called PATH there.
  string said_about(const string& path) {
    string source = GetParam().source;
    source.replace(source.find("PATH"), 4, path);
    compile_limits = {.cpu_time = scaled(10s), .wall_time = scaled(20s), .memory = 512_MiB};
    const JudgeResult result =
        judge(problem_of({{"", "no"}}),
              {.language = GetParam().language, .sources = {{"", source}}}, {.lint = true});
    EXPECT_EQ(result.letters, "CE") << result.message;
    const auto& compiled = result.lint ? result.lint : result.compile;
    string log = compiled ? compiled->log : "";
    EXPECT_FALSE(log.empty());
    EXPECT_LE(log.size(), judge::kLogLimit.count + 200);
    for (std::size_t at = 0; (at = log.find(path)) != string::npos;)
      log.replace(at, path.size(), "PATH");
    return log;
  }
};

TEST_P(HostileLanguageTest, ReadsNoFileOfTheHost) {
  const char* tool = GetParam().tool;
  if (::access(tool, X_OK) != 0) GTEST_SKIP() << "not installed: " << tool;
  const Canary canary(0644);
  const string said = said_about(canary.path());
  EXPECT_FALSE(said.contains(canary.secret())) << said;
  EXPECT_EQ(said, said_about("/tmp/" + random_word())) << "it knows which file is there";
  EXPECT_TRUE(canary.is_untouched());
}

INSTANTIATE_TEST_SUITE_P(Each, HostileLanguageTest, ::testing::ValuesIn(kReaders),
                         [](const auto& each) { return string(each.param.name); });

}  // namespace
}  // namespace assay::test
