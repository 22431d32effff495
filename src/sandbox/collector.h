// One output stream of a program, drained through a pipe: counted, cut at the limit, passed on.
#pragma once

#include <cstdint>
#include <string>

#include "os/fd.h"
#include "sandbox/facts.h"

namespace assay::sandbox {

class Collector {
 public:
  // Where the program's end goes and where the bytes end up. `limit` of nothing keeps everything.
  static Result<Collector> open(const Collect& target, std::optional<Bytes> limit);

  [[nodiscard]] int program_end() const { return pipe_.write_end.get(); }
  void program_started() { pipe_.write_end.reset(); }

  [[nodiscard]] bool wants_reading() const { return pipe_.read_end.is_open() && pending_.empty(); }
  [[nodiscard]] bool wants_writing() const { return !pending_.empty(); }
  // Somebody may be listening already; whatever else becomes of the bytes is seen after the end.
  [[nodiscard]] bool is_heard() const { return target_.sink >= 0 && !sink_is_file_; }
  [[nodiscard]] int source() const { return pipe_.read_end.get(); }
  [[nodiscard]] int sink() const { return target_.sink; }

  bool drain();     // what is there now, without waiting; true: there may be more
  void flush();     // as much as the sink takes without waiting
  Status finish();  // after the program's end: everything to the sink

  [[nodiscard]] std::uint64_t heard() const { return heard_; }  // also what was not kept
  [[nodiscard]] const StreamFacts& facts() const { return facts_; }
  // Over the limit in a way that ends the run.
  [[nodiscard]] bool breaks_limit() const { return facts_.over_limit && !target_.discard_rest; }
  void refuse_more() { facts_.over_limit = true; }  // the limit over all streams is used up

 private:
  void keep(const char* bytes, std::size_t size);
  void give_room();
  void move_to_file();
  bool flush_portion();

  os::Pipe pipe_;
  Collect target_;
  std::optional<Bytes> limit_;
  bool sink_is_file_ = false;  // never blocks
  int broken_ = 0;             // errno of the first that went wrong; nothing is passed on since
  std::string pending_;        // of which `flushed_` bytes have gone out
  std::size_t flushed_ = 0;
  StreamFacts facts_;
  std::uint64_t heard_ = 0;
  bool has_room_ = false;
};

}  // namespace assay::sandbox
