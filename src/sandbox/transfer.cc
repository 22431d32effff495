#include "sandbox/transfer.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "os/file.h"
#include "sandbox/host_failure.h"
#include "sandbox/request.h"
#include "sandbox/streams.h"
#include "sandbox/tree.h"

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

FileError not_made(const std::string& name, int error, bool link) {
  return {name, describe(Error{Fault::System, error, "make it"}), error,
          link ? FileStage::Link : FileStage::Create};
}

FileError not_filled(const std::string& name, int error) {
  return {name, describe(Error{Fault::System, error, "fill it"}), error, FileStage::Fill};
}

// A file that the box lent us and what is to go into it.
std::optional<FileError> fill(const FileIn& file, int into) {
  const Status filled =
      file.source >= 0 ? copy(file.source, into) : os::write_all(into, file.content);
  if (filled) return std::nullopt;
  return not_filled(file.name, filled.error().code);
}

using FileOrder = BoxHandle::FileOrder;

std::vector<FileOrder> orders_for(const Spec& spec) {
  std::vector<FileOrder> orders;
  for (const DirectoryIn& directory : spec.directories_in)
    orders.push_back(
        {.order = inside::Order::MakeDirectory, .name = directory.name, .mode = directory.mode});
  for (const FileIn& file : spec.files_in)
    orders.push_back({.order = inside::Order::Create, .name = file.name, .mode = mode_of(file)});
  for (const LinkIn& link : spec.links_in)
    orders.push_back({.order = inside::Order::MakeLink, .name = link.name, .target = link.target});
  return orders;
}

std::optional<FileError> first_not_made(std::span<const FileOrder> orders,
                                        std::span<const Result<os::OwnedFd>> made) {
  for (std::size_t i = 0; i < made.size(); ++i)
    if (!made[i])
      return not_made(orders[i].name, made[i].error().code,
                      orders[i].order == inside::Order::MakeLink);
  return std::nullopt;
}

Result<std::optional<FileError>> share(BoxHandle& box, const Spec& spec) {
  std::vector<const BoxFile*> shared;
  std::vector<FileOrder> orders;
  for (const Stream* stream : streams_of(spec)) {
    const auto* file = std::get_if<BoxFile>(stream);
    if (file == nullptr) continue;
    shared.push_back(file);
    orders.push_back({.order = inside::Order::CreateShared, .name = file->name, .mode = 0777});
  }
  std::vector<Result<os::OwnedFd>> made = TRY(box.shared_files(orders));
  if (auto error = first_not_made(orders, made)) return error;
  for (std::size_t i = 0; i < shared.size(); ++i)
    *shared[i]->file = *std::move(made[i]);
  return std::nullopt;
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

Status copy_text(int from, std::uint64_t size, std::string& into) {
  into.resize(size);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(from, into.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  into.resize(have);
  return {};
}

Status copy_some(int from, std::uint64_t size, int into) {
  while (size > 0) {
    const ssize_t sent = ::sendfile(into, from, nullptr, std::min<std::uint64_t>(size, 1 << 30));
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return system_error("copy");
    if (sent == 0) return {};
    size -= static_cast<std::uint64_t>(sent);
  }
  return {};
}

// The descriptor comes from inside the box: look at it before reading a byte.
std::optional<FileError> take_out_one(const FileOut& file, const Result<os::OwnedFd>& opened) {
  const auto failed = [&](FileStage stage, std::string why, int error) {
    return FileError{file.name, std::move(why), error, stage};
  };
  if (!opened) {
    const int error = opened.error().code;
    const bool odd = error == EISDIR || error == EINVAL || error == ENXIO || error == ELOOP;
    const bool ours = is_the_hosts(error) || error == ENOMEM;  // not that it is not there
    return failed(odd    ? FileStage::NotRegular
                  : ours ? FileStage::Take
                         : FileStage::Open,
                  reason(error), error);
  }
  struct stat found{};
  if (::fstat(opened->get(), &found) < 0)
    return failed(FileStage::Take, "it could not be looked at", errno);
  if (!S_ISREG(found.st_mode))
    return failed(FileStage::NotRegular, "it is not a regular file", EINVAL);
  const auto size = static_cast<std::uint64_t>(found.st_size);
  const bool too_large = size > file.limit.count;
  if (!too_large || file.truncate) {
    (void)::fcntl(opened->get(), F_SETFL, 0);
    const std::uint64_t taken = std::min(size, file.limit.count);
    const Status copied = file.text != nullptr ? copy_text(opened->get(), taken, *file.text)
                                               : copy_some(opened->get(), taken, file.sink);
    if (!copied) return failed(FileStage::Take, describe(copied.error()), copied.error().code);
  }
  if (!too_large) return std::nullopt;
  return failed(FileStage::TooLarge, "it is larger than " + format_bytes(file.limit), EFBIG);
}

}  // namespace

Result<std::optional<FileError>> put_in(BoxHandle& box, const Spec& spec, bool files_travel) {
  if (auto error = TRY(share(box, spec))) return error;
  if (files_travel) return std::nullopt;
  const std::vector<FileOrder> orders = orders_for(spec);
  std::vector<Result<os::OwnedFd>> made = TRY(box.serve_files(orders));
  if (auto error = first_not_made(orders, made)) return error;
  const std::size_t first = spec.directories_in.size();
  for (std::size_t i = 0; i < spec.files_in.size(); ++i)
    if (auto error = fill(spec.files_in[i], made[first + i]->get())) return error;
  return std::nullopt;
}

FileError explain_put_in(const inside::Ended& ended, const Spec& spec) {
  const std::vector<FileOrder> orders = orders_for(spec);
  const FileOrder program{.name = spec.argv.front()};
  const FileOrder& order = ended.index < orders.size() ? orders[ended.index] : program;
  if (ended.status == static_cast<std::int32_t>(inside::PutInStage::Fill))
    return not_filled(order.name, ended.error);
  return not_made(order.name, ended.error, order.order == inside::Order::MakeLink);
}

Status take_out(BoxHandle& box, const Spec& spec, Facts& facts) {
  std::vector<FileOrder> orders;
  for (const FileOut& file : spec.files_out)
    orders.push_back({.order = inside::Order::OpenOut, .name = file.name});
  const auto opened = TRY(box.serve_files(orders));
  for (std::size_t i = 0; i < opened.size(); ++i)
    if (auto error = take_out_one(spec.files_out[i], opened[i]))
      facts.file_errors.push_back(std::move(*error));
  for (const TreeOut& tree : spec.trees_out)
    TRY_STATUS(look_below(box, tree, facts));
  return {};
}

}  // namespace assay::sandbox
