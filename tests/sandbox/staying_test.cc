// Init stays for the next run where the last one left no trace in it, and nothing shows that it
// did.
#include <future>
#include <thread>

#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

class Staying : public BoxTest {
 protected:
  static Job shell(const std::string& script) { return {.arguments = {"/bin/sh", "-c", script}}; }

  // As the host sees it, while its program waits for the end of the input.
  int init_of_a_run() {
    os::Pipe input = os::make_pipe().value();
    Prepared reader({.arguments = {"/bin/cat"}});
    reader.spec.input = sandbox::Descriptor{input.read_end.get()};
    std::future<std::string> letters = std::async(std::launch::async, [&] {
      const auto facts = engine().run(reader.spec);
      return facts ? letters_of(*facts) : describe(facts.error());
    });
    int init = 0;
    while (init == 0 && letters.wait_for(1ms) != std::future_status::ready)
      for (const int launcher : children_of(engine().warden_pid()))
        for (const int candidate : children_of(launcher))
          if (!children_of(candidate).empty()) init = candidate;
    input.write_end = {};
    EXPECT_EQ(letters.get(), "AC");
    EXPECT_NE(init, 0);
    return init;
  }
};

TEST_F(Staying, InitStaysWhileItsProgramsAreAlone) {
  NEEDS_METERS();
  if (!missing().empty()) GTEST_SKIP() << "an init with the program's own id does not stay";
  run(shell("exit 3"));  // what the first one leaves of the meters is not known
  const int init = init_of_a_run();
  run(shell("echo in a file > file"));
  EXPECT_EQ(init_of_a_run(), init);
  run(shell("/bin/true; /bin/true"));
  EXPECT_NE(init_of_a_run(), init) << "somebody else had been in its namespace";
}

TEST_F(Staying, WhoeverWasKilledTookInitAlong) {
  NEEDS_METERS();
  run(shell("exit 0"));
  const int init = init_of_a_run();
  EXPECT_EQ(run({.guest = "spin_forever", .limits = {.cpu_time = scaled(50ms)}}).letters, "TLE");
  EXPECT_NE(init_of_a_run(), init);
}

TEST_F(Staying, EveryProgramSeesTheSamePids) {
  const std::string script = "echo $$; /bin/sh -c 'echo $$; exit 1'; cd /proc; echo [0-9]*; exit 0";
  const Outcome first = run(shell(script));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run(shell("exit 0")).letters, "AC");
    const Outcome alone = run(shell("echo $$"));
    EXPECT_EQ(alone.output, first.output.substr(0, alone.output.size())) << alone;
    EXPECT_EQ(run(shell(script)).output, first.output);
  }
}

// A child that is refused took a pid all the same.
TEST_F(Staying, ForksThatWereRefusedAreNotToBeSeenByTheNext) {
  NEEDS_METERS();
  const std::string refused =
      "import os\nfor i in range(77):\n  try: os.fork()\n  except OSError: pass\n";
  const std::string first_child = "import os\npid = os.fork()\nif pid: print(pid); os.wait()";
  const auto python = [](const std::string& script) {
    return Job{.arguments = {"/usr/bin/python3", "-c", script}};
  };
  const std::string fresh = run(python(first_child)).output;
  Job hostile = python(refused);
  hostile.limits.processes = 1;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run(hostile).letters, "AC");
    EXPECT_EQ(run(python(first_child)).output, fresh);
  }
}

TEST_F(Staying, InodeNumbersAreThoseOfANewPlace) {
  const auto inode = [this] {
    return run(shell("for p in /w /tmp /dev/shm; do echo x > $p/file && ls -i $p/file; done"))
        .output;
  };
  const std::string fresh = inode();
  const Job hostile{.arguments = {"/usr/bin/python3", "-c",
                                  "import os\n"
                                  "for place in ('/w', '/tmp', '/dev/shm'):\n"
                                  "  for i in range(99):\n"
                                  "    try: os.close(os.open(place, os.O_TMPFILE | os.O_RDWR))\n"
                                  "    except OSError: pass\n"}};
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run(hostile).letters, "AC");
    EXPECT_EQ(inode(), fresh);
  }
}

TEST_F(Staying, EachRunIsChargedForItselfAlone) {
  NEEDS_METERS();
  run(shell("exit 0"));
  const Outcome work =
      run({.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(100ms)), "1"}});
  const Outcome eater = run({.guest = "touch_memory_mib", .arguments = {"20"}});
  const Outcome small = run({.guest = "exit_code"});
  EXPECT_GE(work.facts.cpu_total, scaled(98ms)) << work;
  EXPECT_GE(eater.facts.memory_peak, 20_MiB) << eater;
  EXPECT_LT(small.facts.cpu_total, scaled(50ms)) << small;
  EXPECT_LT(small.facts.memory_peak, 2_MiB) << small;
  EXPECT_LE(small.facts.switches_voluntary, 50U);
}

}  // namespace
}  // namespace assay::test
