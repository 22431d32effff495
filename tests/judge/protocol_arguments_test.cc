#include <gtest/gtest.h>

#include "judge/protocol.h"

namespace assay::judge {
namespace {

using Arguments = std::vector<std::string>;

const CheckerFiles kFiles{.input = "in", .output = "out", .answer = "ans", .feedback = "/feedback"};

TEST(ProtocolArguments, EachProtocolHasItsOrder) {
  const Arguments extra{"-x", "y z"};
  const auto of = [&](Protocol protocol) {
    return checker_arguments(protocol, kFiles, extra);
  };
  EXPECT_EQ(of(Protocol::Testlib), (Arguments{"in", "out", "ans", "-x", "y z"}));
  EXPECT_EQ(of(Protocol::Icpc), (Arguments{"in", "ans", "/feedback/", "-x", "y z"}));
  EXPECT_EQ(of(Protocol::ExitCode), (Arguments{"-x", "y z", "in", "out", "ans"}));
  EXPECT_EQ(of(Protocol::Cms), (Arguments{"in", "ans", "out", "-x", "y z"}));
  EXPECT_EQ(of(Protocol::Lines), (Arguments{"in", "out", "ans", "-x", "y z"}));
  EXPECT_EQ(of(Protocol::Boca), (Arguments{"out", "ans", "in", "-x", "y z"}));
}

TEST(ProtocolArguments, TheFeedbackDirectoryEndsInOneSlash) {
  CheckerFiles files = kFiles;
  files.feedback = "/feedback/";
  EXPECT_EQ(checker_arguments(Protocol::Icpc, files)[2], "/feedback/");
}

TEST(ProtocolArguments, OnlyIcpcReadsStdinAndNeedsADirectory) {
  for (const Protocol protocol :
       {Protocol::Testlib, Protocol::ExitCode, Protocol::Cms, Protocol::Lines, Protocol::Boca}) {
    EXPECT_FALSE(reads_output_on_stdin(protocol));
    EXPECT_FALSE(needs_feedback_directory(protocol));
  }
  EXPECT_TRUE(reads_output_on_stdin(Protocol::Icpc));
  EXPECT_TRUE(needs_feedback_directory(Protocol::Icpc));
}

TEST(ProtocolArguments, NamesAreThoseOfTheApi) {
  for (const char* name : {"testlib", "icpc", "exitcode", "cms", "lines", "boca"}) {
    const auto protocol = protocol_named(name);
    ASSERT_TRUE(protocol.has_value()) << name;
    EXPECT_EQ(name_of(*protocol), name);
  }
  EXPECT_FALSE(protocol_named("Testlib").has_value());
  EXPECT_FALSE(protocol_named("").has_value());
}

}  // namespace
}  // namespace assay::judge
