#include "transport/grpc.h"
#include "transport/module_loader.h"

namespace assay::transport {

Result<GrpcStart> load_grpc(const std::string& path) {
  void* entry = TRY(load_entry({.what = "gRPC",
                                .file = "libassay-grpc.so",
                                .entry = "assay_grpc_start",
                                .package = "libgrpc++1.51"},
                               path));
  return reinterpret_cast<GrpcStart>(entry);
}

}  // namespace assay::transport
