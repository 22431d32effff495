#include "transport/grpc_module/convert.h"

#include <gtest/gtest.h>

#include "transport/grpc_module/auth.h"
#include "transport/grpc_module/budget.h"

namespace assay::transport::module {
namespace {

std::string refusal_of(const pb::Request& message, bool live = false) {
  auto request = to_request(message, live);
  return request ? "" : request.error().context;
}

// Found by fuzzing, both: JSON refused them and gRPC did not.
TEST(ToRequest, TextForTheKernelHasNoNulInIt) {
  pb::Request message;
  message.add_cmd()->add_args(std::string("a\0b", 3));
  EXPECT_EQ(refusal_of(message), "cmd[0].args[0]: has a NUL character in it");
  message.mutable_cmd(0)->set_args(0, "a");
  message.mutable_cmd(0)->add_files()->mutable_local()->set_src(std::string("/etc/x\0y", 8));
  EXPECT_EQ(refusal_of(message), "cmd[0].files[0].local.src: has a NUL character in it");
}

TEST(ToRequest, TimesEndAtACenturyAndSizesBelowTheirRangeSoThatTheyCanBeAddedTo) {
  pb::Request message;
  message.add_cmd()->set_cputimelimit(INT64_MAX);
  message.mutable_cmd(0)->set_memorylimit(UINT64_MAX);
  const auto request = to_request(message, false);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->commands[0].limits.cpu, Nanoseconds(std::chrono::hours(100 * 365 * 24)));
  EXPECT_EQ(request->commands[0].limits.memory, Bytes{INT64_MAX});
}

TEST(ToRequest, TakesEveryFieldOfACommand) {
  pb::Request message;
  message.set_requestid("r1");
  auto& cmd = *message.add_cmd();
  cmd.add_args("/bin/cat");
  cmd.add_env("PATH=/bin");
  cmd.add_files()->mutable_local()->set_src("/etc/hosts");
  cmd.add_files()->mutable_memory()->set_content(std::string("a\0\xff", 3));
  cmd.add_files()->mutable_cached()->set_fileid("ABCDEFGH");
  auto& pipe = *cmd.add_files()->mutable_pipe();
  pipe.set_name("stdout");
  pipe.set_max(10);
  pipe.set_pipe(true);
  cmd.add_files();
  cmd.set_tty(true);
  cmd.set_cputimelimit(1);
  cmd.set_clocktimelimit(2);
  cmd.set_memorylimit(3);
  cmd.set_proclimit(4);
  cmd.set_stacklimit(5);
  cmd.set_cpuratelimit(6);
  cmd.set_cpusetlimit("0-1");
  cmd.set_datasegmentlimit(true);
  cmd.set_addressspacelimit(true);
  (*cmd.mutable_copyin())["b"].mutable_memory()->set_content("B");
  (*cmd.mutable_copyin())["a"].mutable_cached()->set_fileid("AAAAAAAA");
  (*cmd.mutable_symlinks())["link"] = "b";
  auto& out = *cmd.add_copyout();
  out.set_name("out?");
  out.set_optional(true);
  cmd.add_copyoutcached()->set_name("kept");
  cmd.set_copyoutdir("ignored");
  cmd.set_copyoutmax(7);
  cmd.set_copyouttruncate(true);

  const auto request = to_request(message, false);
  ASSERT_TRUE(request);
  exec::CommandLimits limits;
  limits.cpu = Nanoseconds(1);
  limits.clock = Nanoseconds(2);
  limits.memory = 3_B;
  limits.stack = 5_B;
  limits.processes = 4;
  limits.cpu_rate = 6;
  limits.cpu_set = "0-1";
  limits.data_segment = true;
  limits.address_space = true;
  exec::Command expected;
  expected.args = {"/bin/cat"};
  expected.env = {"PATH=/bin"};
  expected.files = {exec::HostFile{"/etc/hosts"}, exec::Content{std::string("a\0\xff", 3)},
                    exec::Stored{"ABCDEFGH"},
                    exec::Collector{.name = "stdout", .max = 10_B, .pipe = true}, exec::FromPipe{}};
  expected.tty = true;
  expected.limits = limits;
  expected.copy_in = {{.name = "a", .source = exec::Stored{"AAAAAAAA"}},
                      {.name = "b", .source = exec::Content{"B"}}};
  expected.links = {{.name = "link", .target = "b"}};
  expected.copy_out = {{.name = "out?", .optional = true}};
  expected.copy_out_cached = {{.name = "kept"}};
  expected.copy_out_max = 7_B;
  expected.copy_out_truncate = true;
  EXPECT_EQ(request->id, "r1");
  ASSERT_EQ(request->commands.size(), 1u);
  EXPECT_EQ(request->commands[0], expected);
}

TEST(ToRequest, LeavesLimitsThatAreZeroToTheServer) {
  pb::Request message;
  message.add_cmd()->add_args("true");
  const auto request = to_request(message, false);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->commands[0].limits, exec::CommandLimits{});
}

TEST(ToRequest, KnowsWhichEndOfAPipeWritesAndKeepsDisableZeroCopy) {
  pb::Request message;
  message.add_cmd();
  auto& pipe = *message.add_pipemapping();
  pipe.mutable_in()->set_index(1);
  pipe.mutable_in()->set_fd(2);
  pipe.mutable_out()->set_index(3);
  pipe.mutable_out()->set_fd(4);
  pipe.set_proxy(true);
  pipe.set_name("talk");
  pipe.set_max(9);
  pipe.set_disablezerocopy(true);
  const auto request = to_request(message, true);
  ASSERT_TRUE(request);
  const exec::PipeMap expected{.writer = {.index = 1, .fd = 2},
                               .reader = {.index = 3, .fd = 4},
                               .proxy = true,
                               .name = "talk",
                               .max = 9_B,
                               .zero_copy = false};
  EXPECT_EQ(request->pipes, std::vector{expected});
}

TEST(ToRequest, RefusesARequestWithoutCommands) {
  EXPECT_EQ(refusal_of({}), "no cmd provided");
  EXPECT_EQ(refusal_of({}, true), "no cmd provided");
}

TEST(ToRequest, TakesStreamsOnlyWhereThereIsAConnection) {
  pb::Request message;
  auto& cmd = *message.add_cmd();
  cmd.add_files()->mutable_streamin();
  cmd.add_files()->mutable_streamout();
  EXPECT_EQ(refusal_of(message), "cmd[0].files[0]: streamIn and streamOut are only for ExecStream");
  const auto request = to_request(message, true);
  ASSERT_TRUE(request);
  EXPECT_TRUE(std::holds_alternative<exec::StreamIn>(request->commands[0].files[0]));
  EXPECT_TRUE(std::holds_alternative<exec::StreamOut>(request->commands[0].files[1]));
}

TEST(ToRequest, NamesThePlaceOfWhatIsWrong) {
  pb::Request message;
  auto& cmd = *message.add_cmd();
  cmd.add_files();
  auto& pipe = *cmd.add_files()->mutable_pipe();
  pipe.set_max(-1);
  EXPECT_EQ(refusal_of(message), "cmd[0].files[1].pipe.name: expected a name, got nothing");
  pipe.set_name("stdout");
  EXPECT_EQ(refusal_of(message), "cmd[0].files[1].pipe.max: expected integer >= 0, got -1");
  pipe.set_max(1);
  (*cmd.mutable_copyin())["x"].mutable_pipe();
  EXPECT_EQ(refusal_of(message), "cmd[0].copyIn[\"x\"]: expected local, memory or cached");
  cmd.clear_copyin();
  cmd.set_cputimelimit(~0ull);
  EXPECT_EQ(refusal_of(message),
            "cmd[0].cpuTimeLimit: expected at most 9223372036854775807, got 18446744073709551615");
}

TEST(ToResponse, GivesEveryFieldOfAResult) {
  exec::CommandResult result{
      .status = exec::RunStatus::OutputLimitExceeded,
      .exit_status = 1,
      .error = "why",
      .time = Nanoseconds(2),
      .memory = 3_B,
      .run_time = Nanoseconds(4),
      .process_peak = 5,
      .files = {{"stdout", std::string("\0\xff", 2)}},
      .file_ids = {{"a", "ABCDEFGH"}},
      .file_errors = {
          {.name = "b", .type = exec::FileErrorType::CollectSizeExceeded, .message = "too much"}}};
  std::vector<exec::CommandResult> results;
  results.push_back(std::move(result));
  const auto response = to_response("id", std::move(results));
  EXPECT_EQ(response.requestid(), "id");
  ASSERT_EQ(response.results_size(), 1);
  const auto& told = response.results(0);
  EXPECT_EQ(told.status(), pb::Response::Result::OutputLimitExceeded);
  EXPECT_EQ(told.exitstatus(), 1);
  EXPECT_EQ(told.error(), "why");
  EXPECT_EQ(told.time(), 2u);
  EXPECT_EQ(told.memory(), 3u);
  EXPECT_EQ(told.runtime(), 4u);
  EXPECT_EQ(told.procpeak(), 5u);
  EXPECT_EQ(told.files().at("stdout"), std::string("\0\xff", 2));
  EXPECT_EQ(told.fileids().at("a"), "ABCDEFGH");
  ASSERT_EQ(told.fileerror_size(), 1);
  EXPECT_EQ(told.fileerror(0).name(), "b");
  EXPECT_EQ(told.fileerror(0).type(), pb::Response::FileError::CollectSizeExceeded);
  EXPECT_EQ(told.fileerror(0).message(), "too much");
}

TEST(ToResponse, UsesTheNumbersOfTheProtocolForEveryStatus) {
  using enum exec::RunStatus;
  EXPECT_EQ(static_cast<int>(MemoryLimitExceeded), pb::Response::Result::MemoryLimitExceeded);
  EXPECT_EQ(static_cast<int>(TimeLimitExceeded), pb::Response::Result::TimeLimitExceeded);
  EXPECT_EQ(static_cast<int>(NonzeroExitStatus), pb::Response::Result::NonZeroExitStatus);
  EXPECT_EQ(static_cast<int>(DangerousSyscall), pb::Response::Result::DangerousSyscall);
  EXPECT_EQ(static_cast<int>(InternalError), pb::Response::Result::InternalError);
  EXPECT_EQ(static_cast<int>(exec::FileErrorType::Symlink), pb::Response::FileError::Symlink);
}

TEST(AsUtf8, ReplacesOnlyWhatIsNoCharacter) {
  EXPECT_EQ(as_utf8("plain é 漢 😀"), "plain é 漢 😀");
  EXPECT_EQ(as_utf8("a\xff"
                    "b\xc3"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

TEST(IsBearer, TakesTheSchemeInAnyCaseAndTheTokenExactly) {
  EXPECT_TRUE(is_bearer("Bearer secret", "secret"));
  EXPECT_TRUE(is_bearer("bEaReR secret", "secret"));
  EXPECT_FALSE(is_bearer("bearer Secret", "secret"));
  EXPECT_FALSE(is_bearer("bearer secre", "secret"));
  EXPECT_FALSE(is_bearer("bearer secretsecret", "secret"));
  EXPECT_FALSE(is_bearer("bearer ", "secret"));
  EXPECT_FALSE(is_bearer("basic secret", "secret"));
  EXPECT_FALSE(is_bearer("", "secret"));
  EXPECT_FALSE(is_bearer("bearer ", ""));
}

TEST(Budget, GivesNoMoreThanThereIsAndTakesBackWhatWasGiven) {
  Budget budget(10_B);
  auto first = budget.take(6_B);
  ASSERT_TRUE(first);
  EXPECT_FALSE(budget.take(5_B));
  EXPECT_TRUE(budget.take(4_B));
  auto moved = *std::move(first);
  first.reset();
  EXPECT_FALSE(budget.take(5_B));
  moved = {};
  EXPECT_TRUE(budget.take(10_B));
}

TEST(Budget, AShareGrowsWhileThereIsRoomAndShrinks) {
  Budget budget(10_B);
  auto share = budget.none();
  EXPECT_TRUE(share.cover(8));
  EXPECT_FALSE(share.cover(11));
  EXPECT_FALSE(budget.take(3_B));
  share.shrink(2);
  EXPECT_TRUE(budget.take(8_B));
  EXPECT_FALSE(budget.take(9_B));
}

// It would have counted on a budget that is not there.
TEST(BudgetDeathTest, AShareThatWasMovedAwayCannotGrow) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Budget budget(10_B);
  auto share = budget.none();
  const auto moved = std::move(share);
  EXPECT_DEATH((void)share.cover(1), "budget_");
}

}  // namespace
}  // namespace assay::transport::module
