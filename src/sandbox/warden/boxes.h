// All boxes of an engine: those in use, and those that were killed and have not ended yet.
//
// A killed box most often ends within a millisecond. It may also need seconds (much memory to free)
// or hang in the kernel (a mount whose server is gone), and the warden, which has one thread, must
// not wait for it: others want boxes. So it is put aside, and what it had (number, ids, cgroups,
// work directory) is given back when the kernel says that it is over.
#pragma once

#include <chrono>
#include <map>

#include "sandbox/warden/box.h"

namespace assay::sandbox::warden {

class Boxes {
 public:
  [[nodiscard]] bool is_empty() const { return living_.empty() && dying_.empty(); }
  // Of no other box, also not of one that is dying: its processes still have the ids.
  Result<unsigned> free_number();

  void add(Box box);
  [[nodiscard]] bool retire(
      unsigned number);  // false: there is no such box, or it is dying already
  void end(Box box);     // one that was never added

  // Returns when `socket` has something to say; until then, and meanwhile, cleans up after boxes
  // that have ended.
  void bury_until_asked(int socket);

  // Kills all at once and waits for all together. An Error: some have not ended in this time.
  Status end_all(std::chrono::milliseconds patience);

 private:
  bool bury(int socket, int patience_ms);  // waits for an end or the socket; whether that spoke

  std::map<unsigned, Box> living_;
  std::map<unsigned, Box> dying_;
  unsigned next_ = 0;
};

}  // namespace assay::sandbox::warden
