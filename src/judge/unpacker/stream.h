// What assay-unpack writes to its stdout, and what reads it. Numbers are little-endian. The reader
// trusts nothing in it.
//
//   stream:  magic, then records until Done or Refused, and nothing after that
//   record:  one byte kind, u32 length, `length` bytes
//
// File, Executable and Directory carry a name. Data belongs to the file before it, in order, and
// there may be none. Refused carries a sentence.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::judge::unpacker {

constexpr std::string_view kMagic = "ASSAYUN1";
constexpr std::uint32_t kLargestData = 64 << 10;  // of one record
constexpr std::uint32_t kLargestName = 4096;
constexpr std::uint32_t kLargestSentence = 1024;
constexpr std::uint32_t kRecordHead = 5;

enum class Kind : char {
  File = 'F',
  Executable = 'X',
  Directory = 'P',
  Data = 'D',
  Done = 'Z',
  Refused = 'R',
};

// What it is started with, in this order: bytes of all files, entries, depth, bytes of a name, and
// how many bytes all files may have by the ratio.
constexpr int kArguments = 5;

}  // namespace assay::judge::unpacker
