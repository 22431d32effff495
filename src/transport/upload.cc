#include "transport/upload.h"

#include "os/file.h"

namespace assay::transport {

Upload::Upload(store::Store& store, std::string_view content_type) : store_(store) {
  std::string boundary = boundary_of(content_type);
  if (boundary.empty()) return;
  form_ = std::make_unique<FormReader>(
      std::move(boundary),
      FormReader::Writer{.begin = [this](const FormReader::Part& part) { return begin(part); },
                         .write =
                             [this](std::string_view bytes) {
                               return write(bytes);
                             }});
}

// The first file called "file".
FormReader::Wish Upload::begin(const FormReader::Part& part) {
  if (found_ || part.file_name.empty() || part.name != "file") return FormReader::Wish::Skip;
  found_ = true;
  name_ = part.file_name;
  auto file = store_.scratch();
  if (!file) {
    trouble_ = std::unexpected(file.error());
    return FormReader::Wish::Stop;
  }
  file_ = *std::move(file);
  return FormReader::Wish::Take;
}

bool Upload::write(std::string_view bytes) {
  trouble_ = os::write_all(file_.get(), bytes);
  return trouble_.has_value();
}

bool Upload::put(std::string_view bytes) {
  return form_ == nullptr || form_->put(bytes);
}

Result<std::string> Upload::finish() {
  if (!trouble_) return std::unexpected(trouble_.error());
  if (form_ == nullptr || !form_->is_complete()) return invalid("not a whole form");
  if (!found_) return invalid("no part 'file' with a file name");
  return store_.keep(name_, std::move(file_));
}

}  // namespace assay::transport
