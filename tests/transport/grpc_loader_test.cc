#include <gtest/gtest.h>

#include "transport/grpc.h"

namespace assay::transport {
namespace {

std::string refusal(const std::string& path) {
  const auto start = load_grpc(path);
  return start ? "" : describe(start.error());
}

TEST(LoadGrpc, SaysThatTheModuleIsMissing) {
  EXPECT_EQ(refusal("/nowhere/libassay-grpc.so"),
            "gRPC was asked for, but '/nowhere/libassay-grpc.so' does not exist: it belongs to the "
            "installation of assayd");
}

TEST(LoadGrpc, SaysThatAFileIsNoLibraryAndWhatToInstall) {
  const auto text = refusal("/etc/passwd");
  EXPECT_NE(text.find("gRPC was asked for, but '/etc/passwd' cannot be loaded"), std::string::npos)
      << text;
  EXPECT_NE(text.find("install libgrpc++1.51"), std::string::npos) << text;
}

TEST(LoadGrpc, SaysThatALibraryIsNotTheModule) {
  EXPECT_EQ(refusal("/lib/x86_64-linux-gnu/libz.so.1"),
            "gRPC was asked for, but '/lib/x86_64-linux-gnu/libz.so.1' is not the gRPC module of "
            "assayd");
}

}  // namespace
}  // namespace assay::transport
