// /proc of other processes, as values. Whoever is gone reads as empty.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::test::proc {

// Of one thread; `process` alone means its first.
struct Thread {
  int process = 0;
  int thread = 0;
};

std::string text(const Thread& of, const std::string& file);
std::string link(const Thread& of, const std::string& file);
std::vector<int> threads(int process);
std::map<std::string, std::string> status(const Thread& of);

// Field N of stat as proc(5) counts them; N is 3 or more.
long long stat_field(const Thread& of, unsigned number);

std::map<int, std::string> descriptors(int process);     // what each points to
std::vector<std::string> environment(int process);       // sorted
std::map<std::string, std::string> limits(int process);  // "Max open files" -> "256 256"

struct Mount {
  std::string host_path{};  // what of its file system it shows
  std::string point{};
  std::set<std::string> options{};
  bool propagates = false;  // shared with or slave of another namespace
  std::string type{};
  std::set<std::string> file_system{};  // its own options
};
std::vector<Mount> mounts(int process);  // of two in one place, the later covers the earlier

struct IdRange {
  unsigned long inside = 0, outside = 0, count = 0;
  bool operator==(const IdRange&) const = default;
};
std::vector<IdRange> id_map(int process, const char* file);  // uid_map, gid_map

}  // namespace assay::test::proc
