#include <gtest/gtest.h>

#include "wire/json.h"

namespace assay::wire {
namespace {

// One command with these members, or a failed test.
exec::Command command(const std::string& members) {
  const auto request = decode_request(R"({"cmd":[{)" + members + "}]}");
  EXPECT_TRUE(request) << members << ": " << request.error().context;
  return request ? request->commands.at(0) : exec::Command{};
}

exec::CommandLimits limits(const std::string& members) {
  return command(members).limits;
}

TEST(Decode, AnEmptyCommandHasNothingSet) {
  EXPECT_EQ(command(""), exec::Command{});
}

TEST(Decode, KeysMatchInAnyCase) {
  const auto request = decode_request(R"({"CMD":[{"ARGS":["a"],"cpulimit":5,"MemoryLIMIT":7}]})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->commands.at(0).args, std::vector<std::string>{"a"});
  EXPECT_EQ(request->commands.at(0).limits.cpu, Nanoseconds(5));
  EXPECT_EQ(request->commands.at(0).limits.memory, 7_B);
}

TEST(Decode, AnEscapedKeyIsTheKeyItMeans) {
  EXPECT_EQ(command(R"("\u0061rgs":["x"])").args, std::vector<std::string>{"x"});
  EXPECT_EQ(command(R"("copyIn":{"\u0061\/b":{"content":"x"}})").copy_in.at(0).name, "a/b");
}

TEST(Decode, OfRepeatedKeysTheLastWins) {
  EXPECT_EQ(limits(R"("cpuLimit":5,"cpuLimit":6)").cpu, Nanoseconds(6));
  EXPECT_EQ(limits(R"("cpuLimit":5,"CPULIMIT":6)").cpu, Nanoseconds(6));
  EXPECT_EQ(command(R"("args":["a","b"],"args":["c"])").args, std::vector<std::string>{"c"});
}

TEST(Decode, OfRepeatedNamesInCopyInTheLastWinsWhateverItIs) {
  const auto file =
      command(R"("copyIn":{"a":{"symlink":"b"},"c":{"content":""},"a":{"content":"x"}})");
  EXPECT_TRUE(file.links.empty());
  ASSERT_EQ(file.copy_in.size(), 2U);
  EXPECT_EQ(file.copy_in[0].name, "c");
  EXPECT_EQ(file.copy_in[1], (exec::CopyIn{"a", exec::Content{"x"}}));
  const auto link = command(R"("copyIn":{"a":{"content":"x"},"a":{"symlink":"b"}})");
  EXPECT_TRUE(link.copy_in.empty());
  EXPECT_EQ(link.links, (std::vector<exec::SymbolicLink>{{"a", "b"}}));
}

TEST(Decode, NullIsAsGoodAsAbsent) {
  EXPECT_EQ(command(R"("args":null,"env":null,"files":null,"tty":null,"cpuLimit":null,
      "cpuSetLimit":null,"copyIn":null,"copyOut":null,"copyOutMax":null,"procLimit":null)"),
            exec::Command{});
  EXPECT_EQ(command(R"("files":[{"src":null,"content":"x","max":null}])").files.at(0),
            exec::File(exec::Content{"x"}));
  const auto request = decode_request(R"({"requestId":null,"cmd":[null],"pipeMapping":null,
      "priority":null,"encoding":null,"facts":null})");
  ASSERT_TRUE(request) << request.error().context;
  EXPECT_EQ(*request, (exec::Request{.commands = {{}}}));
}

TEST(Decode, NullLeavesANumberAndEmptiesAList) {
  EXPECT_EQ(limits(R"("cpuLimit":5,"cpuLimit":null)").cpu, Nanoseconds(5));
  EXPECT_TRUE(command(R"("args":["a"],"args":null)").args.empty());
  EXPECT_TRUE(command(R"("copyIn":{"a":{"content":""}},"copyIn":null)").copy_in.empty());
}

TEST(Decode, UnknownFieldsAreIgnoredWhateverTheyHold) {
  EXPECT_EQ(command(R"("x":{"a":[1,-2.5e+3,true,false,null,"\u0000",{}],"b":[]},"copyOutDir":"d")"),
            exec::Command{});
}

TEST(Decode, WhatFollowsTheObjectIsIgnored) {
  EXPECT_TRUE(decode_request("{\"cmd\":[{}]} garbage }}}"));
  EXPECT_TRUE(decode_request("\n\t\r {\"cmd\":[{}]}\0x"));
}

TEST(Decode, ZeroLimitsAreOmittedOnes) {
  EXPECT_EQ(limits(R"("cpuLimit":0,"clockLimit":0,"realCpuLimit":0,"idleLimit":0,"memoryLimit":0,
      "stackLimit":0,"outputLimit":0,"procLimit":0,"cpuRateLimit":0,"cpuSetLimit":"")"),
            exec::CommandLimits{});
}

TEST(Decode, OldNamesStillCount) {
  EXPECT_EQ(limits(R"("realCpuLimit":7,"clockLimit":5)").clock, Nanoseconds(7));
  EXPECT_EQ(limits(R"("realCpuLimit":0,"clockLimit":5)").clock, Nanoseconds(5));
  EXPECT_TRUE(limits(R"("strictMemoryLimit":true)").data_segment);
  EXPECT_TRUE(limits(R"("strictMemoryLimit":true,"dataSegmentLimit":false)").data_segment);
  EXPECT_TRUE(limits(R"("dataSegmentLimit":true)").data_segment);
}

TEST(Decode, LimitsBeyondAllReasonAreCutWhereTheyCanStillBeAdded) {
  const auto huge = limits(R"("cpuLimit":18446744073709551615,"memoryLimit":18446744073709551615,
      "procLimit":18446744073709551615)");
  EXPECT_EQ(huge.cpu, std::chrono::hours(24 * 365 * 100));
  EXPECT_EQ(huge.memory, Bytes{INT64_MAX});
  EXPECT_EQ(huge.processes, UINT64_MAX);
}

TEST(Decode, TheFirstKindOfAFileInOrderDecides) {
  const auto file = [](const std::string& members) {
    return command(R"("files":[{)" + members + "}]").files.at(0);
  };
  EXPECT_EQ(file(R"("content":"c","src":"s","fileId":"f")"), exec::File(exec::HostFile{"s"}));
  EXPECT_EQ(file(R"("name":"n","max":1,"fileId":"f","content":"c")"),
            exec::File(exec::Content{"c"}));
  EXPECT_EQ(file(R"("name":"n","max":1,"fileId":"f")"), exec::File(exec::Stored{"f"}));
  EXPECT_EQ(file(R"("streamIn":true,"max":0,"name":"n")"),
            exec::File(exec::Collector{"n", 0_B, false}));
  EXPECT_EQ(file(R"("streamOut":true,"streamIn":true,"name":"n")"), exec::File(exec::StreamIn{}));
  EXPECT_EQ(file(R"("streamOut":true,"symlink":"x")"), exec::File(exec::StreamOut{}));
  EXPECT_EQ(file(R"("name":"n","max":9223372036854775807,"pipe":true)"),
            exec::File(exec::Collector{"n", Bytes{INT64_MAX}, true}));
  EXPECT_EQ(file(R"("content":"")"), exec::File(exec::Content{""}));
}

TEST(Decode, NullAmongTheFilesIsFilledByAPipe) {
  EXPECT_EQ(command(R"("files":[null,{"src":"a"}])").files,
            (std::vector<exec::File>{exec::FromPipe{}, exec::HostFile{"a"}}));
}

TEST(Decode, CopyInTakesLinksFirstAndDirectoriesLast) {
  const auto read = command(R"("copyIn":{"l":{"src":"s","symlink":"t"},"d":{"dir":true},
      "f":{"dir":true,"fileId":"i"}})");
  EXPECT_EQ(read.links, (std::vector<exec::SymbolicLink>{{"l", "t"}}));
  EXPECT_EQ(read.copy_in,
            (std::vector<exec::CopyIn>{{"d", exec::Directory{}}, {"f", exec::Stored{"i"}}}));
}

TEST(Decode, OneTrailingQuestionMarkMakesACopyOutOptional) {
  EXPECT_EQ(command(R"("copyOut":["a","b?","c??","?d"])").copy_out,
            (std::vector<exec::CopyOut>{{"a", false}, {"b", true}, {"c?", true}, {"?d", false}}));
}

TEST(Decode, ContentMayBeBase64) {
  EXPECT_EQ(command(R"("files":[{"encoding":"base64","content":"AP9/"}])").files.at(0),
            exec::File(exec::Content{std::string("\0\xFF\x7F", 3)}));
  EXPECT_EQ(command(R"("files":[{"encoding":"utf8","content":"AP9/"}])").files.at(0),
            exec::File(exec::Content{"AP9/"}));
}

TEST(Decode, AnAbsentEndOfAPipeIsTheFirst) {
  const auto request = decode_request(R"({"cmd":[{}],"pipeMapping":[{"in":{"index":1}},null]})");
  ASSERT_TRUE(request) << request.error().context;
  EXPECT_EQ(request->pipes, (std::vector<exec::PipeMap>{{.writer = {1, 0}}, {}}));
}

TEST(Decode, ASocketTakesARequestWithoutCommands) {
  for (const char* text : {R"({"requestId":"a","cmd":[]})", R"({"requestId":"a"})",
                           R"({"requestId":"a","cancelRequestId":""})"}) {
    const auto message = decode_socket_message(text);
    ASSERT_TRUE(message) << text;
    EXPECT_EQ(std::get<exec::Request>(*message), exec::Request{.id = "a"}) << text;
  }
}

TEST(Decode, OnRunACancelIsAnUnknownField) {
  EXPECT_TRUE(decode_request(R"({"cmd":[{}],"cancelRequestId":5})"));
}

}  // namespace
}  // namespace assay::wire
