#include "sandbox/request.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

const inside::ResourceLimit& limit_of(const std::vector<inside::ResourceLimit>& all, int resource) {
  return *std::ranges::find(all, resource, &inside::ResourceLimit::resource);
}

TEST(Request, TheSpecsLimitsWinAndTheProfilesFillTheRest) {
  const Limits merged = merge_limits({.cpu_time = 1s}, {.cpu_time = 10s, .memory = 64_MiB});
  EXPECT_EQ(merged.cpu_time, Nanoseconds(1s));
  EXPECT_EQ(merged.memory, 64_MiB);
  EXPECT_FALSE(merged.wall_time);
}

TEST(Request, AVariableOfTheSpecReplacesTheProfilesOfTheSameName) {
  const auto merged = merge_environment({"PATH=/bin", "HOME=/w"}, {"PATH=/opt", "X=1=2"});
  EXPECT_EQ(merged, (std::vector<std::string>{"HOME=/w", "PATH=/opt", "X=1=2"}));
}

TEST(Request, AProgramWithoutASlashIsLookedForInThePathOfTheBox) {
  EXPECT_EQ(candidates("cat", {"PATH=/a:/b:"}), (std::vector<std::string>{"/a/cat", "/b/cat"}));
  EXPECT_EQ(candidates("./cat", {"PATH=/a"}), (std::vector<std::string>{"./cat"}));
  EXPECT_EQ(candidates("cat", {}).back(), "/bin/cat");
}

TEST(Request, TheCpuLimitOfTheKernelIsOnlyABackstop) {
  const auto all = resource_limits({.cpu_time = 1999ms}, true);
  EXPECT_EQ(limit_of(all, RLIMIT_CPU).soft, 3U);
  EXPECT_GT(limit_of(all, RLIMIT_CPU).hard, limit_of(all, RLIMIT_CPU).soft);
}

TEST(Request, AFileMayBeExactlyAsLongAsTheOutputLimit) {
  EXPECT_EQ(limit_of(resource_limits({.output = 100_B}, true), RLIMIT_FSIZE).soft, 101U);
}

TEST(Request, TheStackIsAsLargeAsTheMemoryUnlessSaidOtherwise) {
  EXPECT_GT(limit_of(resource_limits({.memory = 8_MiB}, true), RLIMIT_STACK).soft, 9U << 20)
      << "the memory meter comes first";
  EXPECT_EQ(limit_of(resource_limits({.memory = 8_MiB, .stack = 8_MiB}, true), RLIMIT_STACK).soft,
            8U << 20);
  EXPECT_EQ(limit_of(resource_limits({.memory = 8_MiB, .stack = 1_MiB}, true), RLIMIT_STACK).soft,
            1U << 20);
}

TEST(Request, WithoutMetersTheAddressSpaceStandsInForMemory) {
  EXPECT_EQ(limit_of(resource_limits({.memory = 8_MiB}, false), RLIMIT_AS).soft, 8U << 20);
  EXPECT_GT(limit_of(resource_limits({.memory = 8_MiB}, true), RLIMIT_AS).soft, 8U << 20);
}

TEST(Request, NoCoreIsEverDumpedNotEvenIntoAPipe) {
  EXPECT_EQ(limit_of(resource_limits({}, true), RLIMIT_CORE).hard, 1U);
}

TEST(Request, EveryBadNameIsRefusedWithAReason) {
  const auto refused = [](const std::string& name) {
    Spec spec{.argv = {"x"}};
    spec.files_out.push_back({.name = name});
    const Status checked = check_spec(spec);
    return !checked && checked.error().fault == Fault::InvalidRequest &&
           !checked.error().context.empty();
  };
  for (const std::string& name : {std::string(), std::string("../x"), std::string("a/../../b"),
                                  std::string("a/.."), std::string("x/"), std::string("a\0b", 3),
                                  std::string(5000, 'a'), "d/" + std::string(256, 'n')})
    EXPECT_TRUE(refused(name)) << name;
  for (const char* name : {"a b", "-rf", "a\nb", "a/b/c", "/tmp/x", "..x", "x..", "\xff"})
    EXPECT_FALSE(refused(name)) << name;
}

TEST(Request, AnEmptyProgramIsRefused) {
  EXPECT_FALSE(check_spec({}));
  EXPECT_FALSE(check_spec({.argv = {""}}));
  EXPECT_FALSE(check_spec({.argv = {std::string("a\0b", 3)}}));
  EXPECT_FALSE(check_spec({.argv = {"x"}, .environment = {std::string("A=\0b", 4)}}));
  EXPECT_TRUE(check_spec({.argv = {"x", ""}, .environment = {"A=", "", "NOVALUE", "=v"}}));
}

TEST(Request, LongArgumentsTravelApart) {
  const Spec small{.argv = {"x", "y"}};
  const Spec large{.argv = {"x", std::string(100 << 10, 'y')}};
  const Spec endless{.argv = {"x", std::string(5 << 20, 'y')}};
  EXPECT_EQ(make_message(small, {}, {}, true, true)->header.long_strings, 0U);
  EXPECT_EQ(make_message(large, {}, {}, true, true)->header.long_strings, 1U);
  EXPECT_EQ(make_message(large, {}, {}, true, true)->packet().size(), sizeof(inside::RunRequest));
  EXPECT_FALSE(make_message(endless, {}, {}, true, true));
}

// It used to be left out of the box, or put in twice, with the program blamed for it.
TEST(Request, AFileThatCannotBeLookedAtIsAnError) {
  constexpr int kNone = 1'000'000;  // no such descriptor
  const auto travels =
      travels_with_request({.argv = {"x"}, .files_in = {{.name = "a", .source = kNone}}});
  ASSERT_FALSE(travels);
  EXPECT_EQ(travels.error().code, EBADF);
}

TEST(Request, CoresBecomeAMask) {
  const auto message = make_message({.argv = {"x"}, .cores = {0, 65}}, {}, {}, true, true);
  EXPECT_EQ(message->header.cpu_words, 2U);
  EXPECT_EQ(message->header.cpus[0], 1U);
  EXPECT_EQ(message->header.cpus[1], 2U);
}

}  // namespace
}  // namespace assay::sandbox
