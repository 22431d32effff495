#include "app/cli/bench_traces.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/units.h"
#include "os/cgroup.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

Result<std::int64_t> kib_after(const std::string& text, const std::string& label) {
  const std::size_t at = text.find("\n" + label);
  if (at == std::string::npos) return invalid("no '" + label + "' in smaps_rollup");
  const std::size_t digits = text.find_first_of("0123456789", at + label.size());
  std::int64_t value = 0;
  if (digits != std::string::npos)
    std::from_chars(text.data() + digits, text.data() + text.size(), value);
  return value;
}

// The fourth field of stat; the second is the name in parentheses and may hold anything.
pid_t parent_of(pid_t process) {
  const auto stat = os::read_whole(proc(process, "stat"));
  if (!stat) return 0;  // gone since it was listed
  const std::size_t name_end = stat->rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= stat->size()) return 0;
  pid_t parent = 0;
  std::from_chars(stat->data() + name_end + 4, stat->data() + stat->size(), parent);
  return parent;
}

std::int64_t entries_in(const std::string& directory) {
  std::error_code error;
  std::int64_t count = 0;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    ++count;
  return count;
}

std::int64_t cgroups_of(const std::string& instance) {
  const std::string name = "/assay-" + instance;
  std::int64_t count = 0;
  for (const os::Hierarchy& hierarchy : os::read_cgroup_layout().hierarchies) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(hierarchy.mount, error), end; !error && it != end;
         it.increment(error)) {
      std::error_code ignored;
      const std::string path = it->path().string() + "/";
      if (it->is_directory(ignored) && path.contains(name + "/")) ++count;
    }
  }
  return count;
}

Traces look(pid_t warden, const std::string& instance) {
  Traces traces{.our_descriptors = entries_in("/proc/self/fd"),
                .warden_descriptors = entries_in(proc(warden, "fd")),
                .processes = static_cast<std::int64_t>(descendants_of(warden).size()),
                .cgroups = cgroups_of(instance),
                .our_mounts = mounts_of(::getpid()),
                .directories = directories_of(instance)};
  for (const pid_t launcher : children_of(warden)) {
    traces.box_descriptors += entries_in(proc(launcher, "fd"));
    traces.box_mounts += mounts_of(launcher);
  }
  return traces;
}

bool share_memory(pid_t one, pid_t other) {
  return ::syscall(SYS_kcmp, one, other, KCMP_VM, 0UL, 0UL) == 0;
}

}  // namespace

std::string proc(pid_t process, const char* file) {
  return "/proc/" + std::to_string(process) + "/" + file;
}

std::int64_t mounts_of(pid_t process) {
  const auto text = os::read_whole(proc(process, "mountinfo"));
  return text ? std::ranges::count(*text, '\n') : 0;
}

std::int64_t directories_of(const std::string& instance) {
  std::vector<std::string> places{"/run/assay", "/tmp/assay-" + std::to_string(::geteuid())};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread of ours changes the environment
  if (const char* session = std::getenv("XDG_RUNTIME_DIR"))
    places.push_back(std::string(session) + "/assay");
  std::int64_t count = 0;
  for (const std::string& place : places) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(place, error), end; !error && it != end;
         it.increment(error))
      if (it->path().filename().string().contains(instance)) ++count;
  }
  return count;
}

Result<Resident> resident_of(pid_t process) {
  const std::string text = TRY(os::read_whole(proc(process, "smaps_rollup")));
  return Resident{TRY(kib_after(text, "Rss:")), TRY(kib_after(text, "Pss:"))};
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const auto number = parse_count(it->path().filename().string(), 1, 1U << 30);
    if (number && parent_of(static_cast<pid_t>(*number)) == process)
      children.push_back(static_cast<pid_t>(*number));
  }
  return children;
}

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> all = children_of(process);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<pid_t> more = children_of(all[i]);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<pid_t> distinct_memories(const std::vector<pid_t>& processes) {
  std::vector<pid_t> distinct;
  for (const pid_t process : processes)
    if (std::ranges::none_of(distinct, [&](pid_t known) { return share_memory(known, process); }))
      distinct.push_back(process);
  return distinct;
}

Result<Traces> settled_traces(pid_t warden, const std::string& instance) {
  Traces before = look(warden, instance);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::this_thread::sleep_for(2ms);
    Traces now = look(warden, instance);
    if (now == before) return now;
    before = now;
  }
  return invalid("the engine did not come to rest");
}

}  // namespace assay::cli
