// The pipes of a group: checked, and made when the group runs.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "exec/command.h"
#include "exec/relay.h"
#include "sandbox/spec.h"

namespace assay::exec {

// Every end names a descriptor that exists once and that is free for a pipe, and every free one is
// named. The wording is go-judge's: its clients know it.
Status check_joints(const Request& request);

// The number of descriptors a command has: its files, and those that only a pipe names.
std::size_t descriptor_count(const Request& request, std::size_t index);

class Joints {
 public:
  static Result<Joints> make(const Request& request);

  // What descriptor `fd` of command `index` is.
  [[nodiscard]] sandbox::Stream at(int index, int fd) const;

  void abandon(int index);  // a command that will not run: its peers see the end
  Status start_relays(const std::vector<std::vector<unsigned>>& cores_of_command);
  // After their end: name → bytes, for the writer's results.
  struct Kept {
    int index = 0;
    std::string name{};
    std::string bytes{};
  };
  std::vector<Kept> finish();

 private:
  struct Proxy {
    const PipeMap* map = nullptr;
    os::OwnedFd writer_end{}, source{}, sink{}, reader_end{};
    std::unique_ptr<Relay> relay{};
  };
  std::map<std::pair<int, int>, sandbox::Stream> ends_;
  std::list<Proxy> proxies_;  // a list: the ends point into it
};

}  // namespace assay::exec
