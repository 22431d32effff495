#include "app/daemon/package.h"

#include "judge/problem_languages.h"
#include "judge/unpacked_files.h"
#include "os/file.h"
#include "package/load.h"
#include "service/packages.h"

namespace assay::daemon {
namespace {

using namespace std::chrono_literals;

// Tests are larger than submissions.
constexpr judge::ArchiveLimits kLimits{
    .archive = service::kLargestPackage, .total = 512_MiB, .entries = 20'000, .ratio = 1000};
const sandbox::Limits kTime{.cpu_time = 60s, .wall_time = 120s};

// All files of a package in one: as many descriptors as it has tests would be too many to keep, and
// what several tests name is there once.
class Pack {
 public:
  explicit Pack(os::OwnedFd file) : file_(std::make_shared<const os::OwnedFd>(std::move(file))) {}

  Status begin(std::string_view name) {
    current_ = &files_[std::string(name)];
    *current_ = {.file = file_, .part = judge::FilePart{.offset = end_}};
    return {};
  }
  Status add(std::string_view bytes) {
    TRY_STATUS(os::write_all(file_->get(), bytes));
    current_->part->size += bytes.size();
    end_ += bytes.size();
    return {};
  }
  judge::UnpackedFiles::Files take() { return std::move(files_); }

 private:
  std::shared_ptr<const os::OwnedFd> file_;
  std::uint64_t end_ = 0;
  judge::UnpackedFiles::Files files_;
  judge::Content* current_ = nullptr;
};

// As a Status: whoever stopped us is told nothing of it.
Status go_on_unless(const judge::Cancellation& cancellation) {
  if (cancellation.is_cancelled()) return system_error(ECANCELED, "unpack a package");
  return {};
}

}  // namespace

Result<judge::Problem> problem_of_package(const PackageTools& tools, const judge::Content& archive,
                                          judge::Cancellation& cancellation) {
  Pack pack(TRY(tools.store.scratch()));
  const os::OwnedFd stream = TRY(tools.store.scratch());
  const judge::FileTaker taker{.begin = [&](std::string_view name) { return pack.begin(name); },
                               .add = [&](std::string_view bytes) -> Status {
                                 TRY_STATUS(go_on_unless(cancellation));
                                 return pack.add(bytes);
                               }};
  const judge::Unpacked unpacked = TRY(tools.unpacker.unpack_large(
      tools.engine, archive, kLimits, {.stream = stream.get(), .taker = taker, .limits = kTime},
      cancellation));
  if (!unpacked.refusal.empty()) return invalid("the package: " + unpacked.refusal);
  const config::Catalogue::Snapshot set = tools.catalogue.current();
  judge::Problem problem =
      TRY(package::load_package(judge::UnpackedFiles(pack.take()), set->languages));
  TRY_STATUS(judge::check_languages(problem, set->languages));
  return problem;
}

}  // namespace assay::daemon
