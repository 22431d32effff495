// What is put as a problem, in whatever pieces it comes: JSON or an archive.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "transport/problem_body.h"

namespace assay::fuzz {
namespace {

store::Store& scratch_store() {
  static store::Store store = [] {
    const std::string name = "assay-fuzz-" + std::to_string(::getpid());
    auto opened = store::Store::open({.directory = std::filesystem::temp_directory_path() / name,
                                      .temporary = true,
                                      .durable = false});
    CHECK(opened.has_value());
    return *std::move(opened);
  }();
  return store;
}

struct TakenBody {
  bool archive = false;
  std::string content{}, digest{};
  bool operator==(const TakenBody&) const = default;
};

TakenBody take_body(std::string_view type, std::string_view bytes, std::size_t piece) {
  transport::Budget budget(1_MiB);
  transport::ProblemBody body(scratch_store(), budget, type);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    CHECK(body.put(bytes.substr(0, piece)));
  CHECK(body.finish() && body.trouble() && !body.is_too_large());
  TakenBody taken{.archive = body.is_archive(), .content = body.text(), .digest = body.digest()};
  if (!taken.archive) return taken;
  CHECK(taken.content.empty());
  const os::OwnedFd file = body.take_archive();
  struct stat status{};
  CHECK(::fstat(file.get(), &status) == 0);
  taken.content.resize(static_cast<std::size_t>(status.st_size));
  CHECK(::pread(file.get(), taken.content.data(), taken.content.size(), 0) == status.st_size);
  return taken;
}

}  // namespace

// Nothing of it is lost on its way to a text or a file, and which of them it is does not depend on
// how it came.
void problem_body(std::string_view bytes) {
  Slices in(bytes);
  const std::size_t piece = 1 + in.byte();
  const std::string type(in.part());
  const std::string_view body = in.rest();
  const TakenBody whole = take_body(type, body, SIZE_MAX);
  CHECK(whole.content == body && whole.digest == store::digest_of(body));
  CHECK(whole == take_body(type, body, piece));
  CHECK(!whole.archive || !type.starts_with("application/json;"));
  CHECK(whole.archive || !type.starts_with("application/zip;"));
  if (type.empty() && body.starts_with('{')) CHECK(!whole.archive);
}

}  // namespace assay::fuzz
