// A FIFO that has no name of its own and lies in no directory: whoever has a descriptor of it opens
// it as /proc/self/fd/N. The descriptor itself is neither a reader nor a writer, so that opens,
// ends of file and broken pipes are those of a FIFO.
#pragma once

#include <mutex>
#include <string>

#include "os/fd.h"

namespace assay::exec {

// What a program calls the FIFO that it has as this descriptor.
std::string fifo_path(unsigned descriptor);

class Fifo {
 public:
  static Result<Fifo> make();  // anybody who has it may open it

  // A descriptor for a program.
  [[nodiscard]] Result<os::OwnedFd> share() const;

  // `flags` are open's; waits as open does.
  [[nodiscard]] Result<os::OwnedFd> open(int flags) const;

 private:
  explicit Fifo(os::OwnedFd path) : path_(std::move(path)) {}
  os::OwnedFd path_;  // O_PATH
};

// The end at which we read what a program writes.
class FifoSource {
 public:
  static Result<FifoSource> open(Fifo fifo);

  [[nodiscard]] const Fifo& fifo() const { return fifo_; }
  // On the thread that will read: returns when somebody has opened it for writing, or was said to
  // be gone. From then on reading waits.
  os::OwnedFd await_writer();
  void writer_has_gone() const;                         // from any thread
  [[nodiscard]] int end() const { return end_.get(); }  // before await_writer()

 private:
  FifoSource(Fifo fifo, os::OwnedFd end) : fifo_(std::move(fifo)), end_(std::move(end)) {}
  Fifo fifo_;
  os::OwnedFd end_;
};

// The end at which we write what a program reads. A pipe that nobody has opened keeps nothing, so
// there is no end before there is a reader.
class FifoSink {
 public:
  explicit FifoSink(Fifo fifo) : fifo_(std::move(fifo)) {}

  [[nodiscard]] const Fifo& fifo() const { return fifo_; }
  // On the thread that will write: returns when there is a reader, or was said to be gone; then the
  // end has none.
  Result<os::OwnedFd> await_reader();
  void reader_has_gone();  // from any thread
  // From any thread: what `source` holds for a reader that has not come; 0: it has. Until then the
  // thread that will write has not touched it.
  [[nodiscard]] std::uint64_t unheard(int source);

 private:
  Fifo fifo_;
  std::mutex mutex_;
  bool opened_ = false;
  os::OwnedFd in_its_place_;  // so that an open that waits, or will, returns
};

}  // namespace assay::exec
