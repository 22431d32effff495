// What source files are called, and what of Java is read for it.
#include "judge/language_sources.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using Names = std::vector<std::string>;

const Language kCpp{.name = "C++", .extensions = {"cpp", "cc"}, .source = "main.cpp"};
const Language kJava{
    .name = "Java", .extensions = {"java"}, .source = "Main.java", .name_rule = NameRule::Java};

Result<NamedSources> name(const Language& language, const std::vector<SourceText>& texts) {
  return name_sources(language, texts);
}

TEST(Sources, ThatAreAloneGetTheLanguagesName) {
  const auto named = name(kCpp, {{"../../etc/evil name.cc", "int main(){}"}});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->names, Names{"main.cpp"});
  EXPECT_EQ(named->compiled, Names{"main.cpp"});
  EXPECT_EQ(named->entry, "main");
}

TEST(Sources, ThatAreSeveralKeepTheirNamesAndTheMainOneComesFirst) {
  const auto named = name(kCpp, {{"a.cc", ""}, {"lib/b.h", ""}, {"main.cpp", ""}});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->names, (Names{"a.cc", "lib/b.h", "main.cpp"}));
  EXPECT_EQ(named->compiled, (Names{"main.cpp", "a.cc"}));
  EXPECT_EQ(named->main, "main.cpp");
}

TEST(Sources, WithoutAnyInTheLanguageAreRefused) {
  EXPECT_EQ(name(kCpp, {}).error().context, "there is no source file");
  EXPECT_EQ(name(kCpp, {{"a.h", ""}, {"b.h", ""}}).error().context,
            "no source file is called 'main.cpp' or is C++ by its ending");
  for (const std::string hidden : {".cpp", "lib/.cpp"})
    EXPECT_FALSE(name(kCpp, {{hidden, ""}, {"b.h", ""}})) << hidden;
  EXPECT_EQ(name(kJava, {{".java", ""}, {"A.java", ""}})->entry, "A");
}

TEST(Sources, WithNamesThatLeaveTheDirectoryOrHideAsFlagsAreRefused) {
  for (const std::string& bad :
       {std::string("../x.cpp"), std::string("/x.cpp"), std::string("a/../../x.cpp"),
        std::string("a//x.cpp"), std::string("./x.cpp"), std::string("-o.cpp"),
        std::string("a/-x.cpp"), std::string("@x.cpp"), std::string("x\n.cpp"),
        std::string("x\0.cpp", 6), std::string("..\\x.cpp"), std::string(""), std::string("a/"),
        std::string(4096, 'x')}) {
    const auto named = name(kCpp, {{"main.cpp", ""}, {bad, ""}});
    ASSERT_FALSE(named) << bad;
    EXPECT_EQ(named.error().fault, Fault::InvalidRequest);
    EXPECT_EQ(named.error().context.find('\n'), std::string::npos);
  }
}

TEST(Sources, WithOneNameTwiceAreRefused) {
  EXPECT_EQ(name(kCpp, {{"a.cc", ""}, {"a.cc", ""}}).error().context,
            "there are two source files 'a.cc'");
}

TEST(Java, FileIsNamedAfterItsPublicClass) {
  const auto named = name(kJava, {{"x",
                                   "public class Solution { public static void main(String[] "
                                   "a) {} }"}});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->main, "Solution.java");
  EXPECT_EQ(named->entry, "Solution");
}

TEST(Java, EntryHasItsPackage) {
  const auto named =
      name(kJava, {{"", "package a . b;\nclass Q { static void main(String... a) {} }"}});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->main, "Q.java");
  EXPECT_EQ(named->entry, "a.b.Q");
}

// Were the first read again for each of the others, this would take a quarter of an hour.
TEST(Java, MainIsFoundBehindThousandsOfFilesThatHaveNone) {
  const std::string large(4 << 20, ';');
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i)
    names.push_back("F" + std::to_string(i) + ".java");
  std::vector<SourceText> texts{{"A.java", large}};
  for (const std::string& each : names)
    texts.push_back({each, ""});
  texts.push_back({"Z.java", "class Z { public static void main(String[] a) {} }"});
  const auto named = name_sources(kJava, texts);
  ASSERT_TRUE(named) << describe(named.error());
  EXPECT_EQ(named->main, "Z.java");
}

TEST(Java, ClassesInCommentsAndStringsAreNone) {
  const JavaFile file = read_java(R"j(
    // public class No1 {}
    /* public class No2 { } */
    import java.util.*;
    @SuppressWarnings("public class No3 {")
    final class Helper { String s = "} public class No4 {"; char c = '"'; char d = '\''; char e = '{';
      String t = """
        public class No5 { " } \"""
        """;
      class Inner { public static void main(String[] a) {} } }
    public final class Yes<T extends Comparable<T>> {
      // static void main(
      int main() { return 0; }
      public static final void main(String[] args) throws Exception { }
    })j");
  EXPECT_EQ(file.public_type, "Yes");
  EXPECT_EQ(file.main_type, "Yes");
  EXPECT_EQ(file.first_type, "Helper");
  EXPECT_EQ(file.package, "");
}

TEST(Java, MainMayBeInAnotherClassThanThePublicOne) {
  const JavaFile file = read_java(
      "class a { public static void main(String[] x) {} } public record B(int public_class) {}");
  EXPECT_EQ(file.public_type, "B");
  EXPECT_EQ(file.main_type, "a");
}

TEST(Java, MainOfThePublicClassWins) {
  const JavaFile file = read_java(
      "class A { static void main(String[] x) {} } public class B { static void main(String[] x) "
      "{} } class C { static void main(String[] x) {} }");
  EXPECT_EQ(file.main_type, "B");
}

TEST(Java, EnumsAndInterfacesAreTypesToo) {
  EXPECT_EQ(read_java("public enum E { A; static void main(String[] x){} }").main_type, "E");
  EXPECT_EQ(read_java("public interface I { static void main(String[] x){} }").main_type, "I");
  EXPECT_EQ(read_java("public @interface N { }").public_type, "N");
}

TEST(Java, BrokenTextIsReadToItsEnd) {
  for (const char* text : {"\"", "'", "/*", "\"\"\"", "public class", "}}}}", "((((", "'\\",
                           "class { static void main("})
    EXPECT_EQ(read_java(text).public_type, "") << text;
  EXPECT_EQ(name(kJava, {{"", "nothing"}})->main, "Main.java");
}

TEST(Java, NamesThatNoFileCanHaveAreRefused) {
  EXPECT_FALSE(name(kJava, {{"", "public class " + std::string(5000, 'x') + " {}"}}));
}

TEST(Java, SeveralFilesAreRunFromTheOneWithMain) {
  const auto named = name(kJava, {{"Lib.java", "public class Lib {}"},
                                  {"App.java",
                                   "public class App { static void main(String[] a){} "
                                   "}"}});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->entry, "App");
  EXPECT_EQ(named->compiled, (Names{"App.java", "Lib.java"}));
}

}  // namespace
}  // namespace assay::judge
