// A submission that comes as a form: a part "request" with the JSON, and files in parts "source"
// (any number) or "archive".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "transport/multipart.h"
#include "wire/judging.h"

namespace assay::transport {

class SubmissionForm {
 public:
  explicit SubmissionForm(std::string boundary);

  bool put(std::string_view bytes) { return reader_.put(bytes); }  // false: no use in more
  [[nodiscard]] std::size_t size() const { return size_; }

  struct Parts {
    std::string request = "{}";
    wire::SentFiles files{};
    std::string archive{};
    bool has_archive = false;
  };
  Result<Parts> finish();

 private:
  FormReader::Wish begin(const FormReader::Part& part);

  Parts parts_{};
  std::string* current_ = nullptr;
  std::size_t size_ = 0;
  std::string unknown_{};
  FormReader reader_;
};

}  // namespace assay::transport
