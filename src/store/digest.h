// SHA-256 of contents, in the lower-case hex that names a blob.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::store {

class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void update(std::string_view bytes);
  std::string finish();  // 64 hex digits; call it once

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string digest_of(std::string_view bytes);
Result<std::string> digest_of_file(int fd);  // of all of it; the offset is left alone
bool is_digest(std::string_view text);

}  // namespace assay::store
