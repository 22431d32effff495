// Settings and secrets of the kernel, by their files.
#include "attempt.h"
#include <fcntl.h>
int main() {
  const char* written[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
                           "/proc/self/oom_score_adj", "/proc/self/uid_map", "/proc/1/oom_score_adj", "/proc/self/setgroups",
                           "/sys/kernel/uevent_helper", "/proc/sys/kernel/modprobe"};
  const char* read_ones[] = {"/proc/kallsyms", "/proc/kcore", "/proc/1/environ", "/proc/1/root/.", "/proc/1/cwd/.", "/proc/1/mem", "/proc/1/maps",
                             "/proc/keys", "/proc/timer_list", "/proc/sched_debug", "/proc/mounts/../../1/fd", "/proc/net/unix", "/proc/modules",
                             "/sys/kernel", "/sys/fs/cgroup", "/proc/cmdline", "/proc/cpuinfo", "/proc/meminfo"};
  for (int i = 0; i < sizeof written / sizeof *written; ++i) {
    int fd = open(written[i], O_WRONLY);
    ATTEMPT(written[i], fd < 0 ? fd : write(fd, "-1000\n", 6));
  }
  for (int i = 0; i < sizeof read_ones / sizeof *read_ones; ++i) ATTEMPT(read_ones[i], open(read_ones[i], O_RDONLY));
}
