// The named pipes of a held process, and who opens them. Opening them takes the rights of the
// caller, and what happens on them must not have those: so they are opened by an Usher, which may
// live in another process and reads not one byte, and handed over through sockets to Doors.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "os/fd.h"

namespace assay::held {

// `wait` and `downward` are read by us, the others written.
enum class Door : unsigned char { Wait, Status, Info, Downward, Upward };
constexpr std::size_t kDoors = 5;

// Five fifos, mode 0600, in a directory of the caller's.
class Fifos {
 public:
  // InvalidRequest: no such directory, or a name is taken. Nothing is left then.
  static Result<Fifos> make(const std::string& directory, const std::string& suffix);
  Fifos(Fifos&&) noexcept = default;
  Fifos& operator=(Fifos&&) = delete;
  ~Fifos() { remove(); }

  // One that we read is opened at once; one that we write when somebody reads it. Non-blocking
  // from then on. Safe from any thread, also while they are removed.
  [[nodiscard]] Result<os::OwnedFd> open(Door door) const;
  // Whoever waits in open() is let go, and whoever comes later finds no such file.
  void remove();

 private:
  struct Fifo {
    std::string name{};
    os::OwnedFd path{};  // pins the inode, so that no other file can have its number
    [[nodiscard]] bool is_at(int fd) const;
  };
  Fifos() = default;
  os::OwnedFd directory_;
  std::vector<Fifo> fifos_;
  bool removed_ = false;
};

class Doors;

// Opens what Doors ask for, one thread per door: an open may last until a client comes.
class Usher {
 public:
  static Result<Usher> make(Fifos fifos);
  Usher(Usher&&) noexcept;
  Usher& operator=(Usher&&) = delete;
  ~Usher();  // removes the fifos

  Doors doors();  // once: the other ends
  void serve();   // from now on; after a fork, in the process that does not use the doors

 private:
  struct Shared {
    explicit Shared(Fifos made) : fifos(std::move(made)) {}
    std::mutex lock{};  // of removing
    Fifos fifos;
  };
  Usher() = default;
  static void work(Shared& shared, Door door, int socket);
  static int carry_out(Shared& shared, Door door, unsigned char order, os::OwnedFd& opened);
  std::unique_ptr<Shared> shared_;
  std::array<os::OwnedFd, kDoors> ours_;
  std::array<os::OwnedFd, kDoors> theirs_;
  std::vector<std::thread> threads_;
};

class Doors {
 public:
  explicit Doors(std::array<os::OwnedFd, kDoors> sockets) : sockets_(std::move(sockets)) {}

  // ask() and take() come in pairs; between them answer() becomes readable.
  Status ask(Door door);
  [[nodiscard]] int answer(Door door) const { return socket(door); }
  Result<os::OwnedFd> take(Door door);

  Result<os::OwnedFd> open(Door door);  // both; waits
  void remove();                        // of all fifos; afterwards nothing can be opened

 private:
  [[nodiscard]] int socket(Door door) const {
    return sockets_[static_cast<std::size_t>(door)].get();
  }
  std::array<os::OwnedFd, kDoors> sockets_;
};

}  // namespace assay::held
