#include "sandbox/transfer.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "os/file.h"

namespace assay::sandbox {
namespace {

// copy_file_range and sendfile do not take every pair of files; plain reading and writing does.
Status copy_by_hand(int from, int to) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read");
    if (got == 0) return {};
    TRY_STATUS(os::write_all(to, {buffer.data(), static_cast<std::size_t>(got)}));
  }
}

Status copy(int from, int to) {
  for (;;) {
    const ssize_t sent = ::sendfile(to, from, nullptr, 1 << 30);
    if (sent > 0) continue;
    if (sent == 0) return {};
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == ENOSYS) return copy_by_hand(from, to);
    return system_error("copy");
  }
}

Status put_in_one(BoxHandle& box, const FileIn& file) {
  auto created = box.create_file(file.name, file.executable ? 0755 : 0644);
  if (!created)
    return std::unexpected(
        Error{Fault::InvalidRequest, created.error().code, "put '" + file.name + "' into the box"});
  const Status copied = copy(file.source, created->get());
  if (!copied)
    return std::unexpected(
        Error{copied.error().fault, copied.error().code, "fill '" + file.name + "' in the box"});
  return {};
}

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "it does not exist";
    case ELOOP:
      return "it is, or is reached through, a symbolic link";
    case EXDEV:
      return "it leaves the box";
    case EISDIR:
      return "it is a directory";
    case EINVAL:
      return "it is not a regular file";
    case ENXIO:
      return "it is not a regular file";
    case ENOTDIR:
      return "a part of its path is not a directory";
    default:
      return describe(Error{Fault::System, error, "it could not be opened"});
  }
}

// The descriptor comes from inside the box: look at it before reading a byte.
std::optional<FileError> take_out_one(BoxHandle& box, const FileOut& file) {
  auto opened = box.open_out(file.name);
  if (!opened) return FileError{file.name, reason(opened.error().code), opened.error().code};
  struct stat found{};
  if (::fstat(opened->get(), &found) < 0 || !S_ISREG(found.st_mode))
    return FileError{file.name, "it is not a regular file", EINVAL};
  if (static_cast<std::uint64_t>(found.st_size) > file.limit.count)
    return FileError{file.name, "it is larger than " + format_bytes(file.limit), EFBIG};
  (void)::fcntl(opened->get(), F_SETFL, 0);
  if (const Status copied = copy(opened->get(), file.sink); !copied)
    return FileError{file.name, describe(copied.error()), copied.error().code};
  return std::nullopt;
}

}  // namespace

Status put_in(BoxHandle& box, const Spec& spec) {
  for (const FileIn& file : spec.files_in)
    TRY_STATUS(put_in_one(box, file));
  return {};
}

void take_out(BoxHandle& box, const Spec& spec, Facts& facts) {
  for (const FileOut& file : spec.files_out)
    if (auto error = take_out_one(box, file)) facts.file_errors.push_back(std::move(*error));
}

}  // namespace assay::sandbox
