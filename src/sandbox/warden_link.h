// The daemon's connection to its warden: one request, one answer.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "os/packet.h"
#include "os/process.h"
#include "sandbox/handle.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

class WardenLink {
 public:
  static Result<WardenLink> start(const std::string& program, const std::string& profiles);
  WardenLink(WardenLink&&) noexcept = default;
  WardenLink& operator=(WardenLink&&) noexcept = default;
  ~WardenLink();  // hangs up, and waits until the warden has removed all traces

  Result<BoxHandle> make_box(const std::string& profile, const std::vector<HostMount>& mounts, int core);
  Status retire(std::uint32_t box);
  Result<WardenReply> describe();
  [[nodiscard]] int pid() const { return process_.pid(); }

 private:
  WardenLink(os::Process process, os::OwnedFd socket);
  Result<os::Received> call(const WardenRequest& request, const std::string& tail, WardenReply& reply);

  os::Process process_;
  os::OwnedFd socket_;
  std::unique_ptr<std::mutex> lock_;  // any thread may ask
};

}  // namespace assay::sandbox
