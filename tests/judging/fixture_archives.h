// Archives of every kind, made in memory, hostile ones too.
#pragma once

#include <string>
#include <vector>

namespace assay::test {

enum class EntryType { File, Directory, SymbolicLink, HardLink, Fifo, Device, Socket };

struct Packed {
  std::string name{};
  std::string content{};  // of a link: where it leads to
  EntryType type = EntryType::File;
  unsigned mode = 0644;
};

struct Packing {
  std::string format = "tar";  // or "zip", "pax"
  std::string filter{};        // "gzip", "bzip2", "xz", "zstd"
  std::string password{};      // zip only
  int times = 1;               // the filter, one around the other
};

std::string pack(const std::vector<Packed>& entries, const Packing& how = {});

// So many empty files, without a list of them.
std::string pack_empty(std::size_t count, const Packing& how);

// A header of a tar file, for sizes that no writer would write.
std::string tar_header(const std::string& name, const std::string& octal_size);

// Every place of `from` becomes `to`, which is as long.
std::string patched(std::string archive, const std::string& from, const std::string& to);

// The files of a directory.
std::vector<Packed> files_below(const std::string& directory);

}  // namespace assay::test
