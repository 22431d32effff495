#include "app/cli/bench_guest.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "os/file.h"

#define GUEST(name)                                   \
  extern "C" const char assay_guest_##name##_begin[]; \
  extern "C" const char assay_guest_##name##_end[]
GUEST(tiny);
GUEST(spin);
GUEST(crash);
GUEST(work);
GUEST(burn);
GUEST(talk);
GUEST(hostile);
GUEST(roam);
#undef GUEST

namespace assay::cli {
namespace {

constexpr const char* kName = "guest";

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view image_of(Guest guest) {
  switch (guest) {
    case Guest::Tiny:
      return between(assay_guest_tiny_begin, assay_guest_tiny_end);
    case Guest::Spin:
      return between(assay_guest_spin_begin, assay_guest_spin_end);
    case Guest::Crash:
      return between(assay_guest_crash_begin, assay_guest_crash_end);
    case Guest::Work:
      return between(assay_guest_work_begin, assay_guest_work_end);
    case Guest::Burn:
      return between(assay_guest_burn_begin, assay_guest_burn_end);
    case Guest::Talk:
      return between(assay_guest_talk_begin, assay_guest_talk_end);
    case Guest::Hostile:
      return between(assay_guest_hostile_begin, assay_guest_hostile_end);
    case Guest::Roam:
      return between(assay_guest_roam_begin, assay_guest_roam_end);
  }
  return {};
}

}  // namespace

Result<GuestFile> GuestFile::make(Guest guest) {
  std::array<char, 32> path{"/tmp/assay-bench-XXXXXX"};
  const os::OwnedFd writer(::mkostemp(path.data(), O_CLOEXEC));
  if (!writer.is_open()) return system_error("make a temporary file in '/tmp'");
  GuestFile file(path.data(), os::OwnedFd());
  TRY_STATUS(os::write_all(writer.get(), image_of(guest)));
  if (::fchmod(writer.get(), 0755) < 0) return system_error("make '" + file.path_ + "' executable");
  file.image_ = TRY(os::open(file.path_, O_RDONLY));
  return file;
}

GuestFile::~GuestFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::vector<std::string> GuestFile::bare(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), path_);
  return arguments;
}

sandbox::Spec GuestFile::boxed(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), std::string("./") + kName);
  return {.argv = std::move(arguments),
          .files_in = {{.name = kName, .source = image(), .executable = true}}};
}

sandbox::Spec GuestFile::boxed_by_descriptor() const {
  return {.argv = {"/proc/self/fd/3"}, .more_streams = {sandbox::Descriptor{image()}}};
}

}  // namespace assay::cli
