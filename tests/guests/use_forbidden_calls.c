// Calls that attack the kernel, the host or other boxes, with arguments that would do it.
#include <sys/resource.h>
#include "attempt.h"
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
int main() {
  char space[256] = {0};
  ATTEMPT("io_uring_setup", syscall(425, 8, space));
  ATTEMPT("io_setup", syscall(SYS_io_setup, 8, space));
  union bpf_attr program = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  ATTEMPT("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &program, sizeof program));
  struct perf_event_attr event = {.type = 1, .size = sizeof event, .exclude_kernel = 1};
  ATTEMPT("perf_event_open", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
  ATTEMPT("userfaultfd", syscall(SYS_userfaultfd, 1));
  ATTEMPT("memfd_secret", syscall(447, 0));
  ATTEMPT("personality", personality(READ_IMPLIES_EXEC));
  ATTEMPT("seccomp", syscall(SYS_seccomp, 1, 8, space));
  ATTEMPT("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
  ATTEMPT("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", space, space, 0));
  ATTEMPT("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, space, 0));
  ATTEMPT("quotactl", syscall(SYS_quotactl, 0, 0, 0, 0));
  ATTEMPT("reboot", syscall(SYS_reboot, 0xfee1dead, 672274793, RB_DISABLE_CAD, 0));
  ATTEMPT("init_module", syscall(SYS_init_module, space, 1, ""));
  ATTEMPT("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
  ATTEMPT("iopl", syscall(SYS_iopl, 3));
  ATTEMPT("syslog", syscall(SYS_syslog, 3, space, sizeof space));
  ATTEMPT("swapon", syscall(SYS_swapon, "/tmp/x", 0));
  struct timespec time = {1, 0};
  struct timeval day = {1, 0};
  ATTEMPT("clock_settime", clock_settime(CLOCK_REALTIME, &time));
  ATTEMPT("settimeofday", settimeofday(&day, 0));
  ATTEMPT("clock_adjtime", syscall(SYS_clock_adjtime, 0, space));
  ATTEMPT("lease", fcntl(open("/usr/bin/env", O_RDONLY), F_SETLEASE, F_RDLCK));
  struct sched_param urgent = {50};
  ATTEMPT("real time", sched_setscheduler(0, SCHED_FIFO, &urgent));
  cpu_set_t all;
  memset(&all, 255, sizeof all);
  ATTEMPT("affinity", sched_setaffinity(0, sizeof all, &all));
  ATTEMPT("nice", setpriority(0, 0, -20));
  ATTEMPT("modify_ldt", syscall(SYS_modify_ldt, 0, space, sizeof space));
}
