// assayd: the daemon. Reads its settings, then leaves the rest to the keeper.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "app/daemon/config/options.h"
#include "app/daemon/config/version.h"
#include "app/daemon/keeper.h"
#include "app/daemon/log.h"
#include "app/daemon/slim.h"
#include "os/standard_streams.h"

extern char** environ;

namespace {

using assay::daemon::Chosen;

std::map<std::string, std::string, std::less<>> environment() {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string_view text(*variable); text.contains('='))
      variables.emplace(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
  return variables;
}

// Everybody may read a process's arguments, and our children inherit the environment.
void hide_token(int argc, char** argv) {
  ::unsetenv("ES_AUTH_TOKEN");
  for (int i = 1; i < argc; ++i) {
    char* name = argv[i] + std::strspn(argv[i], "-");
    constexpr const char* kFlag = "auth-token";
    if (std::strncmp(name, kFlag, std::strlen(kFlag)) != 0) continue;
    char* after = name + std::strlen(kFlag);
    if (*after == '=') std::memset(after + 1, '*', std::strlen(after + 1));
    if (*after == '\0' && i + 1 < argc) std::memset(argv[i + 1], '*', std::strlen(argv[i + 1]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  assay::os::fill_standard_streams();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto chosen = assay::daemon::choose({arguments, environment(), ::getpid() == 1});
  if (!chosen) {
    std::fprintf(stderr, "assayd: %s\n", chosen.error().context.c_str());
    return 2;
  }
  if (chosen->settings.help) {
    std::fputs(assay::daemon::help_text().c_str(), stdout);
    return 0;
  }
  if (chosen->settings.version) {
    std::printf("assayd %s (speaks go-judge %s)\n", assay::daemon::engine_version().c_str(),
                assay::daemon::kSpokenVersion);
    return 0;
  }
  assay::daemon::use_flat_heap(argv);
  hide_token(argc, argv);
  ::umask(022);
  return assay::daemon::keep(*chosen, assay::daemon::Log::for_settings(chosen->settings));
}
