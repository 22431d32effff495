#include "judge/compare_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/judge/compare_files.h"

namespace assay::judge {
namespace {

TEST(CompareFloats, DecimalNumbersAreFiniteDecimalNumbers) {
  for (const char* text : {"0", "1", "-1", "+1", "1.", ".5", "-.5", "1e5", "1E+5", "1e-5", "007",
                           "1.50", "1e308", "5e-324", "0e999999999999999999999"})
    EXPECT_TRUE(parse_decimal(text).is_finite()) << text;
  for (const char* text :
       {"",    "+",   "-",   ".",         "e5",  "1e",    "1e+",   "--1", "+-1", "1.2.3",   "0x10",
        "nan", "NaN", "inf", "-Infinity", "1,5", "1_000", "1e5.5", "1f",  " 1",  "1e308+1", "٣"})
    EXPECT_EQ(parse_decimal(text).kind, Decimal::Kind::NotANumber) << text;
  for (const char* text : {"1e309", "-1e999", "1e99999999999999999999999", "10000e305"})
    EXPECT_EQ(parse_decimal(text).kind, Decimal::Kind::TooLarge) << text;
}

// Found while its fuzzer was written: the exponent and the digits before the point were added up
// beyond what a number can hold, and the output was taken for 0.
TEST(CompareFloats, AnExponentAtTheEndOfTheRangeIsTooLargeHoweverManyDigitsAreBeforeIt) {
  EXPECT_EQ(parse_decimal("1234567890123456e9223372036854775807").kind, Decimal::Kind::TooLarge);
  EXPECT_EQ(parse_decimal("0.0001234567890123456e-9223372036854775807").value, 0);
  EXPECT_EQ(letters("floats", "1234567890123456e9223372036854775807", "0"), "WA");
}

TEST(CompareFloats, ReadsTheValueThatTheTextHas) {
  EXPECT_EQ(parse_decimal("+2.5").value, 2.5);
  EXPECT_EQ(parse_decimal("-2.5e1").value, -25);
  EXPECT_EQ(parse_decimal("5e-324").value, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_decimal("1e-400").value, 0);
  EXPECT_EQ(parse_decimal("1e-99999999999999999999").value, 0);
  EXPECT_TRUE(std::signbit(parse_decimal("-0").value));
  EXPECT_EQ(parse_decimal(std::string(1000, '0') + "1").value, 1);
  EXPECT_EQ(parse_decimal("0." + std::string(1000, '0') + "1").value, 0);
  EXPECT_EQ(parse_decimal("0." + std::string(1000, '0') + "1e1001").value, 1);
  EXPECT_EQ(parse_decimal("1" + std::string(1000, '0')).kind, Decimal::Kind::TooLarge);
  EXPECT_EQ(parse_decimal("1" + std::string(1000, '0') + "e-1000").value, 1);
}

TEST(CompareFloats, EitherToleranceIsEnough) {
  expect_each("floats 1e-6", {{"0.333333", "0.3333333333", "AC"},
                              {"0.33333", "0.3333333333", "WA"},
                              {"1000000.5", "1000000", "AC"},
                              {"1000002", "1000000", "WA"},
                              {"0.0000009", "0", "AC"},
                              {"0.0000011", "0", "WA"},
                              {"1", "1.000", "AC"},
                              {"+1", "1", "AC"},
                              {"-0", "0", "AC"},
                              {"-0.0000001", "0", "AC"},
                              {"1e0", "1.0", "AC"},
                              {".5", "0.5", "AC"},
                              {"1e3", "1000", "AC"},
                              {"-1", "1", "WA"}});
  expect_each("floats abs=1e-6", {{"1000000.5", "1000000", "WA"}, {"0.0000009", "0", "AC"}});
  expect_each("floats rel=1e-6",
              {{"1000000.5", "1000000", "AC"}, {"0.0000009", "0", "WA"}, {"0.0", "0", "AC"}});
  expect_each("floats 0", {{"1.0", "1", "AC"}, {"1.0000000001", "1", "WA"}});
}

// Decimal text is not exact in binary: 1.000001 is a little more than 1e-6 away from 1.
TEST(CompareFloats, ADifferenceOfExactlyTheToleranceIsWithin) {
  expect_each("floats abs=1e-6", {{"1.000001", "1", "AC"},
                                  {"0.999999", "1", "AC"},
                                  {"1000000.000001", "1000000", "AC"},
                                  {"1.00000101", "1", "WA"}});
  expect_each("floats rel=0.1", {{"1.1", "1", "AC"}, {"0.9", "1", "AC"}, {"33", "30", "AC"}});
}

TEST(CompareFloats, ExtremesDoNotOverflowIntoAccepted) {
  expect_each("floats 1e-6", {{"1e308", "1e308", "AC"},
                              {"1.0000001e308", "1e308", "AC"},
                              {"-1e308", "1e308", "WA"},
                              {"1.7e308", "1e308", "WA"},
                              {"5e-324", "0", "AC"},
                              {"5e-324", "1", "WA"},
                              {"4.9e-324", "1e-323", "AC"},
                              {"1e308+1", "1e308", "WA"}});
  expect_each("floats rel=1e-6", {{"5e-324", "1e-323", "WA"}});
}

TEST(CompareFloats, WhatIsNotAFiniteNumberIsWrongInTheOutput) {
  for (const char* text : {"nan", "inf", "-inf", "0x1", "1e999", "abc", "1,5"})
    EXPECT_EQ(letters("floats", text, "1"), "WA") << text;
  for (const char* text : {"nan", "inf", "-inf", "0x1", "1e999", "abc", "1,5"})
    EXPECT_EQ(letters("rcmp6", text, "1"), "PE") << text;
  EXPECT_EQ(said("floats", "nan", "1"),
            "WA line 1, token 1: expected \"1\", found \"nan\", which is not a number");
  EXPECT_EQ(said("rcmp6", "1e999", "1"),
            "PE line 1, token 1: expected \"1\", found \"1e999\", which is too large for a number");
}

TEST(CompareFloats, WordsOfTheAnswerAreComparedAsWords) {
  expect_each("floats", {{"Case 1: 0.50000001", "Case 1: 0.5", "AC"},
                         {"case 1: 0.5", "Case 1: 0.5", "WA"},
                         {"inf", "inf", "AC"},
                         {"1e999", "inf", "WA"},
                         {"nan", "nan", "AC"},
                         {"1e999", "1e999", "AC"},
                         {"1e998", "1e999", "WA"}});
  expect_each("icpc float_tolerance 1e-6",
              {{"case 1: 0.50000001", "Case 1: 0.5", "AC"}, {"Inf", "inf", "AC"}});
}

TEST(CompareFloats, ABrokenAnswerIsTheJudgesFault) {
  EXPECT_EQ(said("rcmp6", "1 2", "1 x"), "JE token 2 of the answer, \"x\", is not a number");
  EXPECT_EQ(letters("rcmp6", "1", "nan"), "JE");
}

TEST(CompareFloats, TokensAndGapsBesidesStillCount) {
  expect_each("floats", {{"0.5", "0.5 0.5", "WA"},
                         {"0.5 0.5", "0.5", "WA"},
                         {"0.50 0.25\n", "0.5\n0.250", "AC"},
                         {"0.5 0.25", "0.50.25", "WA"},
                         {"", "0.5", "WA"},
                         {"0.5", "", "WA"},
                         {"1 0.50 2", "1 0.5 3", "WA"}});
  EXPECT_EQ(said("floats", "1.0 2.0 3.5", "1 2 3"),
            "WA line 1, token 3: expected \"3\", found \"3.5\"");
  expect_each("icpc space_change_sensitive float_tolerance 1e-6", {{"0.50 1\n", "0.5 1\n", "AC"},
                                                                   {"0.50  1\n", "0.5 1\n", "WA"},
                                                                   {"0.50 1", "0.5 1\n", "WA"},
                                                                   {"a B\n", "A b\n", "AC"}});
}

TEST(CompareNumbers, IntegersOfAnySizeAreComparedByValue) {
  const std::string huge(50000, '9');
  expect_each("numbers", {{"007", "7", "AC"},
                          {"+7", "7", "AC"},
                          {"-0", "0", "AC"},
                          {"-000", "+0", "AC"},
                          {"-7", "7", "WA"},
                          {"70", "7", "WA"},
                          {"0", "", "WA"},
                          {"word", "word", "AC"},
                          {"word", "Word", "WA"},
                          {"1.0", "1", "WA"}});
  EXPECT_EQ(letters("hcmp", "00" + huge, huge), "AC");
  EXPECT_EQ(letters("hcmp", huge, huge + "9"), "WA");
  EXPECT_EQ(said("ncmp", "1 2x", "1 2"),
            "PE line 1, token 2: expected \"2\", found \"2x\", which is not an integer");
  EXPECT_EQ(letters("ncmp", "-", "2"), "PE");
  EXPECT_EQ(letters("ncmp", "2", "two"), "JE");
}

TEST(CompareYesNo, TakesEitherCaseAndNothingElse) {
  expect_each("yes-no", {{"YES", "yes", "AC"},
                         {"yEs\nNO\n", "Yes No", "AC"},
                         {"no", "YES", "WA"},
                         {"maybe", "yes", "PE"},
                         {"y", "yes", "PE"},
                         {"yes yes", "yes", "WA"},
                         {"yes", "yes no", "WA"},
                         {"", "yes", "WA"},
                         {"yes", "perhaps", "JE"}});
  EXPECT_EQ(said("yesno", "Maybe", "NO"),
            "PE line 1, token 1: expected \"NO\", found \"Maybe\", which is neither yes nor no");
  EXPECT_EQ(said("nyesno", "no", "Perhaps"),
            "JE token 1 of the answer, \"Perhaps\", is neither yes nor no");
}

}  // namespace
}  // namespace assay::judge
