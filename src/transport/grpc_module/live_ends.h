// Our ends of one call's live streams: what the client sends waits here until the program takes it,
// what the program writes stays in its pipe until somebody asks. Lives on the loop's thread.
#pragma once

#include <sys/ioctl.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exec/runner.h"
#include "transport/grpc_module/loop.h"

namespace assay::transport::module {

class LiveEnds {
 public:
  LiveEnds(Loop& loop, const exec::Request& request, std::function<void()> on_change);
  ~LiveEnds();
  LiveEnds(const LiveEnds&) = delete;
  LiveEnds& operator=(const LiveEnds&) = delete;

  void attach(std::vector<exec::LiveStream> streams);  // input may come before that

  [[nodiscard]] Status input(unsigned index, unsigned fd, std::string bytes);
  [[nodiscard]] Status resize(unsigned index, const winsize& size);
  void end_inputs();  // every program sees the end of its input, after what was sent before
  void finish();      // the programs have ended: what is in the pipes now is all there will be

  struct Output {
    int index = 0, fd = 0;
    std::string bytes{};
  };
  std::optional<Output> next_output();  // each stream in its turn; nothing: none for now
  [[nodiscard]] bool drained() const;   // no output will come any more
  [[nodiscard]] std::size_t waiting() const { return waiting_; }  // bytes of input not taken yet

 private:
  struct End {
    exec::LiveStream live{};
    std::uint64_t watch = 0;
    bool readable = true;
    std::optional<int> output_fd{};  // under which what it says is told; nothing: it is not read
  };
  struct Input {
    std::deque<std::string> queue{};
    std::size_t offset = 0;  // in the first
    char last = '\n';        // that was written
    bool ending = false;     // after the queue
    End* end = nullptr;
  };
  using Place = std::pair<int, int>;  // index and fd

  void attach_one(exec::LiveStream stream);
  void changed(End& end, std::uint32_t events);
  void flush(Input& input);
  bool write_some(Input& input);
  void end_input(Input& input);
  void drop(Input& input);
  void close(End& end);
  bool read_some(End& end, std::string& bytes);

  Loop& loop_;
  std::function<void()> on_change_;
  std::map<Place, Input> inputs_{};
  std::map<int, std::optional<int>> terminals_{};  // command with a tty → its first streamOut
  std::map<int, winsize> sizes_{};                 // asked for before the terminal was there
  std::vector<std::unique_ptr<End>> ends_{};
  std::size_t next_ = 0;  // whose turn it is
  std::size_t waiting_ = 0;
  bool finished_ = false;
};

}  // namespace assay::transport::module
