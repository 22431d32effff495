#include "transport/module_loader.h"

#include <dlfcn.h>
#include <fcntl.h>

#include "os/file.h"

namespace assay::transport {
namespace {

os::OwnedFd kept_directory;  // NOLINT(cert-err58-cpp): a number

// Through the directory that was kept, if one was: the way to it may be closed to us by now.
std::string place_of(const std::string& file) {
  const std::string here = kept_directory.is_open()
                               ? "/proc/self/fd/" + std::to_string(kept_directory.get())
                               : os::own_directory();
  auto beside = here + "/" + file;
  auto installed = here + "/../lib/assay/" + file;
  return !os::exists(beside) && os::exists(installed) ? installed : beside;
}

std::string last_reason() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "no reason given";
}

}  // namespace

void keep_place_of_modules() {
  if (auto directory = os::open(os::own_directory(), O_PATH | O_DIRECTORY))
    kept_directory = *std::move(directory);
}

Result<void*> load_entry(const Module& module, const std::string& path) {
  const std::string place = path.empty() ? place_of(module.file) : path;
  const std::string shown = path.empty() ? os::own_directory() + "/" + module.file : path;
  const auto refusal = [&](const std::string& reason) {
    return std::unexpected(
        Error{Fault::System, 0, module.what + " was asked for, but '" + shown + "' " + reason});
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
