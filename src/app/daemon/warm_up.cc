#include "app/daemon/warm_up.h"

#include <fmt/format.h>
#include <pthread.h>

#include <limits>

namespace assay::daemon {

Result<std::unique_ptr<WarmUp>> WarmUp::start(Parts parts) {
  for (const std::string& name : parts.languages)
    if (!parts.set->languages.find(name))
      return invalid(fmt::format("-warm-up: there is no language '{}'", name));
  return std::unique_ptr<WarmUp>(new WarmUp(std::move(parts)));
}

WarmUp::WarmUp(Parts parts)
    : parts_(std::move(parts)),
      cores_(parts_.service.cores(std::numeric_limits<int>::min())),
      cancellation_(*cores_),
      thread_([this] {
        ::pthread_setname_np(::pthread_self(), "warm-up");
        work();
      }) {}

WarmUp::~WarmUp() {
  stop();
  thread_.join();
}

void WarmUp::work() {
  for (const std::string& name : parts_.languages) {
    const judge::Language& language = **parts_.set->languages.find(name);
    const auto made = parts_.compilers.warm_up(language, cancellation_);
    if (cancellation_.is_cancelled()) return;
    if (!made)
      parts_.log.warning("a language could not be made ready",
                         {{"language", name}, {"reason", describe(made.error())}});
    else
      parts_.log.info(*made ? "a language is ready" : "nothing of a language can be made ready",
                      {{"language", name}});
  }
}

}  // namespace assay::daemon
