#include "exec/relay.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace assay::exec {
namespace {

void stay_on(const std::vector<unsigned>& cores) {
  if (cores.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned core : cores)
    if (core < CPU_SETSIZE) CPU_SET(core, &set);
  (void)::sched_setaffinity(0, sizeof set, &set);  // a matter of speed only
}

// A reader that has gone must not end the daemon: the signal goes to the thread that writes.
void ignore_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

bool pass_on(int sink, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t wrote = ::write(sink, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

Relay::Relay(Plan plan) : plan_(std::move(plan)), thread_([this] { work(); }) {}

Relay::~Relay() {
  if (thread_.joinable()) thread_.join();
}

std::string Relay::finish() {
  if (thread_.joinable()) thread_.join();
  return std::move(kept_);
}

void Relay::work() {
  ignore_signals();
  stay_on(plan_.cores);
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(plan_.source.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // a terminal ends with EIO when its last user has gone
    const auto size = static_cast<std::size_t>(got);
    if (plan_.sink.is_open() && !pass_on(plan_.sink.get(), buffer.data(), size)) plan_.sink.reset();
    kept_.append(buffer.data(), std::min<std::uint64_t>(size, plan_.keep.count - kept_.size()));
  }
  plan_.sink.reset();
  plan_.source.reset();
}

}  // namespace assay::exec
