// Row 29: full disks, in the box and nowhere else.
#include <sys/statvfs.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

struct Room {
  std::int64_t bytes = 0;
  std::int64_t inodes = 0;
};

Room room_in(const std::string& directory) {
  struct statvfs found{};
  EXPECT_EQ(::statvfs(directory.c_str(), &found), 0) << directory;
  if ((found.f_flag & ST_RDONLY) != 0) return {};  // only others could change that
  return {static_cast<std::int64_t>(found.f_bavail * found.f_frsize),
          static_cast<std::int64_t>(found.f_favail)};
}

struct Place {
  std::string path;
  Room room;  // as the profile says
};
const std::vector<Place> kPlaces = {
    {"/w", {256 << 20, 16384}}, {"/tmp", {256 << 20, 16384}}, {"/dev/shm", {64 << 20, 1024}}};

class Attack29FullDisk : public Attack {
 protected:
  // Looks when the program has said `mark`; it waits for the end of its input meanwhile.
  Outcome attack_and_look(const Job& job, const std::string& mark,
                          const std::function<void()>& look) {
    os::Pipe input = os::make_pipe().value();
    os::Pipe output = os::make_pipe().value();
    std::string text;
    std::thread looker([&] {
      bool looked = false;
      char block[4096];
      for (ssize_t got = 0; (got = ::read(output.read_end.get(), block, sizeof block)) > 0;) {
        text.append(block, static_cast<std::size_t>(got));
        if (looked || !text.contains(mark)) continue;
        looked = true;
        look();
        input.write_end.reset();
      }
      EXPECT_TRUE(looked) << text;
    });
    Prepared prepared(job);
    prepared.spec.input = sandbox::Descriptor{input.read_end.get()};
    prepared.spec.output = sandbox::Descriptor{output.write_end.get()};
    const auto facts = engine().run(prepared.spec);
    output.write_end.reset();
    looker.join();
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) prepared.finish(*facts);
    prepared.outcome.output = text;
    return prepared.outcome;
  }

  // Fills a place and compares what the host has left, while it is full and afterwards. Others
  // write, too: what counts is that the host has not lost half of what the box was given.
  Outcome fill(const Job& job, const std::string& mark, const Room& given) {
    const std::vector<std::string> hosts = {"/", engines_directory(),
                                            std::filesystem::temp_directory_path()};
    std::vector<Room> before;
    for (const std::string& directory : hosts)
      before.push_back(room_in(directory));
    const auto compare = [&] {
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        const Room now = room_in(hosts[i]);
        EXPECT_LT(before[i].bytes - now.bytes, given.bytes / 2) << hosts[i];
        EXPECT_LT(before[i].inodes - now.inodes, given.inodes / 2) << hosts[i];
      }
    };
    Outcome outcome = attack_and_look(job, mark, compare);
    compare();
    return outcome;
  }

  // Where its lock is, and whatever else it makes on the host.
  std::string engines_directory() {
    for (const std::string& trace : traces_of(engine().instance()))
      if (trace.ends_with(".lock")) return std::filesystem::path(trace).parent_path();
    ADD_FAILURE() << "the engine has no directory";
    return "/";
  }
};

TEST_F(Attack29FullDisk, EveryPlaceIsFullAtItsSizeAndTheHostIsNot) {
  for (const Place& place : kPlaces) {
    const Outcome outcome =
        fill({.guest = "fill_disk", .arguments = {place.path}, .limits = {.memory = 2_GiB}},
             "host's place", place.room);
    EXPECT_EQ(result_of(outcome, "full"), "ENOSPC") << outcome;
    EXPECT_EQ(result_of(outcome, "fallocate"), "EFBIG") << outcome;
    EXPECT_EQ(result_of(outcome, "read-only place"), "EROFS") << outcome;
    EXPECT_EQ(result_of(outcome, "host's place"), "EROFS") << outcome;
    expect_unharmed();
  }
}

TEST_F(Attack29FullDisk, AllPlacesTogetherMeetTheMemoryLimit) {
  NEEDS_METERS();
  const Outcome outcome = attack({.arguments = {"sh", "-c",
                                                "for d in /w /tmp /dev/shm; do for i in 1 2 3; do "
                                                "head -c 60000000 /dev/zero > $d/$i; done; done"},
                                  .limits = {.memory = 128_MiB}});
  EXPECT_GT(outcome.facts.oom_kills, 0U) << outcome;
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
  expect_unharmed();
}

// Nobody walks what was left: its file systems are thrown away as they are.
TEST_F(Attack29FullDisk, DeepTreesAndAllInodesAreCleanedUpWithinASecond) {
  for (const Job& job :
       std::vector<Job>{{.guest = "leave_mess", .arguments = {"/etc/passwd"}},
                        {.guest = "create_files_forever", .arguments = {"/w"}},
                        {.guest = "create_files_forever", .arguments = {"/tmp"}}}) {
    const Outcome outcome = attack(job);
    EXPECT_EQ(outcome.letters, "AC") << outcome;
    const bool is_deep = result_of(outcome, "depth of /w") == "10000";
    EXPECT_TRUE(is_deep || std::stol("0" + outcome.output) > 16000) << outcome;
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(engine().await_clean());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, scaled(1s));
    expect_unharmed();
  }
}

TEST_F(Attack29FullDisk, TinyFilesEndAtTheInodesAndTheHostHasAllOfIts) {
  for (const Place& place : kPlaces) {
    const Outcome outcome =
        fill({.guest = "create_files_forever", .arguments = {place.path}}, "ENOSPC", place.room);
    EXPECT_TRUE(outcome.output.ends_with("ENOSPC\n")) << outcome;
    EXPECT_LE(std::stol("0" + outcome.output), place.room.inodes) << outcome;
    EXPECT_EQ(outcome.letters, "AC") << outcome;
    expect_unharmed();
  }
}

}  // namespace
}  // namespace assay::test
