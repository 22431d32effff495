#include "sandbox/profile.h"

#include <gtest/gtest.h>

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kPlaces = "places = [{ path = '/w', size = '1MiB', inodes = 10 }]\n";

Result<Profile> parse(std::string_view text) {
  return parse_profile("p", std::string(kPlaces) + std::string(text));
}

// The lines of `text` count from 2: the places come first.
std::string why_not(std::string_view text) {
  const auto profile = parse(text);
  return profile ? "it parsed" : profile.error().context;
}

TEST(Profile, NeedsOnlyAPlaceToWorkIn) {
  const auto profile = parse("");
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->name, "p");
  EXPECT_EQ(profile->isolation, Isolation::Full);
  EXPECT_EQ(profile->network, Network::None);
  EXPECT_EQ(profile->proc, ProcView::Pids);
  EXPECT_EQ(profile->seccomp, "default");
  EXPECT_EQ(profile->limits, Limits{});
}

TEST(Profile, IsReadInFull) {
  const auto profile = parse(R"(
description = "d"
network = "host"
proc = "full"
hostname = "h-1"
user = 7
group = 8
seccomp = "strict"
host_prefixes = ["/data"]
host_prefixes_writable = ["/out"]
mounts = [{ source = "/usr" }, { source = "/opt/x", target = "/x", writable = true, optional = true, device = true }]
links = [{ path = "/bin", target = "usr/bin" }]
files = [{ path = "/etc/passwd", content = "root\n" }]
environment = { B = "2", A = "1" }
)");
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->network, Network::Host);
  EXPECT_EQ(profile->proc, ProcView::Full);
  EXPECT_EQ(profile->hostname, "h-1");
  EXPECT_EQ(profile->user, 7U);
  EXPECT_EQ(profile->group, 8U);
  EXPECT_EQ(profile->seccomp, "strict");
  EXPECT_EQ(profile->host_prefixes, std::vector<std::string>{"/data"});
  EXPECT_EQ(profile->host_prefixes_writable, std::vector<std::string>{"/out"});
  EXPECT_EQ(profile->environment, (std::vector<std::string>{"A=1", "B=2"}));
  ASSERT_EQ(profile->mounts.size(), 2U);
  EXPECT_EQ(profile->mounts[0].target, "/usr");
  EXPECT_FALSE(profile->mounts[0].writable || profile->mounts[0].optional ||
               profile->mounts[0].device);
  EXPECT_EQ(profile->mounts[1].target, "/x");
  EXPECT_TRUE(profile->mounts[1].writable && profile->mounts[1].optional &&
              profile->mounts[1].device);
  EXPECT_EQ(profile->links.at(0).target, "usr/bin");
  EXPECT_EQ(profile->files.at(0).content, "root\n");
  EXPECT_EQ(profile->places.at(0).size, 1_MiB);
}

TEST(Profile, TakesLimitsInPeoplesUnits) {
  const auto profile = parse(R"(
[limits]
cpu_time = "1.5s"
wall_time = "2m"
idle_time = "300ms"
memory = "512MiB"
stack = "8M"
address_space = "4GiB"
output = "64KiB"
total_output = "1MiB"
disk = "2MiB"
inodes = 100
open_files = 64
processes = 1
)");
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->limits, (Limits{.cpu_time = 1500ms,
                                     .wall_time = 2min,
                                     .idle_time = 300ms,
                                     .memory = 512_MiB,
                                     .stack = 8_MiB,
                                     .address_space = 4_GiB,
                                     .output = 64_KiB,
                                     .total_output = 1_MiB,
                                     .disk = 2_MiB,
                                     .inodes = 100,
                                     .open_files = 64,
                                     .processes = 1}));
}

TEST(Profile, SaysWhereAMistakeIs) {
  EXPECT_EQ(why_not("usr = 3"), "p.toml:2:1: unknown key 'usr'");
  EXPECT_EQ(why_not("\n  user = 'me'").substr(0, 12), "p.toml:3:10:");
  EXPECT_EQ(why_not("[limits]\ncpu = '1s'"), "p.toml:3:1: unknown key 'cpu'");
  EXPECT_EQ(why_not("mounts = [{ source = '/usr', ro = true }]"), "p.toml:2:30: unknown key 'ro'");
  EXPECT_EQ(why_not("user = = 1").substr(0, 9), "p.toml:2:");
  EXPECT_EQ(why_not("network = 'some'"), "p.toml:2:11: 'some' is none of none, host");
}

// Found by fuzzing: the library asserted what it was about to complain of, and a build with
// assertions died of the file.
TEST(Profile, ATableWithoutANameIsAMistakeAndNotTheEndOfUs) {
  for (const char* text : {"[~", "[{", "[[~]]", "[", "a = [,", "a = {~", "[\x01]"})
    EXPECT_FALSE(parse_profile("test", text).has_value()) << text;
}

// Found by fuzzing: undefined behaviour of the library.
TEST(Profile, ALetterBeyondAsciiWhereAValueShouldBeIsAMistake) {
  for (const char* text : {"hostname = é", "hostname = З", "user = 1\u00a2", "x = [ü]"})
    EXPECT_FALSE(parse_profile("test", text).has_value()) << text;
}

TEST(Profile, RefusesBadQuantities) {
  for (const char* line :
       {"cpu_time = '5'", "cpu_time = 5", "cpu_time = '0s'", "cpu_time = '-1s'", "memory = 512",
        "memory = '512 bananas'", "memory = '0'", "processes = 0", "processes = -1",
        "processes = '64'", "processes = 1.5", "memory = '9999999TiB'"})
    EXPECT_EQ(why_not(std::string("[limits]\n") + line).substr(0, 9), "p.toml:3:") << line;
}

TEST(Profile, RefusesPathsWithASecondSpelling) {
  for (const char* path : {"usr", "./usr", "/usr/", "//usr", "/usr//bin", "/usr/../etc", "/usr/.",
                           "/..", "/", "", "/a\\u0000b"}) {
    EXPECT_NE(why_not(std::string("mounts = [{ source = \"") + path + "\" }]"), "it parsed")
        << path;
    EXPECT_NE(why_not(std::string("links = [{ path = \"") + path + "\", target = 'x' }]"),
              "it parsed")
        << path;
    EXPECT_NE(why_not(std::string("host_prefixes = [\"") + path + "\"]"), "it parsed") << path;
  }
}

TEST(Profile, MakesEachPathOnce) {
  EXPECT_EQ(why_not("mounts = [{ source = '/usr' }]\nlinks = [{ path = '/usr', target = 'x' }]"),
            "p.toml:3:10: '/usr' is already taken by line 2");
  EXPECT_NE(why_not("files = [{ path = '/w', content = '' }]"), "it parsed");
  EXPECT_NE(why_not("mounts = [{ source = '/proc' }]"), "it parsed");
  EXPECT_EQ(why_not("proc = 'none'\nmounts = [{ source = '/proc' }]"), "it parsed");
}

TEST(Profile, MakesNothingWhereItWouldBeLostOrImpossible) {
  EXPECT_NE(why_not("mounts = [{ source = '/usr', target = '/w/usr' }]").find("below '/w'"),
            std::string::npos);
  EXPECT_NE(why_not("files = [{ path = '/w/a/b', content = '' }]"), "it parsed");
  EXPECT_NE(
      why_not("links = [{ path = '/bin', target = 'usr/bin' }]\nmounts = [{ source = '/bin/sh' }]"),
      "it parsed");
  EXPECT_NE(why_not("mounts = [{ source = '/usr' }]\nfiles = [{ path = '/usr/a', content = '' }]"),
            "it parsed");
  EXPECT_NE(why_not("mounts = [{ source = '/x', target = '/proc/x' }]"), "it parsed");
  EXPECT_EQ(why_not("mounts = [{ source = '/usr' }, { source = '/data', target = '/usr/local' }]"),
            "it parsed");
  EXPECT_EQ(why_not("mounts = [{ source = '/usr', target = '/w2' }]"), "it parsed");
}

TEST(Profile, WorksInOneOfItsPlaces) {
  EXPECT_EQ(why_not("work_dir = '/home'"), "p.toml:2:1: work_dir '/home' is none of the places");
  EXPECT_FALSE(parse_profile("p", ""));
}

TEST(Profile, HasOnlySoManyPlaces) {
  std::string text = "places = [{ path = '/w', size = '1MiB', inodes = 10 }";
  for (int i = 1; i < 9; ++i)
    text += ", { path = '/w" + std::to_string(i) + "', size = '1MiB', inodes = 10 }";
  EXPECT_FALSE(parse_profile("p", text + "]"));
}

TEST(Profile, NeedsWhatAPlaceCannotBeMadeWithout) {
  EXPECT_FALSE(parse_profile("p", "places = [{ path = '/w' }]"));
  EXPECT_FALSE(parse_profile("p", "places = [{ path = '/w', size = '1MiB' }]"));
  EXPECT_FALSE(parse_profile("p", "places = [{ size = '1MiB', inodes = 1 }]"));
  EXPECT_FALSE(parse_profile("p", "places = 3"));
}

TEST(Profile, WithoutIsolationPretendsNothing) {
  EXPECT_TRUE(parse_profile("p", "isolation = 'none'\nseccomp = ''"));
  const auto profile = parse("isolation = 'none'");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().context, "p.toml:1:1: 'places' needs isolation = \"full\"");
}

TEST(Profile, RunsProgramsNeitherAsRootNorUnderABadName) {
  for (const char* line :
       {"user = 0", "group = 0", "user = 4294967295", "hostname = ''", "hostname = 'A b'",
        "seccomp = '../x'", "environment = { 'A=B' = 'x' }", "environment = { A = 1 }",
        "environment = { A = \"\\u0000\" }", "description = 3"})
    EXPECT_NE(why_not(line), "it parsed") << line;
}

TEST(Profile, NameBecomesAFileName) {
  for (const char* name : {"default", "c", "9x", "a-b_c"})
    EXPECT_TRUE(is_profile_name(name)) << name;
  for (const char* name : {"", "A", "-a", "_a", "a/b", "../a", "a.b", "a b", "a\n"})
    EXPECT_FALSE(is_profile_name(name)) << name;
  EXPECT_FALSE(is_profile_name(std::string(65, 'a')));
  EXPECT_FALSE(parse_profile("A", kPlaces));
}

TEST(Profile, ThatIsMissingIsNotFound) {
  const auto profile = load_profile(ASSAY_SOURCE_DIR "/profiles", "no-such");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().fault, Fault::NotFound);
  const auto escaping = load_profile(ASSAY_SOURCE_DIR "/profiles", "../profiles/default");
  ASSERT_FALSE(escaping);
  EXPECT_EQ(escaping.error().fault, Fault::InvalidRequest);
  EXPECT_FALSE(list_profiles("/no/such/directory"));
}

}  // namespace
}  // namespace assay::sandbox
