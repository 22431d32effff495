#include <dlfcn.h>

#include "os/file.h"
#include "transport/grpc.h"

namespace assay::transport {

namespace {

constexpr const char* kModule = "libassay-grpc.so";

std::string place_of_module() {
  auto beside = os::own_directory() + "/" + kModule;
  auto installed = os::own_directory() + "/../lib/assay/" + kModule;
  return !os::exists(beside) && os::exists(installed) ? installed : beside;
}

Error refusal(const std::string& path, const std::string& reason, const std::string& advice) {
  return {
      Fault::System, 0,
      "gRPC was asked for, but '" + path + "' " + reason + (advice.empty() ? "" : ": " + advice)};
}

std::string last_reason() {
  const char* text = dlerror();
  return text ? text : "no reason given";
}

}  // namespace

Result<GrpcStart> load_grpc(const std::string& path) {
  const auto place = path.empty() ? place_of_module() : path;
  if (!os::exists(place))
    return std::unexpected(
        refusal(place, "does not exist", "it belongs to the installation of assayd"));
  void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    return std::unexpected(
        refusal(place, "cannot be loaded (" + last_reason() + ")", "install libgrpc++1.51"));
  void* entry = dlsym(module, "assay_grpc_start");
  if (!entry) return std::unexpected(refusal(place, "is not the gRPC module of assayd", ""));
  return reinterpret_cast<GrpcStart>(entry);
}

}  // namespace assay::transport
