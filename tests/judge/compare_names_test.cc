#include "judge/compare_names.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/judge/compare_files.h"

namespace assay::judge {
namespace {

std::string error_of(std::string_view name, std::vector<std::string> arguments = {}) {
  const auto result = comparison_named(name, arguments);
  if (result) return "<none>";
  EXPECT_EQ(result.error().fault, Fault::InvalidRequest);
  return result.error().context;
}

TEST(CompareNames, EveryNameIsThereOnceAndWorks) {
  std::set<std::string_view> seen;
  for (const NamedComparison& each : comparisons()) {
    EXPECT_TRUE(seen.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.about.empty()) << each.name;
    EXPECT_EQ(letters(each.name, "yes\n", "yes\n"), "AC") << each.name;
    EXPECT_NE(letters(each.name, "1\n", "2\n"), "AC") << each.name;
  }
  for (const char* name :
       {"exact", "lines", "tokens", "tokens-icase", "floats", "unordered", "yes-no", "numbers"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

TEST(CompareNames, AliasesAreTheSameComparison) {
  const auto of = [](std::string_view name) {
    return comparison_named(name).value();
  };
  EXPECT_EQ(of("wcmp"), of("tokens"));
  EXPECT_EQ(of("identical"), of("exact"));
  EXPECT_EQ(of("nyesno"), of("yes-no"));
  EXPECT_EQ(of("default"), of("tokens-icase"));
  EXPECT_EQ(of("rcmp6").absolute, 1e-6);
  EXPECT_EQ(of("rcmp6").relative, 1e-6);
  EXPECT_EQ(of("rcmp").absolute, 1.5e-6);
  EXPECT_FALSE(of("rcmp").relative.has_value());
}

TEST(CompareNames, TolerancesMayBeInTheNameOrTheArguments) {
  const std::vector<std::string> both{"abs=1e-3", "rel=1e-4"};
  const Comparison named = comparison_named("floats", both).value();
  EXPECT_EQ(named.absolute, 1e-3);
  EXPECT_EQ(named.relative, 1e-4);
  EXPECT_EQ(comparison_named("floats abs=1e-3 rel=1e-4").value(), named);
  const std::vector<std::string> one{"1e-9"};
  EXPECT_EQ(comparison_named("floats", one).value().relative, 1e-9);
  EXPECT_EQ(comparison_named("floats float_absolute_tolerance 0.5").value().absolute, 0.5);
  EXPECT_FALSE(comparison_named("floats abs=0.5").value().relative.has_value());
}

TEST(CompareNames, IcpcFlagsAreUnderstoodWithAndWithoutAName) {
  const Comparison flags = comparison_named("float_tolerance 1e-6").value();
  EXPECT_EQ(flags.values, Values::Floats);
  EXPECT_TRUE(flags.ignore_case);
  EXPECT_FALSE(flags.strict);
  EXPECT_EQ(comparison_named("icpc float_tolerance 1e-6").value(), flags);
  EXPECT_FALSE(comparison_named("case_sensitive").value().ignore_case);
  EXPECT_EQ(comparison_named("kattis  space_change_sensitive ").value().gaps, Gaps::Exact);
  const Comparison mixed =
      comparison_named("case_sensitive float_relative_tolerance 1e-2 float_absolute_tolerance 3")
          .value();
  EXPECT_EQ(mixed.relative, 1e-2);
  EXPECT_EQ(mixed.absolute, 3);
  EXPECT_FALSE(mixed.ignore_case);
}

TEST(CompareNames, BadNamesAndArgumentsSayWhatIsWrong) {
  EXPECT_EQ(error_of("wcmpp"), "there is no built-in checker 'wcmpp'");
  EXPECT_EQ(error_of("a\x1b\nb"), "there is no built-in checker 'a\\x1b'");
  EXPECT_EQ(error_of(""), "the checker has no name");
  EXPECT_EQ(error_of("tokens", {"1e-6"}),
            "the checker 'tokens' takes no argument, but '1e-6' was given");
  for (const char* bad : {"-1", "nan", "inf", "1e999", "0x1", "x"})
    EXPECT_EQ(error_of("floats", {bad}),
              std::string("the tolerance '") + bad + "' is not a finite number of 0 or more");
  EXPECT_EQ(error_of("floats abs="), "the tolerance '' is not a finite number of 0 or more");
  EXPECT_EQ(error_of("float_tolerance"), "'float_tolerance' needs a tolerance after it");
  EXPECT_EQ(error_of("icpc casesensitive"), "the ICPC validator has no flag 'casesensitive'");
  EXPECT_LT(error_of(std::string(1 << 20, 'x')).size(), 200U);
}

}  // namespace
}  // namespace assay::judge
