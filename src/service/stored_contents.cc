#include "service/stored_contents.h"

#include <fmt/format.h>

#include "os/file.h"

namespace assay::service {
namespace {

judge::Content held(os::OwnedFd file) {
  return {.file = std::make_shared<const os::OwnedFd>(std::move(file))};
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
  judge::Content content = held(TRY(open_(path)));
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
