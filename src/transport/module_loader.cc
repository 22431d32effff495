#include "transport/module_loader.h"

#include <dlfcn.h>

#include "os/file.h"

namespace assay::transport {
namespace {

std::string place_of(const std::string& file) {
  auto beside = os::own_directory() + "/" + file;
  auto installed = os::own_directory() + "/../lib/assay/" + file;
  return !os::exists(beside) && os::exists(installed) ? installed : beside;
}

std::string last_reason() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "no reason given";
}

}  // namespace

Result<void*> load_entry(const Module& module, const std::string& path) {
  const std::string place = path.empty() ? place_of(module.file) : path;
  const auto refusal = [&](const std::string& reason) {
    return std::unexpected(
        Error{Fault::System, 0, module.what + " was asked for, but '" + place + "' " + reason});
  };
  if (!os::exists(place))
    return refusal("does not exist: it belongs to the installation of assayd");
  void* loaded = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    return refusal("cannot be loaded (" + last_reason() + "): install " + module.package);
  void* entry = ::dlsym(loaded, module.entry.c_str());
  if (entry == nullptr) return refusal("is not the " + module.what + " module of assayd");
  return entry;
}

}  // namespace assay::transport
