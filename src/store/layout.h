// The directory of a store, held open:
//
//   ids/ID         what is known of an id (record.h); its mtime is the last use
//   files/ID       a hard link to the content, so the file system counts who uses a blob
//   blobs/SHA256   the content by its digest (".zst", ".lz4" when packed)
//   bad/           what check() moved aside
//   tmp/SESSION/   drafts of one living store, which holds a lock on that directory
//   lock           every living store holds it shared; whoever gets it alone may clean or remove
//   temporary      there when the directory goes with the last store that uses it
#pragma once

#include <memory>
#include <string>

#include "os/fd.h"
#include "store/store.h"

namespace assay::store {

enum class Drafts { Unnamed, Named };  // Named: where the file system knows no O_TMPFILE

class Layout {
 public:
  // Makes what is missing and removes what dead processes left.
  static Result<std::unique_ptr<Layout>> open(const Options& options,
                                              Drafts drafts = Drafts::Unnamed);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout();  // a temporary directory goes when nobody else has it open

  [[nodiscard]] int ids() const { return ids_.get(); }
  [[nodiscard]] int files() const { return files_.get(); }
  [[nodiscard]] int blobs() const { return blobs_.get(); }
  [[nodiscard]] int bad() const { return bad_.get(); }
  [[nodiscard]] int drafts_root() const { return drafts_root_.get(); }
  [[nodiscard]] int session() const { return session_.get(); }
  [[nodiscard]] Drafts drafts() const { return drafts_; }
  [[nodiscard]] bool is_persistent() const { return persistent_; }

  // False once somebody has removed the directory, or a part of it, behind our back.
  [[nodiscard]] bool is_whole() const;

  // What was added is there after a power cut. Nothing to do for what lives in memory.
  [[nodiscard]] Status sync_names() const;

 private:
  Layout() = default;
  Status enter(const Options& options);
  Status take_lock();
  Status settle_purpose(bool wanted_temporary, bool made);
  Status open_rooms();
  Status start_session();
  [[nodiscard]] bool is_ours() const;
  void leave();

  std::string path_;
  std::string session_name_;
  os::OwnedFd root_, lock_, ids_, files_, blobs_, bad_, drafts_root_, session_;
  Drafts drafts_ = Drafts::Unnamed;
  bool persistent_ = true;
  bool temporary_ = false;  // and the directory was made by a temporary store
  bool alone_ = false;
};

}  // namespace assay::store
