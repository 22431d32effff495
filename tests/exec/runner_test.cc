// Commands as go-judge's clients order them, run in real boxes.
#include <sys/stat.h>

#include <thread>

#include "tests/exec/fixture.h"

namespace assay::exec {
namespace {

TEST_F(Runs, CollectsBothStreamsOfAProgramThatEndsWell) {
  const auto result = run(shell("cat; echo oops >&2", "hello\n"));
  EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
  EXPECT_EQ(result.files.at("stdout"), "hello\n");
  EXPECT_EQ(result.files.at("stderr"), "oops\n");
  EXPECT_GT(result.time.count(), 0);
  EXPECT_GT(result.run_time.count(), 0);
  EXPECT_GT(result.memory.count, 0U);
}

TEST_F(Runs, SaysTheExitCodeAndTheSignal) {
  const auto code = run(shell("exit 7"));
  EXPECT_EQ(code.status, RunStatus::NonzeroExitStatus);
  EXPECT_EQ(code.exit_status, 7);
  const auto signal = run(shell("kill -SEGV $$"));
  EXPECT_EQ(signal.status, RunStatus::Signalled);
  EXPECT_EQ(signal.exit_status, 11);
}

TEST_F(Runs, ASelfKillIsSignalledNotTimeLimit) {
  const auto result = run(shell("kill -KILL $$"));
  EXPECT_EQ(result.status, RunStatus::Signalled);
  EXPECT_EQ(result.exit_status, 9);
}

TEST_F(Runs, ASpinnerIsTimeLimit) {
  Command command = shell("while :; do :; done");
  command.limits.cpu = 200ms;
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::TimeLimitExceeded);
  EXPECT_GE(result.time, 200ms);
}

TEST_F(Runs, ASleeperWithOnlyACpuLimitIsTimeLimitAtThatTime) {
  Command command = shell("sleep 60");
  command.limits.cpu = 300ms;
  command.limits.clock.reset();
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::TimeLimitExceeded);
  EXPECT_GE(result.run_time, 300ms);
  EXPECT_LT(result.run_time, scaled(10s));
}

TEST_F(Runs, TooMuchMemoryBeatsEverything) {
  NEEDS_METERS();
  Command command = shell("python3 -c 'x = bytearray(200 << 20)'");
  command.limits.memory = 64_MiB;
  EXPECT_EQ(run(command).status, RunStatus::MemoryLimitExceeded);
}

TEST_F(Runs, GivesOneByteMoreThanTheMaximumAndSaysOutputLimit) {
  for (const bool pipe : {false, true}) {
    Command command = shell("head -c 5000 /dev/zero");
    command.files[1] = out("stdout", 1000_B, pipe);
    const auto result = run(command);
    EXPECT_EQ(result.status, RunStatus::OutputLimitExceeded) << pipe;
    EXPECT_EQ(result.files.at("stdout").size(), 1001U) << pipe;
    ASSERT_EQ(result.file_errors.size(), 1U);
    EXPECT_EQ(result.file_errors[0].type, FileErrorType::CollectSizeExceeded);
  }
}

TEST_F(Runs, ExactlyTheMaximumIsFine) {
  for (const bool pipe : {false, true}) {
    Command command = shell("head -c 1000 /dev/zero");
    command.files[1] = out("stdout", 1000_B, pipe);
    const auto result = run(command);
    EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
    EXPECT_EQ(result.files.at("stdout").size(), 1000U);
  }
}

TEST_F(Runs, AFailedProgramKeepsItsStatusThoughItPrintedTooMuch) {
  Command command = shell("head -c 5000 /dev/zero; exit 3");
  command.files[1] = out("stdout", 1000_B, true);
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::NonzeroExitStatus);
  EXPECT_EQ(result.exit_status, 3);
}

TEST_F(Runs, CollectorsOfOneNameShareOneFile) {
  for (const bool pipe : {false, true}) {
    Command command = shell("echo one; echo two >&2; echo three");
    command.files = {Content{}, out("both", 1_KiB, pipe), out("both", 1_KiB, pipe)};
    EXPECT_EQ(run(command).files.at("both"), "one\ntwo\nthree\n");
  }
}

TEST_F(Runs, ACollectorIsAFileThatTheProgramSeesAndMayTakeAway) {
  const auto result = run(shell("echo kept; ls; rm stdout; echo still"));
  EXPECT_EQ(result.files.at("stdout"), "kept\nstderr\nstdout\nstill\n");
}

TEST_F(Runs, WithoutFilesThereAreNoDescriptors) {
  Command command = shell("");
  command.args = {"/bin/echo", "x"};
  command.files.clear();
  EXPECT_EQ(run(command).status, RunStatus::NonzeroExitStatus);
}

TEST_F(Runs, ManyDescriptorsInTheOrderOfTheFiles) {
  Command command = shell("cat <&3; echo five >&5; cat <&4");
  command.files = {Content{},          out("stdout"),     out("stderr"),
                   Content{"three\n"}, Content{"four\n"}, out("extra", 1_KiB, true)};
  const auto result = run(command);
  EXPECT_EQ(result.files.at("stdout"), "three\nfour\n");
  EXPECT_EQ(result.files.at("extra"), "five\n");
}

TEST_F(Runs, CopiesInFilesDirectoriesAndLinks) {
  const std::string id = store_->add("lib", "from the store").value_or("");
  Command command =
      shell("cat a/b/c stored /tmp/abs; stat -c %a a/b/c; readlink l; test -d d && echo d");
  command.copy_in = {{"a/b/c", Content{"deep "}},
                     {"stored", Stored{id}},
                     {"/tmp/abs", Content{" absolute\n"}},
                     {"d", Directory{}}};
  command.links = {{"l", "a/b"}};
  const auto result = run(command);
  EXPECT_EQ(result.files.at("stdout"), "deep from the store absolute\n777\na/b\nd\n")
      << result.error;
}

TEST_F(Runs, ANameThatGoesUpStaysInTheBox) {
  Command command = shell("cat /tmp/up");
  command.copy_in = {{"../tmp/up", Content{"up"}}};
  EXPECT_EQ(run(command).files.at("stdout"), "up");
  command.copy_in = {{"../../../../etc/up", Content{"up"}}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::FileError);
  ASSERT_FALSE(result.file_errors.empty());
  EXPECT_EQ(result.file_errors[0].type, FileErrorType::CopyInCreateFile);
}

TEST_F(Runs, MoreFilesThanOneMessageCarries) {
  Command command = shell("ls d | wc -l");
  for (int i = 0; i < 600; ++i)
    command.copy_in.push_back({"d/" + std::to_string(i), Content{"x"}});
  EXPECT_EQ(run(command).files.at("stdout"), "600\n");
}

TEST_F(Runs, AMebibyteOfArgumentsAndEnvironment) {
  Command command = shell("echo ${#BIG} ${#1}");
  command.args.insert(command.args.end(), {"sh", std::string(100'000, 'a')});
  command.env.push_back("BIG=" + std::string(120'000, 'b'));
  for (int i = 0; i < 8; ++i)
    command.env.push_back("E" + std::to_string(i) + "=" + std::string(100'000, 'c'));
  EXPECT_EQ(run(command).files.at("stdout"), "120000 100000\n");
}

TEST_F(Runs, NamesAreBytes) {
  const std::string name = "na\xff\xfe me\n'\"";
  Command command = shell("ls | wc -l; cat na*");
  command.copy_in = {{name, Content{std::string("\0\xff", 2)}}};
  command.copy_out = {{name, false}};
  const auto result = run(command);
  EXPECT_EQ(result.files.at(name), std::string("\0\xff", 2)) << result.error;
}

TEST_F(Runs, AHostFileThatIsMissingIsAFileErrorAndNothingRuns) {
  Command command = shell("echo ran");
  command.copy_in = {{"a", HostFile{"/no/such/file"}}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::FileError);
  EXPECT_TRUE(result.files.empty());
  EXPECT_EQ(result.time.count(), 0);
  ASSERT_EQ(result.file_errors.size(), 1U);
  EXPECT_EQ(result.file_errors[0].type, FileErrorType::CopyInOpenFile);
  EXPECT_EQ(result.file_errors[0].name, "a");
}

TEST_F(Runs, AnUnknownIdIsTheWholeRequestsError) {
  Command command = shell("true");
  command.copy_in = {{"a", Stored{"AAAAAAAAAAAAAAAA"}}};
  EXPECT_FALSE(try_run({.commands = {command}}));
}

TEST_F(Runs, ALinkOverAFileIsASymlinkError) {
  Command command = shell("true");
  command.copy_in = {{"a", Content{"x"}}};
  command.links = {{"a", "b"}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::FileError);
  ASSERT_EQ(result.file_errors.size(), 1U);
  EXPECT_EQ(result.file_errors[0].type, FileErrorType::Symlink);
}

TEST_F(Runs, CopiesOutAndCaches) {
  Command command = shell("echo one > a; mkdir d; echo two > d/b; echo std");
  command.copy_out = {{"a", false}, {"missing", true}};
  command.copy_out_cached = {{"d/b", false}, {"stdout", false}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::Accepted) << result.error;
  EXPECT_EQ(result.files.at("a"), "one\n");
  EXPECT_FALSE(result.files.contains("stdout"));
  EXPECT_FALSE(result.files.contains("missing"));
  EXPECT_EQ(stored(result.file_ids.at("d/b")), "two\n");
  EXPECT_EQ(stored(result.file_ids.at("stdout")), "std\n");
  EXPECT_TRUE(result.file_errors.empty());
}

TEST_F(Runs, WhatCannotBeCopiedOutIsAFileErrorByKind) {
  Command command =
      shell("mkdir dir; ln -s /etc/passwd link; mkfifo fifo; head -c 100 /dev/zero > big");
  command.copy_out_max = 10_B;
  command.copy_out = {
      {"dir", false}, {"link", false}, {"fifo", false}, {"big", false}, {"no", false}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::FileError);
  EXPECT_FALSE(result.error.empty());
  std::map<std::string, FileErrorType> types;
  for (const FileError& error : result.file_errors)
    types[error.name] = error.type;
  EXPECT_EQ(types.at("dir"), FileErrorType::CopyOutOpen);
  EXPECT_EQ(types.at("link"), FileErrorType::CopyOutOpen);
  EXPECT_EQ(types.at("fifo"), FileErrorType::CopyOutOpen);
  EXPECT_EQ(types.at("big"), FileErrorType::CopyOutSizeExceeded);
  EXPECT_EQ(types.at("no"), FileErrorType::CopyOutOpen);
  for (const char* name : {"dir", "link", "fifo", "big", "no"})
    EXPECT_FALSE(result.files.contains(name)) << name;
}

TEST_F(Runs, TruncatesWhenAskedAndSaysSo) {
  Command command = shell("head -c 100 /dev/zero > big");
  command.copy_out_max = 10_B;
  command.copy_out_truncate = true;
  command.copy_out = {{"big", false}};
  const auto result = run(command);
  EXPECT_EQ(result.files.at("big").size(), 10U);
  EXPECT_EQ(result.status, RunStatus::FileError);
}

TEST_F(Runs, LooksInTheWorkDirectoryFirstAndThenAlongThePath) {
  Command command = shell("");
  command.args = {"tool"};
  command.copy_in = {{"tool", Content{"#!/bin/sh\necho mine\n"}}};
  EXPECT_EQ(run(command).files.at("stdout"), "mine\n");
  command.copy_in.clear();
  auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::InternalError);
  EXPECT_EQ(result.error, "execve: handle: tool: executable file not found in $PATH");
  command.env.clear();
  result = run(command);
  EXPECT_EQ(result.error,
            "execve: handle: tool: no PATH environment variable provided for look up");
  command.args = {"/bin/no-such"};
  EXPECT_EQ(run(command).error, "start: /bin/no-such: execve: no such file or directory");
  command.args.clear();
  EXPECT_EQ(run(command).status, RunStatus::InternalError);
}

TEST_F(Runs, OneThatIsRefusedDoesNotKeepItsPeerWaiting) {
  for (const bool proxy : {false, true}) {
    Command bad = shell("true");
    bad.args.clear();
    bad.files[1] = FromPipe{};
    Command good = shell("cat; echo end");
    good.files[0] = FromPipe{};
    const auto results = run_all(
        {.commands = {bad, good}, .pipes = {{.writer = {0, 1}, .reader = {1, 0}, .proxy = proxy}}});
    EXPECT_EQ(results[0].status, RunStatus::InternalError);
    EXPECT_EQ(results[1].status, RunStatus::Accepted);
    EXPECT_EQ(results[1].files.at("stdout"), "end\n");
  }
}

TEST_F(Runs, PipesJoinCommandsDirectlyOrThroughARelay) {
  for (const bool proxy : {false, true}) {
    Command writer = shell("echo question; read answer; echo got $answer >&2");
    writer.files[0] = FromPipe{};
    writer.files[1] = FromPipe{};
    Command reader = shell("read question; echo $question-answer");
    reader.files[0] = FromPipe{};
    reader.files[1] = FromPipe{};
    const auto results = run_all(
        {.commands = {writer, reader},
         .pipes = {
             {.writer = {0, 1}, .reader = {1, 0}, .proxy = proxy, .name = "there", .max = 4_B},
             {.writer = {1, 1}, .reader = {0, 0}, .proxy = proxy, .name = "back", .max = 100_B}}});
    EXPECT_EQ(results[0].status, RunStatus::Accepted) << results[0].error;
    EXPECT_EQ(results[0].files.at("stderr"), "got question-answer\n");
    if (!proxy) continue;
    EXPECT_EQ(results[0].files.at("there"), "ques");
    EXPECT_EQ(results[1].files.at("back"), "question-answer\n");
  }
}

TEST_F(Runs, ARelayDrainsForAReaderThatHasGone) {
  Command writer = shell("head -c 1000000 /dev/zero; echo $? >&2");
  writer.files[1] = FromPipe{};
  Command reader = shell("exit 0");
  reader.files[0] = FromPipe{};
  auto results = run_all({.commands = {writer, reader},
                          .pipes = {{.writer = {0, 1}, .reader = {1, 0}, .proxy = true}}});
  EXPECT_EQ(results[0].status, RunStatus::Accepted);
  EXPECT_EQ(results[0].files.at("stderr"), "0\n");
}

TEST_F(Runs, PipesThatJoinNothingAreErrors) {
  Command one = shell("true");
  Command two = shell("true");
  two.files[0] = FromPipe{};
  const auto error = [&](std::vector<PipeMap> pipes) {
    const auto results = try_run({.commands = {one, two}, .pipes = std::move(pipes)});
    return results ? "no error" : describe(results.error());
  };
  EXPECT_EQ(error({{.writer = {5, 1}, .reader = {1, 0}}}), "pipe: index out of range 5");
  EXPECT_EQ(error({{.writer = {0, 1}, .reader = {1, 0}}}),
            "pipe: mapping to existing file descriptor 0 1");
  EXPECT_EQ(error({{.writer = {0, 3}, .reader = {1, 0}}, {.writer = {0, 3}, .reader = {1, 3}}}),
            "pipe: fd already occupied 0 3");
  EXPECT_EQ(error({}), "null file for index/fd: 1/0");
  EXPECT_EQ(error({{.writer = {0, 5}, .reader = {1, 0}}}), "null file for index/fd: 0/3");
}

TEST_F(Runs, OmittedLimitsAreTheServersOrZeroWhenToldSo) {
  Command command = shell("echo hi");
  command.limits = {};
  EXPECT_EQ(run(command).status, RunStatus::Accepted);
  rules_.zero_means_zero = true;
  const auto strict = run(command).status;
  EXPECT_TRUE(strict == RunStatus::MemoryLimitExceeded || strict == RunStatus::TimeLimitExceeded)
      << name_of(strict);
}

TEST_F(Runs, OneProcessMeansNoFork) {
  Command command = shell("sleep 0 || echo refused");
  command.args = {"/bin/sh", "-c", "sleep 0; echo after"};
  command.limits.processes = 1;
  const auto result = run(command);
  EXPECT_NE(result.status, RunStatus::Accepted);
}

TEST_F(Runs, ATerminalIsAControllingTerminal) {
  Command command =
      shell("test -t 0 && test -t 1 && echo terminal; echo error >&2; exec 3</dev/tty || true");
  command.tty = true;
  command.env.push_back("TERM=xterm");
  const auto result = run(command);
  EXPECT_EQ(result.files.at("stdout").substr(0, 17), "terminal\r\nerror\r\n") << result.error;
}

TEST_F(Runs, ATerminalThatNobodyReadsDoesNotBlockItsProgram) {
  Command command = shell("head -c 200000 /dev/zero; echo done > result");
  command.tty = true;
  command.files = {Content{}, Content{}, Content{}};
  command.copy_out = {{"result", false}};
  EXPECT_EQ(run(command).files.at("result"), "done\n");
}

TEST_F(Runs, LiveStreamsCarryBytesBothWaysUntilTheirEnd) {
  Command command = shell("cat");
  command.files = {StreamIn{}, StreamOut{}, out("stderr")};
  std::string heard;
  std::thread talker;
  Session session;
  session.on_streams = [&](std::vector<LiveStream> streams) {
    ASSERT_EQ(streams.size(), 2U);
    talker = std::thread([&heard, streams = std::move(streams)]() mutable {
      (void)os::write_all(streams[0].end.get(), "ping");
      streams[0].end.reset();
      (void)::fcntl(streams[1].end.get(), F_SETFL, 0);
      char buffer[64];
      for (ssize_t got = 0; (got = ::read(streams[1].end.get(), buffer, sizeof buffer)) > 0;)
        heard.append(buffer, static_cast<std::size_t>(got));
    });
  };
  const auto results = try_run({.commands = {command}}, session);
  if (talker.joinable()) talker.join();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->at(0).status, RunStatus::Accepted);
  EXPECT_EQ(heard, "ping");
}

TEST_F(Runs, ACancelledRunIsSignalled) {
  sandbox::Control control;
  control.cancel();
  const auto results = try_run({.commands = {shell("sleep 60")}}, {.control = &control});
  ASSERT_TRUE(results);
  EXPECT_EQ(results->at(0).status, RunStatus::Signalled);
  EXPECT_EQ(results->at(0).exit_status, 9);
}

TEST_F(Runs, AnInvalidSetOfCoresIsAClearError) {
  Command command = shell("true");
  for (const char* set : {"x", "0-", "3-1", "0,,1", "99999"}) {
    command.limits.cpu_set = set;
    const auto result = run(command);
    EXPECT_EQ(result.status, RunStatus::InternalError) << set;
    EXPECT_TRUE(result.error.starts_with("cpuSetLimit")) << result.error;
  }
}

}  // namespace
}  // namespace assay::exec
