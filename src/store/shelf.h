// The files of one store directory, as the file system holds them: nothing is remembered here but a
// count, so every process on the directory sees what the others do. Two rules make that safe
// without a lock between processes: a blob is only linked to, and the file system counts the links;
// and the record of an id is made last and removed first.
#pragma once

#include <sys/stat.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/layout.h"
#include "store/record.h"
#include "store/store.h"

namespace assay::store {

constexpr Bytes kLarge = 64_KiB;  // from here on a blob may be packed

using Moment = std::chrono::system_clock::time_point;

struct Use {
  std::string id{};
  Moment last{};
  std::uint64_t inode = 0;
  Bytes stored{};
};

class Shelf {
 public:
  static Result<std::unique_ptr<Shelf>> open(const Options& options,
                                             Drafts drafts = Drafts::Unnamed);

  Result<std::string> add(const std::string& name, std::string_view bytes);
  Result<os::OwnedFd> scratch();
  Result<std::string> keep(const std::string& name, int file);
  Result<Opened> get(const std::string& id);
  Status remove(const std::string& id);
  std::vector<Listed> list();
  Result<Store::Check> check();

  std::vector<Use> uses();  // of every id; the order is the directory's
  [[nodiscard]] std::optional<Moment> last_use(const std::string& id) const;
  void clean_up();  // what other processes left when they died

  [[nodiscard]] const Layout& layout() const { return *layout_; }
  // Of the blobs as stored. Exact when somebody counts; between counts it knows of our own doings.
  [[nodiscard]] Bytes used() const;
  void set_used(Bytes bytes) { used_ = static_cast<std::int64_t>(bytes.count); }

 private:
  using Place = std::function<Status(int directory, const std::string& name)>;
  struct Judged;

  Shelf(const Options& options, std::unique_ptr<Layout> layout);
  Result<bool> link_known(Record& record, const std::string& id);
  Result<bool> link_blob(const Record& record, int room, const std::string& as);
  Result<bool> swap_for_blob(const Record& record, const std::string& id);
  Status shelve_copy(int file, Record& record, const std::string& id);
  Status shelve(int file, const Place& place, Record& record, const std::string& id);
  Status settle(int file, const Place& place, const Record& record, const std::string& id);
  Result<std::string> publish(const Record& record, std::string id);
  Status write_record(const Record& record, const std::string& id);
  void touch(const std::string& id) const;
  void drop_content(const Record& record, const std::string& id);

  [[nodiscard]] Result<Record> read_record(const std::string& id) const;
  Result<os::OwnedFd> unpacked(int file, const Record& record);
  std::unexpected<Error> damaged(const Record& record, const std::string& id);
  void set_aside(const std::string& blob, std::uint64_t inode);
  [[nodiscard]] Result<bool> is_intact(int file, const Record& record) const;
  Status judge_ids(Judged& judged);
  Status judge_blobs(Judged& judged);
  std::mutex& stripe(std::string_view digest) {
    return stripes_[static_cast<unsigned char>(digest.front()) % stripes_.size()];
  }

  Compression compression_;
  Bytes quota_;
  std::unique_ptr<Layout> layout_;
  std::atomic<std::int64_t> used_ = 0;
  // Between the threads of this process: nobody links to a blob that is about to go.
  std::array<std::mutex, 16> stripes_;
};

std::unexpected<Error> not_found(std::string why);

}  // namespace assay::store
