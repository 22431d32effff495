// A file on its way from a form into the store, without ever being in our memory as a whole.
#pragma once

#include <memory>
#include <string_view>

#include "store/store.h"
#include "transport/multipart.h"

namespace assay::transport {

class Upload {
 public:
  Upload(store::Store& store, std::string_view content_type);

  bool put(std::string_view bytes);  // false: no use in sending more

  // The id, or why there is none: InvalidRequest when the form or its part is missing.
  Result<std::string> finish();

 private:
  FormReader::Wish begin(const FormReader::Part& part);
  bool write(std::string_view bytes);

  store::Store& store_;
  std::string name_;
  os::OwnedFd file_;
  bool found_ = false;
  Status trouble_{};
  std::unique_ptr<FormReader> form_;  // null: it was no form
};

}  // namespace assay::transport
