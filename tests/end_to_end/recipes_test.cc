// The recipes of docs/SECURITY.md that need no other machine: what a container gives, and a plain
// user. The unit for systemd is tried in a virtual machine (tests/vm/recipe_service).
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

// As an engine for containers starts one: namespaces of its own, no privilege but eight
// capabilities, none gained by exec. `prepared` is done inside, before they are given up.
Ran run_in_container(const std::string& prepared) {
  const std::string start =
      prepared +
      "; exec setpriv --bounding-set=-all,+setuid,+setgid,+chown,+dac_override,+dac_read_search,"
      "+kill,+setpcap,+net_bind_service --inh-caps=-all --no-new-privs " +
      assay_binary() + " exec --json -- /bin/echo in a box";
  return run_command({"/usr/bin/unshare", "--mount", "--pid", "--fork", "--mount-proc", "--ipc",
                      "--uts", "--cgroup", "/bin/bash", "-c", start});
}

class ContainerRecipe : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "a container is started by root here";
  }
};

TEST_F(ContainerRecipe, NeedsNoAdministrator) {
  const Ran ran = run_in_container("true");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json_field(ran.out, "verdict"), "AC") << ran.out;
  EXPECT_EQ(json_field(ran.out, "box"), "full") << ran.out;
}

// The launcher's answer once was lost with a filter that it had not read.
TEST_F(ContainerRecipe, AMaskedProcIsNamed) {
  const Ran ran = run_in_container("mount -t tmpfs none /proc/fs");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(
      ran.err.contains("could not mount /proc (in a container, is the host's /proc masked?)"))
      << ran.err;
}

TEST_F(ContainerRecipe, CgroupsThatCannotBeWrittenAreNamed) {
  const Ran ran = run_in_container(
      "for m in $(awk '$5 ~ /cgroup/ {print $5}' /proc/self/mountinfo); do "
      "mount -o remount,ro,bind $m; done");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(ran.err.contains("a full box cannot be made here (cgroups: ")) << ran.err;
}

// Without delegated cgroups and subordinate ids; with them, see mode `rootless` of tests/vm.
TEST(RootlessRecipe, APlainUserGetsADegradedBoxIfHeAllowsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become a user who has nothing";
  const std::vector<std::string> user{"/usr/bin/setpriv", "--reuid=4242",    "--regid=4242",
                                      "--clear-groups",   "--inh-caps=-all", "--bounding-set=-all",
                                      "--no-new-privs",   assay_binary(),    "exec"};
  std::vector<std::string> look(user.begin(), user.end() - 2);
  look.insert(look.end(), {"/usr/bin/test", "-r", ASSAY_SOURCE_DIR "/profiles/default.toml"});
  if (run_command(look).code != 0)
    GTEST_SKIP() << "only root can read " ASSAY_SOURCE_DIR ", as everything below /root";
  auto refused = user, allowed = user;
  refused.insert(refused.end(), {"--", "/bin/true"});
  const Ran no = run_command(refused);
  EXPECT_EQ(no.code, 2);
  EXPECT_TRUE(no.err.contains("or allow degraded boxes")) << no.err;
  allowed.insert(allowed.end(), {"--allow-degraded", "--json", "--", "/bin/true"});
  const Ran yes = run_command(allowed);
  EXPECT_EQ(yes.code, 0) << yes.err;
  EXPECT_EQ(json_field(yes.out, "box"), "degraded") << yes.out;
}

}  // namespace
}  // namespace assay::test
