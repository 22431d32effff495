#include <cerrno>

#include "tests/wire/sample.h"

namespace assay::wire {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""s;

exec::Request full_request() {
  exec::Command command;  // member by member: g++ 12 takes a larger initializer for uninitialized
  command.args = {"/usr/bin/g++", "a.cc", "-o", "a"};
  command.env = {"PATH=/usr/bin:/bin", "LANG=中文"};
  command.files = {exec::Content{"1 2\n"},
                   exec::Collector{"stdout", 10240_B, false},
                   exec::Collector{"stderr", 64_KiB, true},
                   exec::HostFile{"/etc/hostname"},
                   exec::Stored{"QBUACPBI"},
                   exec::StreamIn{},
                   exec::StreamOut{},
                   exec::FromPipe{}};
  command.tty = true;
  command.limits = {.cpu = 10s,
                    .clock = 30s,
                    .idle = 500ms,
                    .memory = 256_MiB,
                    .stack = 64_MiB,
                    .output = 16_MiB,
                    .processes = 50,
                    .cpu_rate = 1500,
                    .cpu_set = "0-1",
                    .data_segment = true,
                    .address_space = true};
  command.copy_in = {{"a.cc", exec::Content{"#include <iostream>\nint main() { return 1 && 2; }"}},
                     {"bin", exec::Content{std::string("\x00\xFF\x7F", 3)}},
                     {"lib.h", exec::HostFile{"/srv/lib.h"}},
                     {"old", exec::Stored{"ABCDEFGH"}},
                     {"/tmp/empty", exec::Directory{}}};
  command.links = {{"link", "a.cc"}};
  command.copy_out = {{"stdout", false}, {"report.txt", true}};
  command.copy_out_cached = {{"a", false}, {"a.map", true}};
  command.copy_out_max = 1_MiB;
  command.copy_out_truncate = true;
  return {.id = "r1",
          .commands = {std::move(command)},
          .pipes = {},
          .priority = -3,
          .encoding = exec::Encoding::Base64,
          .wants_facts = true};
}

exec::Request pair_request() {
  const exec::Command left{.args = {"left"}, .files = {exec::FromPipe{}, exec::FromPipe{}}};
  const exec::Command right{.args = {"right"}, .files = {exec::FromPipe{}, exec::FromPipe{}}};
  return {.commands = {left, right},
          .pipes = {{.writer = {0, 1}, .reader = {1, 0}},
                    {.writer = {1, 1},
                     .reader = {0, 0},
                     .proxy = true,
                     .name = "talk",
                     .max = 1024_B,
                     .zero_copy = false}}};
}

std::vector<exec::CommandResult> full_results() {
  using enum exec::RunStatus;
  exec::CommandResult accepted{
      .status = Accepted,
      .time = 1234567ns,
      .memory = 262144_B,
      .run_time = 2345678ns,
      .process_peak = 3,
      .files = {{"stderr", ""}, {"stdout", "<a> & \"b\"\n\xFF\xE2\x80\xA8"}},
      .file_ids = {{"a", "QBUACPBI"}, {"<b>", "ABCDEFGH"}}};
  accepted.facts = sandbox::Facts{.end = sandbox::Exited{0},
                                  .cpu_total = 1234567ns,
                                  .cpu_user = 1000000ns,
                                  .cpu_system = 234567ns,
                                  .wall = 2345678ns,
                                  .memory_peak = 262144_B,
                                  .memory_meter = "cgroup v1",
                                  .processes_peak = 3,
                                  .output = {.bytes = 14}};
  exec::CommandResult missing{
      .status = FileError,
      .error = "open a: no such file",
      .file_errors = {{"a", exec::FileErrorType::CopyOutOpen, "open a: no such file"},
                      {"b", exec::FileErrorType::CollectSizeExceeded, ""}}};
  exec::CommandResult killed{.status = MemoryLimitExceeded, .exit_status = 9, .time = 1s};
  killed.facts = sandbox::Facts{.end = sandbox::Signaled{9, false},
                                .cut_off_by = sandbox::CutOff::Memory,
                                .oom_kills = 1,
                                .processes_refused = 2,
                                .errors = {.bytes = 7, .over_limit = true},
                                .file_errors = {{"x", "not a regular file", EISDIR}},
                                .box = sandbox::BoxMode::Degraded,
                                .missing = {"no pids controller"}};
  exec::CommandResult forbidden{.status = DangerousSyscall, .exit_status = 31};
  forbidden.facts = sandbox::Facts{.end = sandbox::Forbidden{101}};
  exec::CommandResult broken{.status = InternalError, .error = "execve: no such file"};
  broken.facts = sandbox::Facts{.end = sandbox::NotStarted{"execute", "foo", ENOENT}};
  return {accepted, missing, killed, forbidden, broken};
}

}  // namespace assay::wire
