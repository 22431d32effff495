// The daemon's connection to its warden: one request, one answer.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "os/packet.h"
#include "os/process.h"
#include "sandbox/handle.h"
#include "sandbox/sandbox.h"
#include "sandbox/spec.h"
#include "sandbox/warden_order.h"

namespace assay::sandbox {

class WardenLink {
 public:
  static Result<WardenLink> start(const Options& options);
  static Result<WardenLink> fork(WardenMain warden, const std::string& profiles);
  WardenLink(WardenLink&&) noexcept = default;
  WardenLink& operator=(WardenLink&&) noexcept = default;
  WardenLink(const WardenLink&) = delete;
  WardenLink& operator=(const WardenLink&) = delete;
  ~WardenLink();  // hangs up, and waits until the warden has removed all traces

  struct BoxOrder {
    std::string profile{};
    std::vector<HostMount> mounts{};
    int core = -1;
    bool one_shot = false;
  };
  Result<BoxHandle> make_box(const BoxOrder& order);

  // The same in two halves, so that the caller can do something else meanwhile. Nothing may be
  // asked in between.
  Status order_box(const BoxOrder& order);
  Result<BoxHandle> take_box();

  Status retire(std::uint32_t box);
  Result<WardenReply> describe();
  [[nodiscard]] int pid() const { return process_.pid(); }

 private:
  WardenLink(os::Process process, os::OwnedFd socket);
  Status ask(const WardenCall& order);
  Result<os::Received> answer(WardenReply& reply);
  Result<os::Received> call(const WardenRequest& request, WardenReply& reply);

  os::Process process_;
  os::OwnedFd socket_;
  std::unique_ptr<std::mutex> lock_;  // any thread may ask
};

}  // namespace assay::sandbox
