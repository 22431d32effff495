// The command line of `sandbox`, without running anything.
#include "app/sandbox_noj/arguments.h"

#include <gtest/gtest.h>

namespace assay::noj {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

std::vector<std::string> usual() {
  return {"0", "0", "in", "out", "err", "1000", "65536", "1", "67108864", "10", "result"};
}

TEST(SandboxArguments, ElevenAreTheOriginals) {
  const auto parsed = parse_arguments(usual());
  ASSERT_TRUE(parsed) << describe(parsed.error());
  EXPECT_EQ(parsed->language, Lang::C);
  EXPECT_FALSE(parsed->compile);
  EXPECT_EQ(parsed->input, "in");
  EXPECT_EQ(parsed->output, "out");
  EXPECT_EQ(parsed->errors, "err");
  EXPECT_EQ(parsed->time_limit, 1000ms);
  EXPECT_EQ(parsed->memory_limit, 64_MiB);
  EXPECT_TRUE(parsed->large_stack);
  EXPECT_EQ(parsed->output_limit, 64_MiB);
  EXPECT_EQ(parsed->processes, 10U);
  EXPECT_EQ(parsed->result, "result");
}

TEST(SandboxArguments, TwelveHaveTheNetworkBeforeTheResult) {
  std::vector<std::string> words = usual();
  words.insert(words.end() - 1, "1");
  const auto parsed = parse_arguments(words);
  ASSERT_TRUE(parsed) << describe(parsed.error());
  EXPECT_TRUE(parsed->allow_network);
  EXPECT_EQ(parsed->result, "result");
}

TEST(SandboxArguments, AnyOtherNumberIsRefusedInTheOriginalsWords) {
  for (const std::size_t count : {0U, 1U, 10U, 13U}) {
    const auto parsed = parse_arguments(std::vector<std::string>(count, "1"));
    ASSERT_FALSE(parsed) << count;
    EXPECT_EQ(parsed.error().context, "need 11 arguments");
  }
}

TEST(SandboxArguments, EveryWordThatIsNoneIsNamed) {
  struct Case {
    std::size_t index;
    const char* word;
    const char* name;
  };
  for (const Case& each :
       {Case{0, "3", "lang_id"}, Case{0, "-1", "lang_id"}, Case{1, "2", "compile"},
        Case{5, "0", "time_limit_ms"}, Case{5, "1s", "time_limit_ms"},
        Case{6, "0", "memory_limit_kb"}, Case{6, "99999999999999999999", "memory_limit_kb"},
        Case{7, "yes", "large_stack"}, Case{8, "x", "output_limit_bytes"},
        Case{9, "", "process_limit"}}) {
    std::vector<std::string> words = usual();
    words[each.index] = each.word;
    const auto parsed = parse_arguments(words);
    ASSERT_FALSE(parsed) << each.name << " " << each.word;
    EXPECT_TRUE(parsed.error().context.starts_with(each.name)) << parsed.error().context;
  }
}

TEST(SandboxArguments, CpuTimeIsInWholeSecondsPastTheLimit) {
  for (const auto& [limit, seconds] : {std::pair{1000ms, 2s},
                                       {1500ms, 2s},
                                       {1800ms, 2s},
                                       {1801ms, 3s},
                                       {999ms, 2s},
                                       {150ms, 1s},
                                       {2000ms, 3s}}) {
    Arguments arguments{.time_limit = limit, .memory_limit = 64_MiB};
    EXPECT_EQ(limits_of(arguments).cpu_time, Nanoseconds(seconds)) << limit.count();
    EXPECT_EQ(limits_of(arguments).wall_time, Nanoseconds(limit + 300ms));
  }
}

TEST(SandboxArguments, MemoryIsTwiceAndTheStackOnlyWhereItIsLarge) {
  Arguments arguments{.time_limit = 1000ms, .memory_limit = 64_MiB, .processes = 10};
  EXPECT_EQ(limits_of(arguments).address_space, 128_MiB);
  EXPECT_EQ(limits_of(arguments).memory, 128_MiB);
  EXPECT_EQ(limits_of(arguments).stack, 8_MiB);
  EXPECT_EQ(limits_of(arguments).processes, 11U);
  arguments.large_stack = true;
  EXPECT_EQ(limits_of(arguments).stack, 128_MiB);
}

}  // namespace
}  // namespace assay::noj
