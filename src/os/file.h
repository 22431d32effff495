// Small files read and written whole: cgroup and proc files, profiles, policies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "os/fd.h"

namespace assay::os {

Result<std::string> read_whole(const std::string& path);
Result<std::string> read_from_start(int fd,
                                    std::size_t most = 4096);  // pread: the offset is left alone
Status write_whole(const std::string& path, std::string_view content);
Status write_at_start(int fd, std::string_view content);
Status write_all(int fd, std::string_view content);

Result<OwnedFd> memory(const char* name);  // an anonymous file, empty, to write into

// An anonymous file that nobody can change any more, at its start.
Result<OwnedFd> sealed_memory(const char* name, std::string_view content, bool executable = false);

// The same with what can be read from `source`.
Result<OwnedFd> sealed_copy(const char* name, int source);

Status make_directory(const std::string& path, unsigned mode);  // an existing one is fine
bool exists(const std::string& path);
std::string own_directory();  // of this program's binary

}  // namespace assay::os
