#include "service/contents.h"
#include "service/service.h"

namespace assay::service {

Result<judge::Content> Contents::add_text(std::string text, TextFile&) {
  return this->text(std::move(text));
}

std::shared_ptr<const os::OwnedFd> Contents::adopt(os::OwnedFd file) {
  return std::make_shared<const os::OwnedFd>(std::move(file));
}

template <typename Open>
Result<judge::Content> OwnContents::once(Opened& opened, const std::string& name,
                                         const Open& open) {
  if (const auto known = opened.find(name); known != opened.end()) return known->second;
  if (stored_.size() + on_host_.size() >= kMostFilesOfARequest)
    return invalid("a request names at most " + std::to_string(kMostFilesOfARequest) +
                   " different files");
  judge::Content content = TRY(open(name));
  if (content.file) opened.emplace(name, content);
  return content;
}

Result<judge::Content> OwnContents::stored(const std::string& file_id) {
  return once(stored_, file_id, [this](const std::string& id) { return all_.stored(id); });
}

Result<judge::Content> OwnContents::host_file(const std::string& path) {
  return once(on_host_, path, [this](const std::string& name) { return all_.host_file(name); });
}

Result<judge::Content> OwnContents::text(std::string text) {
  return all_.add_text(std::move(text), texts_);
}

std::shared_ptr<const os::OwnedFd> OwnContents::adopt(os::OwnedFd file) {
  return all_.adopt(std::move(file));
}

Status Supply::count_source(Bytes size) {
  if (size > kLargestSource) return invalid("larger than " + format_bytes(kLargestSource));
  const Bytes together{sources_.count + size.count};
  if (together > kMostSourceBytes)
    return invalid("the sources of a request have at most " + format_bytes(kMostSourceBytes) +
                   " together");
  if (cover_ && !cover_(together.count))
    return std::unexpected(Error{Fault::Busy, 0, kTooManyBytes});
  sources_ = together;
  return {};
}

Result<std::string> Supply::source(const judge::Content& content) {
  TRY_STATUS(count_source(TRY(judge::size_of(content))));
  return judge::whole(content, kLargestSource);
}

}  // namespace assay::service
