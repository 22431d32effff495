// A box as the daemon holds it: the sockets to its launcher and init, its meters, the page that
// says when a run started. What comes out of the sockets was written inside the box, so it is
// checked like any other foreign input.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "os/packet.h"
#include "sandbox/facts.h"
#include "sandbox/inside/plan.h"
#include "sandbox/leaf.h"
#include "sandbox/protocol.h"

namespace assay::sandbox {

class BoxHandle {
 public:
  static Result<BoxHandle> take(const WardenReply& reply, std::vector<os::OwnedFd> fds);
  BoxHandle(BoxHandle&& other) noexcept;
  BoxHandle& operator=(BoxHandle&& other) noexcept;
  BoxHandle(const BoxHandle&) = delete;
  BoxHandle& operator=(const BoxHandle&) = delete;
  ~BoxHandle();

  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] int run_socket() const { return run_.get(); }
  [[nodiscard]] BoxMode mode() const { return mode_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  [[nodiscard]] bool has_meters() const { return meters_ != inside::Meters::None; }
  [[nodiscard]] bool is_odd() const { return odd_; }
  [[nodiscard]] std::uint64_t runs() const { return sequence_; }
  [[nodiscard]] std::uint32_t home() const { return home_; }
  void waits_on(std::uint32_t home) { home_ = home; }  // after the next run, a core plus one
  Leaf& leaf() { return leaves_[leaf_]; }

  bool is_ready();       // without waiting
  Status await_ready();  // cleaning is over, the next init waits

  // Files, by name inside the box, many at a time: the launcher is woken once. Only while no
  // program runs. The answers are in the order of the orders; those that open nothing answer with a
  // closed descriptor.
  struct FileOrder {
    inside::Order order{};
    std::string name{};
    std::string target{};  // MakeLink
    unsigned mode = 0;
  };
  Result<std::vector<Result<os::OwnedFd>>> serve_files(std::span<const FileOrder> orders);
  // Files that are to be streams of the next run; there may be none. Those of the last run have
  // been made again already.
  Result<std::vector<Result<os::OwnedFd>>> shared_files(std::span<const FileOrder> orders);
  Status resize_places(Bytes size, std::uint64_t inodes);

  std::uint64_t next_sequence() { return ++sequence_; }
  Status start(std::span<const std::byte> request, std::span<const int> fds);
  Result<std::optional<inside::Ended>> take_ended();  // without waiting
  void kill_run();
  void clean();                             // after the last file was taken out
  void stop(bool stopped);                  // a box without a freezer
  Result<inside::ControlReply> usage();     // a box without meters
  Result<inside::ControlReply> standing();  // what its threads wait for

  // When the current run became the program, by CLOCK_MONOTONIC, and the cpu meter then; nothing
  // before that.
  struct Started {
    std::uint64_t at_ns = 0;
    std::uint64_t cpu_base_ns = 0;
  };
  [[nodiscard]] std::optional<Started> started() const;

 private:
  BoxHandle() = default;
  Status ask(const inside::ControlRequest& request, std::string_view names);
  Result<os::Received> hear_answer(inside::ControlReply& reply);
  Result<os::Received> call(const inside::ControlRequest& request, inside::ControlReply& reply);
  [[nodiscard]] Error gone(int code) const;  // what to say of a launcher that cannot be talked to
  Status receive_reply(inside::ControlReply& reply, os::Received& received, os::Wait wait);
  void note_ready(const inside::ControlReply& reply, std::vector<os::OwnedFd> fds);

  std::uint32_t number_ = 0;
  os::OwnedFd control_;
  os::OwnedFd run_;
  const inside::Slate* slate_ = nullptr;
  inside::Meters meters_ = inside::Meters::None;
  std::array<Leaf, inside::kLeaves> leaves_;
  unsigned leaf_ = 0;
  std::vector<std::string> shared_names_;  // of the last run that had any
  std::vector<os::OwnedFd> spares_;        // by those names, for the next run
  struct Early {
    inside::ControlReply reply{};
    std::vector<os::OwnedFd> fds{};
  };

  bool ready_ = false;
  std::optional<Early> early_;  // a Ready that came with the answer to something else
  bool odd_ = false;
  bool lacks_descriptors_ = false;  // what came with a message found no room among ours
  BoxMode mode_ = BoxMode::Full;
  std::vector<std::string> missing_;
  std::uint64_t sequence_ = 0;
  std::uint32_t home_ = 0;
};

}  // namespace assay::sandbox
