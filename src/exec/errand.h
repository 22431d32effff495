// One command on its way: the spec it becomes, and everything that the spec borrows.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/command.h"
#include "exec/joints.h"
#include "exec/limits.h"
#include "exec/runner.h"
#include "exec/search.h"
#include "exec/terminal.h"

namespace assay::exec {

// What all commands of a request are prepared with.
struct Surroundings {
  const Request& request;
  const Rules& rules;
  const Session& session;
  const OpenHostFile& open_host_file;
  store::Store& store;
  const Joints& joints;
};

class Errand {
 public:
  // An Error is the whole request's: a file that the store does not have, a host file that nobody
  // may read. What concerns this command alone is its refusal.
  static Result<std::unique_ptr<Errand>> prepare(const Surroundings& around, std::size_t index);
  ~Errand();
  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;

  [[nodiscard]] const std::optional<CommandResult>& refusal() const { return refusal_; }
  [[nodiscard]] const sandbox::Spec& spec() const { return spec_; }
  std::vector<LiveStream> take_live() { return std::move(live_); }
  Status start_relays();  // of a terminal

  // What became of it, when the run is over. `kept`: of its pipes.
  CommandResult finish(sandbox::Facts facts, std::vector<Joints::Kept> kept);

 private:
  struct Collected {  // one collector: a text that a pipe is drained into, or a file in the box
    const Collector* wish = nullptr;
    std::size_t descriptor = 0;
    std::string text{};
    os::OwnedFd file{};
  };
  struct Taken {  // one file to copy out
    const CopyOut* wish = nullptr;
    bool cached = false;
    std::string inside{};  // its name in the box
    int no_file = 0;       // errno: no box has a file of that name, so none is asked
    std::string text{};
    os::OwnedFd file{};
  };

  Errand(const Surroundings& around, std::size_t index);
  Status prepare_all();
  Status prepare_streams();
  Status prepare_files();
  Status prepare_outputs();
  Status prepare_program();
  Result<sandbox::Stream> stream_for(std::size_t fd, const File& file);
  Result<sandbox::Stream> live_stream(std::size_t fd, bool input);
  Result<sandbox::Stream> collected_stream(std::size_t fd, const Collector& wish);
  Result<sandbox::Stream> terminal_stream(std::size_t fd, const File& file);
  Status start_typing();
  Result<std::optional<int>> open_source(const Source& source, const std::string& name);
  [[nodiscard]] std::string in_box(const std::string& name) const;
  bool can_be_made(const std::string& inside, const std::string& name, FileErrorType type);
  void refuse(RunStatus status, std::string error, std::vector<FileError> files = {});

  [[nodiscard]] bool is_cached(const std::string& name) const;
  void give(CommandResult& result, const std::string& name, std::string bytes);
  void give_collected(CommandResult& result, Collected& collected, sandbox::Facts& facts);
  void give_taken(CommandResult& result, Taken& taken, const sandbox::Facts& facts);
  void keep(CommandResult& result, const std::string& name, Result<std::string> id);

  const Surroundings around_;
  const Command& command_;
  std::size_t index_;
  ChosenLimits limits_;
  Search search_;
  sandbox::Spec spec_;
  std::list<os::OwnedFd> open_;  // lists: the spec points into them
  std::list<Collected> collected_;
  std::list<Taken> taken_;
  std::vector<LiveStream> live_;
  std::optional<Terminal> terminal_;
  std::optional<std::size_t> terminal_fd_;
  std::string typed_;              // contents: what a person would type at the terminal
  std::unique_ptr<Relay> typing_;  // it
  std::unique_ptr<Relay> terminal_relay_;
  std::optional<CommandResult> refusal_;
};

}  // namespace assay::exec
