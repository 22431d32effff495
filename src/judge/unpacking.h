// Archives become files. A hostile archive never meets a decoder in this process: assay-unpack
// reads it in a box of its own, and what that says is checked again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/cancellation.h"
#include "judge/submission.h"

namespace assay::judge {

struct ArchiveLimits {
  Bytes archive = 16_MiB;  // as it comes
  Bytes total = 64_MiB;    // of all files
  std::uint64_t entries = 2000;
  std::uint64_t depth = 16;   // of directories
  std::uint64_t name = 200;   // bytes of a whole path
  std::uint64_t ratio = 200;  // total to archive; the first mebibyte is free
  bool operator==(const ArchiveLimits&) const = default;
};

constexpr const char* kUnpackProfile = "unpack";

struct Unpacked {
  std::vector<SourceFile> files{};
  std::vector<std::string> directories{};  // those that are listed
  std::string refusal{};                   // one sentence: why there are none
};

// Takes files as they come, so that none has to be in memory: first the name, then the bytes of
// that file, in pieces. A Status that is none ends it, and is ours.
struct FileTaker {
  std::function<Status(std::string_view name)> begin{};
  std::function<Status(std::string_view bytes)> add{};
};

// An archive that is too large to be held in memory, and so are its files. The box reads the file
// itself: it has no other name there, and its filter knows neither locks nor leases.
struct LargeArchive {
  int stream = -1;    // an empty file, for what the unpacker says
  FileTaker taker{};  // what it took of an archive that is refused in the end was in vain
  sandbox::Limits limits{};
};

// The program that unpacks, as its file was when it was opened.
class Unpacker {
 public:
  // Empty: assay-unpack beside this program. Once, with the right to read it.
  static Result<Unpacker> open(std::string path = {});

  // An Error is ours. One that was cancelled is refused.
  Result<Unpacked> unpack(sandbox::Sandbox& engine, const Content& archive,
                          const ArchiveLimits& limits, Cancellation& cancellation) const;
  // The same; the result has no files.
  Result<Unpacked> unpack_large(sandbox::Sandbox& engine, const Content& archive,
                                const ArchiveLimits& limits, const LargeArchive& large,
                                Cancellation& cancellation) const;

 private:
  struct Streams {
    int input = -1, output = -1;
    sandbox::Limits limits{};
  };
  // Why there is nothing to read; empty when there is.
  Result<std::string> run(sandbox::Sandbox& engine, const Streams& streams,
                          const ArchiveLimits& limits, Cancellation& cancellation) const;

  explicit Unpacker(os::OwnedFd program) : program_(std::move(program)) {}
  os::OwnedFd program_;
};

}  // namespace assay::judge
