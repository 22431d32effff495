// Where bytes come from that a client names instead of sending them.
#pragma once

#include <string>

#include "judge/content.h"

namespace assay::service {

class Contents {
 public:
  virtual ~Contents() = default;
  virtual Result<judge::Content> stored(const std::string& file_id) = 0;
  virtual Result<judge::Content> host_file(const std::string& path) = 0;  // allowed prefixes only
  virtual Result<judge::Content> text(std::string text) = 0;  // as sent; a large one leaves memory
};

}  // namespace assay::service
