// What is typed at a terminal and what is read from it, by whom and until when.
#include <poll.h>

#include <algorithm>
#include <thread>

#include "tests/exec/fixture.h"

namespace assay::exec {
namespace {

Command at_terminal(const std::string& script, const std::string& typed = "") {
  Command command = shell(script, typed);
  command.tty = true;
  command.env.push_back("TERM=xterm");
  command.files[1] = out("stdout", 1_MiB);
  return command;
}

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += "line " + std::to_string(i) + " of what somebody types without a pause\n";
  return text;
}

TEST_F(Runs, ATerminalWithLiveInputIsCollectedToItsEnd) {
  Command command = at_terminal("head -c 200000 /dev/zero | tr '\\0' x; read a; echo got $a");
  command.files[0] = StreamIn{};
  std::vector<LiveStream> live;
  const auto results =
      try_run({.commands = {command}}, {.on_streams = [&](std::vector<LiveStream> streams) {
                live = std::move(streams);
                (void)os::write_all(live.at(0).end.get(), "typed\n");
              }});
  ASSERT_TRUE(results) << describe(results.error());
  const CommandResult& result = results->at(0);
  EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
  const std::string& text = result.files.at("stdout");
  EXPECT_EQ(std::ranges::count(text, 'x'), 200'000);
  EXPECT_TRUE(text.ends_with("got typed\r\n")) << text.substr(text.size() - 20);
}

TEST_F(Runs, ContentIsTypedAtATerminal) {
  const auto result = run(at_terminal("read a; echo got $a; read b; echo then $b", "one\ntwo\n"));
  EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
  const std::string& text = result.files.at("stdout");
  EXPECT_TRUE(text.contains("got one\r\n") && text.ends_with("then two\r\n")) << text;
  EXPECT_TRUE(text.contains("two\r\n")) << "a terminal echoes: " << text;
}

TEST_F(Runs, NothingThatIsTypedIsLostHoweverMuchItIs) {
  const std::string typed = lines(8000) + "end\n";
  const auto result = run(at_terminal("stty -echo; sed -n '/^end$/{=;q}'", typed));
  EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
  EXPECT_TRUE(result.files.at("stdout").ends_with("8001\r\n"));
}

TEST_F(Runs, WhatIsTypedAndNeverReadHoldsNobodyUp) {
  for (const std::string& typed : {lines(20'000), std::string(1 << 20, 'x')}) {
    const auto result = run(at_terminal("true", typed));
    EXPECT_NE(result.status, RunStatus::TimeLimitExceeded) << result.error;
    EXPECT_EQ(result.exit_status, 0);
  }
  sandbox::Control control;
  control.cancel();
  const auto cancelled =
      try_run({.commands = {at_terminal("sleep 60", lines(20'000))}}, {.control = &control});
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->at(0).status, RunStatus::Signalled);
}

// N_PPP and N_GSM load modules of the kernel; the others speak for a session or for the console.
TEST_F(Runs, ATerminalIsNoDoorToTheDriversOfTheKernel) {
  const auto result =
      run(at_terminal("python3 -c '\n"
                      "import fcntl, errno, struct\n"
                      "for name, call, argument in ((\"setd\", 0x5423, struct.pack(\"i\", 3)),\n"
                      "    (\"gsm\", 0x5423, struct.pack(\"i\", 21)), (\"sti\", 0x5412, b\"x\"),\n"
                      "    (\"linux\", 0x541c, b\"\\2\"), (\"console\", 0x541d, b\"\")):\n"
                      "  try: fcntl.ioctl(1, call, argument); print(name, \"done\")\n"
                      "  except OSError as error: print(name, errno.errorcode[error.errno])\n"
                      "fcntl.ioctl(1, 0x5401, bytes(64)); print(\"settings can be read\")'"));
  const std::string& text = result.files.at("stdout");
  for (const char* name : {"setd", "gsm", "sti", "linux", "console"})
    EXPECT_TRUE(text.contains(name + std::string(" EPERM"))) << text;
  EXPECT_TRUE(text.contains("settings can be read")) << text;
}

TEST_F(Runs, WhatIsTypedForAProgramThatCannotStartHoldsNobodyUp) {
  Command command = at_terminal("true", lines(20'000));
  command.args = {"/no/such/program"};
  EXPECT_EQ(run(command).status, RunStatus::InternalError);
  command = at_terminal("true", lines(20'000));
  command.copy_in = {{"/usr/not/allowed", Content{"x"}}};
  EXPECT_EQ(run(command).status, RunStatus::FileError);
}

TEST_F(Runs, ContentIsTypedWhileSomebodyWatches) {
  Command command = at_terminal("read a; echo got $a", "line\n");
  command.files[1] = StreamOut{};
  std::string heard;
  std::thread watcher;
  const auto results =
      try_run({.commands = {command}}, {.on_streams = [&](std::vector<LiveStream> streams) {
                ASSERT_EQ(streams.size(), 1U);
                watcher = std::thread([&heard, end = std::move(streams[0].end)] {
                  char buffer[64];
                  for (;;) {
                    const ssize_t got = ::read(end.get(), buffer, sizeof buffer);
                    if (got < 0 && errno != EAGAIN) return;  // EIO: the program has gone
                    if (got > 0) heard.append(buffer, static_cast<std::size_t>(got));
                    pollfd more{end.get(), POLLIN, 0};
                    ::poll(&more, 1, -1);
                  }
                });
              }});
  if (watcher.joinable()) watcher.join();
  ASSERT_TRUE(results) << describe(results.error());
  EXPECT_EQ(results->at(0).status, RunStatus::Accepted) << results->at(0).error;
  EXPECT_TRUE(heard.ends_with("got line\r\n")) << heard;
}

TEST_F(Runs, LiveStreamsMayHaveHighNumbers) {
  Command command = shell("");
  command.args = {"/bin/bash", "-c", "read -u 20 a; echo got $a >&21"};
  command.files.resize(20, Content{});
  command.files.emplace_back(StreamIn{});
  command.files.emplace_back(StreamOut{});
  Runner runner(engine(), *store_, {}, rules_);
  EXPECT_TRUE(runner.check({.commands = {command}}, true));
  EXPECT_FALSE(runner.check({.commands = {command}}, false));
  std::vector<LiveStream> live;
  const auto results =
      try_run({.commands = {command}}, {.on_streams = [&](std::vector<LiveStream> streams) {
                live = std::move(streams);
                (void)os::write_all(live.at(0).end.get(), "twenty\n");
              }});
  ASSERT_TRUE(results) << describe(results.error());
  EXPECT_EQ(results->at(0).status, RunStatus::Accepted) << results->at(0).error;
  ASSERT_EQ(live.size(), 2U);
  EXPECT_EQ(live[0].fd, 20);
  char buffer[64];
  const ssize_t got = ::read(live[1].end.get(), buffer, sizeof buffer);
  EXPECT_EQ(std::string_view(buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0))),
            "got twenty\n");
}

}  // namespace
}  // namespace assay::exec
