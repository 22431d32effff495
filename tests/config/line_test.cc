#include "app/daemon/config/line.h"

#include <gtest/gtest.h>

namespace assay::daemon {
namespace {

const Time kTime{std::chrono::milliseconds(1'794'759'771'250)};

TEST(LogLine, IsOneJsonObject) {
  EXPECT_EQ(json_line(kTime, Level::Warning, "a \"b\"",
                      {{"n", std::int64_t{-3}}, {"s", "x\ny\\"}, {"b", true}}),
            "{\"time\":\"2026-11-15T16:22:51.250Z\",\"level\":\"warning\",\"msg\":\"a \\\"b\\\"\","
            "\"n\":-3,\"s\":\"x\\u000ay\\\\\",\"b\":true}\n");
}

TEST(LogLine, HoldsAValueThatIsJsonAlready) {
  const std::vector<LogField> fields{{"request", Json{R"({"method":"GET","status":200})"}}};
  EXPECT_TRUE(json_line(kTime, Level::Debug, "request", fields)
                  .ends_with(R"("msg":"request","request":{"method":"GET","status":200}})"
                             "\n"));
  EXPECT_TRUE(text_line(kTime, Level::Debug, "request", fields)
                  .ends_with(R"(request request={"method":"GET","status":200})"
                             "\n"));
}

TEST(LogLine, HasNoInvalidUtf8InJson) {
  const std::string line = json_line(kTime, Level::Info, "\xff\xc3\xa9\xe2\x82", {});
  EXPECT_NE(line.find("\"msg\":\"\\ufffd\xc3\xa9\\ufffd\\ufffd\""), std::string::npos) << line;
}

TEST(LogLine, ForPeopleHasNoControlCharacters) {
  const std::string line =
      text_line(kTime, Level::Error, "bad\x1b[0m", {{"why", "a b"}, {"n", std::int64_t{1}}});
  EXPECT_TRUE(line.ends_with(" ERROR bad?[0m why=\"a b\" n=1\n")) << line;
}

}  // namespace
}  // namespace assay::daemon
