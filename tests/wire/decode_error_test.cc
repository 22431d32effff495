// Every way a request can be wrong, and the words for it.
#include <gtest/gtest.h>

#include "wire/json.h"

namespace assay::wire {
namespace {

struct Case {
  std::string json;
  std::string message;
};

void expect_errors(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const auto request = decode_request(each.json);
    ASSERT_FALSE(request) << each.json;
    EXPECT_EQ(request.error().context, each.message) << each.json;
    EXPECT_EQ(request.error().fault, Fault::InvalidRequest);
  }
}

// The same for members of the first command.
void expect_command_errors(std::vector<Case> cases) {
  for (Case& each : cases)
    each.json = R"({"cmd":[{)" + each.json + "}]}";
  expect_errors(cases);
}

TEST(DecodeError, NoCommand) {
  expect_errors({{"{}", "no cmd provided"},
                 {"null", "no cmd provided"},
                 {R"({"cmd":[]})", "no cmd provided"},
                 {R"({"cmd":null})", "no cmd provided"}});
}

TEST(DecodeError, IntegersAreWholeAndInRange) {
  expect_command_errors({
      {R"("cpuLimit":-1)", "$.cmd[0].cpuLimit: expected integer >= 0, got -1"},
      {R"("cpuLimit":-0)", "$.cmd[0].cpuLimit: expected integer >= 0, got -0"},
      {R"("cpuLimit":1.5)", "$.cmd[0].cpuLimit: expected integer >= 0, got 1.5"},
      {R"("cpuLimit":1e9)", "$.cmd[0].cpuLimit: expected integer >= 0, got 1e9"},
      {R"("cpuLimit":18446744073709551616)",
       "$.cmd[0].cpuLimit: expected integer <= 18446744073709551615, got 18446744073709551616"},
      {R"("cpuLimit":"1")", "$.cmd[0].cpuLimit: expected integer >= 0, got string"},
      {R"("cpuLimit":true)", "$.cmd[0].cpuLimit: expected integer >= 0, got true"},
      {R"("files":[{"name":"a","max":9223372036854775808}])",
       "$.cmd[0].files[0].max: expected integer <= 9223372036854775807, got 9223372036854775808"},
      {R"("files":[{"name":"a","max":-1}])",
       "$.cmd[0].files[0].max: expected integer >= 0, got -1"},
  });
}

TEST(DecodeError, EveryNumberOfACommandIsChecked) {
  for (const std::string name :
       {"cpuLimit", "clockLimit", "realCpuLimit", "idleLimit", "memoryLimit", "stackLimit",
        "outputLimit", "procLimit", "cpuRateLimit", "copyOutMax"})
    expect_command_errors(
        {{'"' + name + R"(":-7)", "$.cmd[0]." + name + ": expected integer >= 0, got -7"}});
}

TEST(DecodeError, TypesAreChecked) {
  expect_errors({
      {"[]", "$: expected object, got array"},
      {"7", "$: expected object, got 7"},
      {R"("x")", "$: expected object, got string"},
      {R"({"cmd":{}})", "$.cmd: expected array, got object"},
      {R"({"cmd":[5]})", "$.cmd[0]: expected object, got 5"},
      {R"({"cmd":[{},{"args":"x"}]})", "$.cmd[1].args: expected array, got string"},
      {R"({"cmd":[{}],"requestId":5})", "$.requestId: expected string, got 5"},
      {R"({"cmd":[{}],"pipeMapping":{}})", "$.pipeMapping: expected array, got object"},
      {R"({"cmd":[{}],"facts":"yes"})", "$.facts: expected true or false, got string"},
  });
  expect_command_errors({
      {R"("args":["a",1])", "$.cmd[0].args[1]: expected string, got 1"},
      {R"("tty":1)", "$.cmd[0].tty: expected true or false, got 1"},
      {R"("cpuSetLimit":[])", "$.cmd[0].cpuSetLimit: expected string, got array"},
      {R"("copyIn":[])", "$.cmd[0].copyIn: expected object, got array"},
      {R"("copyOut":"a")", "$.cmd[0].copyOut: expected array, got string"},
      {R"("copyOutDir":{})", "$.cmd[0].copyOutDir: expected string, got object"},
      {R"("files":["a"])", "$.cmd[0].files[0]: expected object, got string"},
      {R"("files":[{"content":false}])", "$.cmd[0].files[0].content: expected string, got false"},
  });
}

TEST(DecodeError, AFileIsOfSomeKind) {
  const std::string why = ": file type is not valid for cmd: ";
  expect_command_errors({
      {R"("files":[null,{}])",
       "$.cmd[0].files[1]" + why +
           "needs src, content, fileId, name and max, streamIn or streamOut"},
      {R"("files":[{"name":"a"}])",
       "$.cmd[0].files[0]" + why + "a collector needs 'max' beside 'name'"},
      {R"("files":[{"max":1}])",
       "$.cmd[0].files[0]" + why + "a collector needs 'name' beside 'max'"},
      {R"("files":[{"symlink":"a"}])", "$.cmd[0].files[0]" + why + "'symlink' belongs in copyIn"},
      {R"("files":[{"dir":true}])", "$.cmd[0].files[0]" + why + "'dir' belongs in copyIn"},
      {R"("copyIn":{"a":null})",
       "$.cmd[0].copyIn.a" + why + "needs src, content, fileId, symlink or dir"},
      {R"("copyIn":{"a.c":{"dir":false}})",
       "$.cmd[0].copyIn[\"a.c\"]" + why + "needs src, content, fileId, symlink or dir"},
      {R"("copyIn":{"a":{"name":"b","max":1}})",
       "$.cmd[0].copyIn.a" + why + "a collector belongs in files"},
      {R"("copyIn":{"a":{"streamIn":true}})",
       "$.cmd[0].copyIn.a" + why + "a stream belongs in files"},
  });
}

TEST(DecodeError, TextForTheKernelHasNoNul) {
  const std::string why = ": has a NUL character in it";
  expect_command_errors({
      {R"("args":["a\u0000b"])", "$.cmd[0].args[0]" + why},
      {R"("env":["A=\u0000"])", "$.cmd[0].env[0]" + why},
      {R"("cpuSetLimit":"\u0000")", "$.cmd[0].cpuSetLimit" + why},
      {R"("copyOut":["\u0000"])", "$.cmd[0].copyOut[0]" + why},
      {R"("copyOutCached":["\u0000?"])", "$.cmd[0].copyOutCached[0]" + why},
      {R"("files":[{"src":"/\u0000"}])", "$.cmd[0].files[0].src" + why},
      {R"("files":[{"fileId":"\u0000"}])", "$.cmd[0].files[0].fileId" + why},
      {R"("files":[{"name":"\u0000","max":1}])", "$.cmd[0].files[0].name" + why},
      {R"("copyIn":{"a":{"symlink":"\u0000"}})", "$.cmd[0].copyIn.a.symlink" + why},
      {R"("copyIn":{"\u0000":{"content":""}})",
       "$.cmd[0].copyIn[\"\\u0000\"]: the name has a NUL character in it"},
  });
}

TEST(DecodeError, PipesAndPriority) {
  expect_errors({
      {R"({"cmd":[{}],"pipeMapping":[{"in":{"index":-1}}]})",
       "$.pipeMapping[0].in.index: expected integer from 0 to 2147483647, got -1"},
      {R"({"cmd":[{}],"pipeMapping":[{"out":{"fd":2147483648}}]})",
       "$.pipeMapping[0].out.fd: expected integer from 0 to 2147483647, got 2147483648"},
      {R"({"cmd":[{}],"pipeMapping":[{"in":[]}]})",
       "$.pipeMapping[0].in: expected object, got array"},
      {R"({"cmd":[{}],"pipeMapping":[{"max":-1}]})",
       "$.pipeMapping[0].max: expected integer >= 0, got -1"},
      {R"({"cmd":[{}],"pipeMapping":[{"disableZeroCopy":0}]})",
       "$.pipeMapping[0].disableZeroCopy: expected true or false, got 0"},
      {R"({"cmd":[{}],"pipeMapping":[{"name":"\u0000"}]})",
       "$.pipeMapping[0].name: has a NUL character in it"},
      {R"({"cmd":[{}],"priority":1.5})",
       "$.priority: expected integer from -2147483648 to 2147483647, got 1.5"},
      {R"({"cmd":[{}],"priority":"high"})",
       "$.priority: expected integer from -2147483648 to 2147483647, got string"},
      {R"({"cmd":[{}],"priority":99999999999999999999})",
       "$.priority: expected integer from -2147483648 to 2147483647, got 99999999999999999999"},
  });
}

TEST(DecodeError, EncodingsAreKnownAndKept) {
  expect_errors({{R"({"cmd":[{}],"encoding":"latin1<"})",
                  R"($.encoding: expected "utf8" or "base64", got "latin1\u003c")"}});
  expect_command_errors({
      {R"("files":[{"content":"","encoding":"x"}])",
       R"($.cmd[0].files[0].encoding: expected "utf8" or "base64", got "x")"},
      {R"("files":[{"content":"AAA","encoding":"base64"}])",
       "$.cmd[0].files[0]: content is not base64: 3 letters are no multiple of 4"},
      {R"("copyIn":{"a":{"content":"A_AA","encoding":"base64"}})",
       "$.cmd[0].copyIn.a: content is not base64: unexpected character at offset 1"},
  });
}

TEST(DecodeError, SyntaxNamesLineAndColumn) {
  const std::string at = "JSON syntax error at line ";
  expect_errors({
      {"", "$: " + at + "1 column 1: expected object, got the end of the input"},
      {"\n\n  x", "$: " + at + "3 column 3: expected object, got 'x'"},
      {"\xEF\xBB\xBF{}", "$: " + at + "1 column 1: expected object, got byte 0xef"},
      {"{", "$: " + at + "1 column 2: expected a key in quotes, got the end of the input"},
      {"{cmd:1}", "$: " + at + "1 column 2: expected a key in quotes, got 'c'"},
      {R"({"cmd")", "$.cmd: " + at + "1 column 7: expected ':', got the end of the input"},
      {R"({"cmd":)", "$.cmd: " + at + "1 column 8: expected array, got the end of the input"},
      {R"({"cmd":[{}])", "$: " + at + "1 column 12: expected ',' or '}', got the end of the input"},
      {R"({"cmd":[{} {}]})", "$.cmd: " + at + "1 column 12: expected ',' or ']', got '{'"},
      {R"({"cmd":[{},]})", "$.cmd[1]: " + at + "1 column 12: expected object, got ']'"},
      {R"({"cmd":[{}],})", "$: " + at + "1 column 13: expected a key in quotes, got '}'"},
      {R"({"x":nul})", "$.x: " + at + "1 column 6: expected a value, got 'n'"},
      {R"({"x":01})", "$: " + at + "1 column 7: expected ',' or '}', got '1'"},
      {R"({"x":-})", "$.x: " + at + "1 column 7: expected a digit, got '}'"},
      {R"({"x":1.})", "$.x: " + at + "1 column 8: expected a digit, got '}'"},
      {R"({"x":1e})", "$.x: " + at + "1 column 8: expected a digit, got '}'"},
      {R"({"x":+1})", "$.x: " + at + "1 column 6: expected a value, got '+'"},
      {R"({"cmd":-})", "$.cmd: " + at + "1 column 9: expected a digit, got '}'"},
  });
}

TEST(DecodeError, StringsThatAreNone) {
  const std::string at = "JSON syntax error at line 1 column ";
  expect_errors({
      {R"({"x":"abc)", "$.x: " + at + "6: a string has no end"},
      {R"({"x":"abc\"})", "$.x: " + at + "6: a string has no end"},
      {"{\"x\":\"a\nb\"}", "$.x: " + at + "8: byte 0x0a in a string"},
      {R"({"x":"\q"})", "$.x: " + at + "7: unknown escape in a string"},
      {R"({"x":"\u12g4"})", "$.x: " + at + "7: \\u needs four hexadecimal digits"},
      {R"({"x":"\u12"})", "$.x: " + at + "7: \\u needs four hexadecimal digits"},
      {R"({"\q":1})", "$: " + at + "3: unknown escape in a string"},
      {R"({"x)", "$: " + at + "2: a string has no end"},
  });
}

TEST(DecodeError, MessagesOfSocketsAndTerminals) {
  const auto message = decode_socket_message(R"({"cancelRequestId":5})");
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().context, "$.cancelRequestId: expected string, got 5");
  const auto resize = decode_resize(R"({"rows":65536})");
  ASSERT_FALSE(resize);
  EXPECT_EQ(resize.error().context, "$.rows: expected integer <= 65535, got 65536");
  EXPECT_FALSE(decode_resize("[]"));
  EXPECT_FALSE(decode_resize(R"({"fd":-1})"));
}

}  // namespace
}  // namespace assay::wire
