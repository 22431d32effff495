#include "judge/unpacking.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "judge/unpack_stream.h"
#include "judge/unpacker/stream.h"
#include "os/file.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;

constexpr const char* kProgram = "assay-unpack";
constexpr std::uint64_t kFree = std::uint64_t{1} << 20;  // whatever the ratio

// What the stream may have beyond the files: heads of records, names, and a sentence.
std::uint64_t most_stream(const ArchiveLimits& limits) {
  const std::uint64_t heads = limits.total.count / 512 * unpacker::kRecordHead;
  return limits.total.count + heads + limits.entries * (limits.name + 64) + 4096;
}

std::vector<std::string> arguments(const ArchiveLimits& limits, Bytes archive) {
  return {"./assay-unpack",
          std::to_string(limits.total.count),
          std::to_string(limits.entries),
          std::to_string(limits.depth),
          std::to_string(limits.name),
          std::to_string(archive.count * limits.ratio + kFree)};
}

// Why the run did not come to its end; empty when it did.
std::string complaint(const sandbox::Facts& facts) {
  if (facts.cut_off_by == CutOff::Cpu || facts.cut_off_by == CutOff::Wall)
    return "the archive takes too long to unpack";
  if (facts.cut_off_by == CutOff::Output) return "the archive has too much in it";
  if (facts.cut_off_by == CutOff::Memory || facts.oom_kills > 0)
    return "the archive takes too much memory to unpack";
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  if (exited == nullptr || exited->code != 0) return "the archive broke the unpacker";
  return "";
}

bool was_cancelled(const sandbox::Facts& facts) {
  return facts.cut_off_by == CutOff::Cancelled || facts.cut_off_by == CutOff::Terminated ||
         facts.cut_off_by == CutOff::Shutdown;
}

Result<Unpacked> read_stream(int file, const ArchiveLimits& limits, const FileTaker* taker) {
  const Bytes size = TRY(size_of(file));
  if (size.count == 0) return read_unpacked("", limits, taker);
  void* bytes = ::mmap(nullptr, size.count, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return system_error("look at what was unpacked");
  auto unpacked = read_unpacked({static_cast<const char*>(bytes), size.count}, limits, taker);
  ::munmap(bytes, size.count);
  return unpacked;
}

// With a place of its own in it, and for reading only.
Result<os::OwnedFd> opened_anew(int file) {
  return os::open(fmt::format("/proc/self/fd/{}", file), O_RDONLY);
}

// A file of its own may also be called a part of itself.
bool is_whole_file(const Content& archive) {
  if (!archive.file || !archive.part) return archive.file != nullptr;
  const auto size = size_of(archive.file->get());
  return size && archive.part->offset == 0 && archive.part->size == size->count;
}

// The order is ours alone: what is wrong with it is not the archive's fault.
Error as_ours(Error error) {
  error.fault = Fault::System;
  return error;
}

}  // namespace

Result<Unpacker> Unpacker::open(std::string path) {
  if (path.empty()) path = os::own_directory() + "/" + kProgram;
  return Unpacker(TRY(os::open(path, O_RDONLY)));
}

Result<std::string> Unpacker::run(sandbox::Sandbox& engine, const Streams& streams,
                                  const ArchiveLimits& limits, Cancellation& cancellation) const {
  // Others who unpack at the same time must not move our place in it.
  const os::OwnedFd program = TRY(opened_anew(program_.get()));
  const Bytes size = TRY(size_of(streams.input));
  if (size > limits.archive)
    return fmt::format("the archive is larger than {}", format_bytes(limits.archive));
  const Bytes most{most_stream(limits)};
  sandbox::Spec spec{.profile = kUnpackProfile,
                     .argv = arguments(limits, size),
                     .input = sandbox::Descriptor{streams.input},
                     .output = sandbox::Collect{.sink = streams.output, .limit = most},
                     .files_in = {{.name = kProgram, .source = program.get(), .executable = true}},
                     .limits = streams.limits};
  spec.limits.output = most;
  auto ran = cancellation.run(engine, spec);
  if (!ran) return std::unexpected(as_ours(std::move(ran).error()));
  const sandbox::Facts facts = *std::move(ran);
  if (was_cancelled(facts)) return "cancelled";
  if (const auto* failure = std::get_if<sandbox::NotStarted>(&facts.end))
    return system_error(0, "the unpacker does not start: " + describe(*failure));
  return complaint(facts);
}

Result<Unpacked> Unpacker::unpack(sandbox::Sandbox& engine, const Content& archive,
                                  const ArchiveLimits& limits, Cancellation& cancellation) const {
  const os::OwnedFd input = TRY(sealed(archive));
  const os::OwnedFd output = TRY(nameless_file());
  std::string why =
      TRY(run(engine, {.input = input.get(), .output = output.get()}, limits, cancellation));
  if (!why.empty()) return Unpacked{.refusal = std::move(why)};
  return read_stream(output.get(), limits, nullptr);
}

Result<Unpacked> Unpacker::unpack_large(sandbox::Sandbox& engine, const Content& archive,
                                        const ArchiveLimits& limits, const LargeArchive& large,
                                        Cancellation& cancellation) const {
  const os::OwnedFd input =
      TRY(is_whole_file(archive) ? opened_anew(archive.file->get()) : sealed(archive));
  std::string why =
      TRY(run(engine, {.input = input.get(), .output = large.stream, .limits = large.limits},
              limits, cancellation));
  if (!why.empty()) return Unpacked{.refusal = std::move(why)};
  return read_stream(large.stream, limits, &large.taker);
}

}  // namespace assay::judge
