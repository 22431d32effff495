#include "service/stored_contents.h"

#include <fmt/format.h>

#include "os/file.h"

namespace assay::service {
namespace {

judge::Content held(os::OwnedFd file) {
  return {.file = std::make_shared<const os::OwnedFd>(std::move(file))};
}

// A directory, a FIFO, a file that we may not read: whoever named it is told, and it is no fault of
// ours.
bool is_the_files_own(int code) {
  return code == EISDIR || code == EINVAL || code == EACCES || code == ELOOP ||
         code == ENAMETOOLONG;
}

}  // namespace

Result<judge::Content> StoredContents::stored(const std::string& file_id) {
  auto opened = store_.get(file_id);
  if (opened) return held(std::move(opened->file));
  if (opened.error().fault == Fault::System) return std::unexpected(std::move(opened).error());
  return invalid("no file has this id");
}

Result<judge::Content> StoredContents::host_file(const std::string& path) {
  if (!open_)
    return invalid("files of the host are served below -src-prefix only, and none is set");
  auto opened = open_(path);
  if (!opened && is_the_files_own(opened.error().code)) return invalid(describe(opened.error()));
  judge::Content content = held(TRY(std::move(opened)));
  content.path = path;
  return content;
}

// A problem may be kept for long and have many tests: what is large goes to the store's disk.
Result<judge::Content> StoredContents::text(std::string text) {
  if (text.size() <= kInMemory.count) return judge::Content{.text = std::move(text)};
  os::OwnedFd file = TRY(store_.scratch());
  TRY_STATUS(os::write_all(file.get(), text));
  return held(std::move(file));
}

}  // namespace assay::service
