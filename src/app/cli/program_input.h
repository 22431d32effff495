// What may become a program's stdin. A descriptor gives more than its bytes: whoever has one can
// open it again through /proc/self/fd, set its flags for everybody who shares it, write into a
// pipe, talk through a socket and type into a terminal.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "os/fd.h"
#include "sandbox/sandbox.h"

namespace assay::cli {

enum class InputWay {
  AsItIs,   // a file that the program can only read, or /dev/null
  Copied,   // a file that it could change
  Relayed,  // pipes, sockets, devices
};

bool is_null_device(const struct stat& file);

// Directories and terminals are refused, by `name`.
Result<InputWay> input_way(int fd, const std::string& name);

// A copy that nobody can change, and the file whose rest it is.
struct CopiedInput {
  int source = -1;  // borrowed
  off_t start = 0;
  os::OwnedFd copy{};

  // After the run: whoever reads the source next goes on where the program stopped.
  void leave_the_rest() const;
};
Result<CopiedInput> copy_input(int source);

// Passes on what can be read from `source`, through a pipe of our own, on a thread of its own,
// until that ends or nobody can read it any more.
//
// At first the program gets a page at a time, and of a pipe or a stream socket no more is taken
// than it has read: whoever reads `source` next finds the rest, as if the program had read it
// itself. One that reads much gets it as fast as through a direct pipe; what it leaves of that is
// lost.
class InputRelay {
 public:
  static Result<std::unique_ptr<InputRelay>> start(int source);  // borrowed
  ~InputRelay();  // ends it, whether or not the source has ended
  InputRelay(const InputRelay&) = delete;
  InputRelay& operator=(const InputRelay&) = delete;

  os::OwnedFd& program_end() { return program_end_; }  // to be handed over

 private:
  enum class Kind { Pipe, Socket, Other };
  explicit InputRelay(int source);
  Status open();
  void work();
  bool pass_page();  // false: there is no more, or nobody to read it
  bool pass_much();
  bool await(int fd, short what);
  long look();  // copies what comes next; 0: nothing ever will, -1: nothing yet
  bool offer(std::size_t size);
  void take(std::size_t size);  // what was only looked at

  int source_;
  Kind kind_;
  std::size_t passed_ = 0;
  std::vector<char> portion_;
  os::Pipe aside_;  // Pipe: what was looked at comes through here
  os::OwnedFd program_end_, ours_;
  os::OwnedFd stop_;
  std::thread thread_;
};

// Runs a program with a relay to its stdin for as long as it runs. No source: its stdin is the
// spec's.
Result<sandbox::Facts> run_with_input(sandbox::Sandbox& engine, sandbox::Spec& spec,
                                      std::optional<int> source);

}  // namespace assay::cli
