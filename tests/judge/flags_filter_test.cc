// Extra flags of a submission: C-21 of the checklist, F23 of seed 001.
#include <gtest/gtest.h>

#include "judge/flags.h"
#include "judge/language_set.h"

namespace assay::judge {
namespace {

using Flags = std::vector<std::string>;

const FlagRules kRules{.allow = {"-O0", "-O2", "-O3", "-static", "-std=gnu++17", "-D*", "-f*"},
                       .deny = {"-shared", "-fPIC", "-Winvalid-pch"}};

std::string refusal(const Flags& flags, const Flags& granted = {}) {
  const auto taken = filter_flags(kRules, flags, granted);
  return taken ? "taken" : taken.error().context;
}

TEST(Flags, OnTheListArePassedOnInTheirOrder) {
  const Flags wanted{"-O3", "-std=gnu++17", "-DX=1 2", "-static"};
  EXPECT_EQ(filter_flags(kRules, wanted).value(), wanted);
  EXPECT_EQ(filter_flags(kRules, Flags{}).value(), Flags{});
}

TEST(Flags, OnTheDenyListRejectTheWholeRequest) {
  for (const char* flag : {"-shared", "-fPIC", "-Winvalid-pch"}) {
    const auto taken = filter_flags(kRules, Flags{"-O2", flag});
    ASSERT_FALSE(taken) << flag;
    EXPECT_EQ(taken.error().fault, Fault::InvalidRequest);
    EXPECT_NE(taken.error().context.find("is forbidden"), std::string::npos);
  }
}

TEST(Flags, OnTheDenyListCannotBeGranted) {
  EXPECT_EQ(refusal({"-shared"}, {"-shared"}), "extra flag '-shared' is forbidden");
}

TEST(Flags, OnNoListAreRejectedToo) {
  EXPECT_EQ(refusal({"-Q"}), "extra flag '-Q' is not on the language's list");
  EXPECT_EQ(refusal({"-O22"}), "extra flag '-O22' is not on the language's list");
  EXPECT_EQ(refusal({"/etc/shadow"}), "extra flag '/etc/shadow' is not on the language's list");
}

TEST(Flags, OnNoListAreDroppedWhereTheLanguageSaysSo) {
  FlagRules lenient = kRules;
  lenient.drop_unknown = true;
  EXPECT_EQ(filter_flags(lenient, Flags{"-Q", "-O2"}).value(), Flags{"-O2"});
  EXPECT_FALSE(filter_flags(lenient, Flags{"-shared"}));
  EXPECT_FALSE(filter_flags(lenient, Flags{"-I/etc"}));
}

TEST(Flags, ThatNameFilesOrProgramsNeedAGrantWhateverTheLanguageAllows) {
  const FlagRules everything{.allow = {"*"}};
  for (const char* flag : {"-o",
                           "-o/w/x",
                           "-omain",
                           "--output=x",
                           "@file",
                           "-B",
                           "-B/tmp",
                           "-specs=x",
                           "--specs=x",
                           "-fplugin=x.so",
                           "-fplugin-arg-x",
                           "-wrapper",
                           "-wrapper,sh",
                           "-include",
                           "-include/etc/x",
                           "--include=x",
                           "-I",
                           "-I/etc",
                           "-L",
                           "-L/tmp",
                           "-Wl,-rpath,/tmp",
                           "-Xlinker",
                           "-isystem/etc",
                           "--sysroot=/",
                           "-Wa,-a",
                           "-Wp,-MD,x",
                           "-T/etc/shadow"}) {
    const auto taken = filter_flags(everything, Flags{flag});
    ASSERT_FALSE(taken) << flag;
    EXPECT_NE(taken.error().context.find("needs a grant"), std::string::npos) << flag;
    EXPECT_TRUE(filter_flags(everything, Flags{flag}, Flags{flag})) << flag;
  }
}

TEST(Flags, AreGrantedByPatternsOfTheProblem) {
  EXPECT_EQ(refusal({"-Iinclude"}, {"-Iinclude"}), "taken");
  EXPECT_EQ(refusal({"-Iother"}, {"-Iinclude"}),
            "extra flag '-Iother' needs a grant of the problem");
  EXPECT_EQ(refusal({"-lcrypt"}, {"-l*"}), "taken");
}

TEST(Flags, WithControlCharactersOrNoneAreRejectedInOneLine) {
  EXPECT_EQ(refusal({""}), "extra flag '' is empty or has control characters");
  EXPECT_EQ(refusal({"-D\n-o"}), "extra flag '-D?-o' is empty or has control characters");
  EXPECT_EQ(refusal({std::string("-D\0x", 4)}),
            "extra flag '-D?x' is empty or has control characters");
  EXPECT_LT(refusal({std::string(100000, 'x')}).size(), 200U);
}

TEST(Flags, OfSeed001AreTheOnesThatCppTakes) {
  const auto languages = load_languages(ASSAY_SOURCE_DIR "/languages");
  ASSERT_TRUE(languages) << describe(languages.error());
  const FlagRules& rules = (*languages->find("cpp"))->flags;
  for (const char* flag :
       {"-O0", "-O1", "-O2", "-O3", "-Ofast", "-std=gnu++17", "-std=gnu++20", "-static"})
    EXPECT_TRUE(filter_flags(rules, Flags{flag})) << flag;
  for (const char* flag : {"-shared", "-fPIC", "-Winvalid-pch", "-oother", "-I/etc", "-fplugin=x",
                           "@flags", "-std=c++99", "-E", "-S", "-c", "-x", "-M", "-save-temps"})
    EXPECT_FALSE(filter_flags(rules, Flags{flag})) << flag;
}

}  // namespace
}  // namespace assay::judge
