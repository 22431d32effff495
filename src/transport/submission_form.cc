#include "transport/submission_form.h"

namespace assay::transport {
namespace {

constexpr std::size_t kMostFiles = 1000;

}  // namespace

SubmissionForm::SubmissionForm(std::string boundary)
    : reader_(std::move(boundary),
              {.begin = [this](const FormReader::Part& part) { return begin(part); },
               .write =
                   [this](std::string_view bytes) {
                     current_->append(bytes);
                     size_ += bytes.size();
                     return parts_.archive.size() <= wire::kLargestArchive.count;
                   }}) {}

FormReader::Wish SubmissionForm::begin(const FormReader::Part& part) {
  if (part.name == "request") {
    parts_.request.clear();
    current_ = &parts_.request;
  } else if (part.name == "archive" && !parts_.has_archive) {
    parts_.has_archive = true;
    current_ = &parts_.archive;
  } else if (part.name == "source" && parts_.files.sources.size() < kMostFiles) {
    judge::SourceFile& file = parts_.files.sources.emplace_back();
    file.name = part.file_name;
    current_ = &file.content;
  } else {
    unknown_ = part.name;
    return FormReader::Wish::Stop;
  }
  return FormReader::Wish::Take;
}

Result<SubmissionForm::Parts> SubmissionForm::finish() {
  if (!unknown_.empty())
    return invalid("a form has one 'request', at most one 'archive' and up to 1000 'source' parts");
  if (parts_.archive.size() > wire::kLargestArchive.count)
    return invalid("archive: an archive has at most " + format_bytes(wire::kLargestArchive));
  if (!reader_.is_complete()) return invalid("not a whole form");
  return std::move(parts_);
}

}  // namespace assay::transport
