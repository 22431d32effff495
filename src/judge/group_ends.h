// Who of a group has ended, and who was told. Private to group.cc; used by its relays and the
// watcher, each on a thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "judge/group.h"

namespace assay::judge {

class GroupEnds {
 public:
  GroupEnds(const Group& group, sandbox::Control& control);

  // The watcher: it ended so.
  void note(std::size_t program, const sandbox::End& end, sandbox::CutOff cut_off_by);
  void note_all();  // there is nobody any more

  // A relay: `writer` has closed a stream of which `pipe` leads to `reader`. Returns when the
  // reader may see that.
  void before_end(std::size_t writer, std::size_t reader, int pipe);
  // A relay: `reader` has closed a stream. Returns when the writer may get SIGPIPE for it.
  void before_break(std::size_t reader);

  // Afterwards; see GroupRun.
  [[nodiscard]] std::vector<std::vector<bool>> told() const { return told_; }
  [[nodiscard]] std::vector<std::vector<bool>> after() const { return after_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  void await_end(Lock& held, std::size_t program);
  void let_decide(Lock& held, std::size_t reader, int pipe);

  const Group& group_;
  sandbox::Control& control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<Aftermath>> ended_;
  std::vector<std::vector<bool>> told_;
  std::vector<bool> known_;  // of whose end somebody was told
  std::vector<std::vector<bool>> after_;
};

}  // namespace assay::judge
