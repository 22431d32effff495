// The lines of a group: pipes, FIFOs and terminals between its programs, each with a relay of ours
// in it. Private to group.cc.
#pragma once

#include <list>
#include <memory>

#include "exec/fifo.h"
#include "exec/terminal.h"
#include "judge/group_ends.h"

namespace assay::judge {

class Switchboard {
 public:
  Switchboard(Group& group, GroupEnds& ends, sandbox::Control& control);

  Status connect();  // their ends are in the specs then
  // The watcher: what it has not opened it never will.
  void ended(std::size_t program);
  // The watcher: programs may wait for what a relay has in its hands.
  [[nodiscard]] bool is_at_work() const;
  // The watcher, when all wait for each other: notes what lies there for those who never opened
  // their end. No relay has it yet.
  void note_unheard();
  // When all programs are over: the counts of the channels, and what was kept of them.
  void finish(GroupRun& run);
  void recall_unheard(GroupRun& run) const;  // after finish()

 private:
  // A channel with both its pipes: the program's ends, and those of the relay.
  struct Line {
    const Channel* channel = nullptr;
    os::OwnedFd writer_end{}, reader_end{};
    std::unique_ptr<exec::FifoSource> source{};  // where the program opens its end itself
    std::unique_ptr<exec::FifoSink> sink{};
    std::unique_ptr<exec::Keyboard> keyboard{};
    int source_end = -1;  // of the relay, which closes it, but not before there is a reader
    std::uint64_t unheard = 0;
    std::unique_ptr<exec::Relay> relay{};
  };

  Status connect(const Channel& channel);
  Result<os::OwnedFd> source_of(Line& line);  // ours; the program's is in its spec
  Result<os::OwnedFd> sink_of(Line& line);
  static void begin(Line& line, exec::Relay::Plan& plan);

  Group& group_;
  GroupEnds& ends_;
  sandbox::Control& control_;
  Bytes backlog_{};        // of each
  std::list<Line> lines_;  // a list: specs point into it
};

}  // namespace assay::judge
