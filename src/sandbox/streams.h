// The descriptors of one program: what it gets as 0, 1, 2, …, and what of them we drain.
#pragma once

#include <map>
#include <vector>

#include "sandbox/collector.h"
#include "sandbox/handle.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

using Pipes = std::map<unsigned, os::Pipe>;  // by number, made when first asked for

// All of a spec, by descriptor, without those at the end that the program is to start without.
std::vector<const Stream*> streams_of(const Spec& spec);

class Streams {
 public:
  explicit Streams(const Spec& spec) : streams_(streams_of(spec)) {}

  Status open(const Limits& limits);
  Result<std::vector<int>> descriptors(Pipes& pipes);  // for the program
  void program_started();

  [[nodiscard]] bool any_collected() const { return !collectors_.empty(); }
  std::vector<Collector>& collectors() { return collectors_; }
  // Moves what is there. True: a limit is broken that ends the run.
  bool tend(const Limits& limits);
  Status finish(const Limits& limits);
  void fill(struct Facts& facts) const;

 private:
  bool refuse_beyond(const std::optional<Bytes>& total);
  Result<int> descriptor_for(std::size_t index, const std::vector<int>& lower, Pipes& pipes);

  std::vector<const Stream*> streams_;
  std::vector<Collector> collectors_;
  std::vector<std::size_t> collected_;  // the descriptor of each collector
  os::OwnedFd nothing_;                 // /dev/null
};

}  // namespace assay::sandbox
