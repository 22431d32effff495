"""Which system calls can fail with what, the tracer that makes them fail, and what an engine may leave behind."""
import fcntl, glob, os, pathlib, re, signal, time

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "src" / "sandbox" / "syscall_names.inc"
NAMES = {int(number): name for number, name in re.findall(r'\{(\d+), "(\w+)"\}', TABLE.read_text())}
NUMBERS = {name: number for number, name in NAMES.items()}
ERRNO = {"EINTR": 4, "EIO": 5, "EAGAIN": 11, "ENOMEM": 12, "ENFILE": 23, "EMFILE": 24, "ENOSPC": 28, "ENOBUFS": 105}

DESCRIPTOR = ("EMFILE", "ENFILE", "ENOMEM")  # makes one
CAN_FAIL = {
    **dict.fromkeys(("openat", "open", "openat2"), ("EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR")),
    **dict.fromkeys(("pipe2", "socketpair", "memfd_create", "eventfd2", "epoll_create1", "timerfd_create", "signalfd4", "dup",
                     "dup2", "dup3", "pidfd_open", "socket", "accept4", "fsopen", "open_tree", "fsmount", "inotify_init1"),
                    DESCRIPTOR),
    **dict.fromkeys(("read", "pread64", "readv", "preadv"), ("EINTR", "EIO")),
    **dict.fromkeys(("write", "pwrite64", "writev", "pwritev"), ("EINTR", "EIO", "ENOSPC")),
    **dict.fromkeys(("sendfile", "splice", "tee", "copy_file_range"), ("EINTR", "EIO", "ENOMEM", "ENOSPC")),
    **dict.fromkeys(("sendmsg", "sendto"), ("EINTR", "ENOMEM", "ENOBUFS")),
    **dict.fromkeys(("recvmsg", "recvfrom"), ("EINTR", "ENOMEM")),
    **dict.fromkeys(("poll", "ppoll"), ("EINTR", "ENOMEM", "EAGAIN")),
    **dict.fromkeys(("epoll_wait", "epoll_pwait", "wait4", "waitid", "flock", "nanosleep", "clock_nanosleep"), ("EINTR",)),
    **dict.fromkeys(("clone", "clone3", "fork", "vfork"), ("EAGAIN", "ENOMEM")),
    # Not ENOMEM: a program that does not fit into its memory limit has it, too, and that is its own fault.
    **dict.fromkeys(("execve", "execveat"), ("EIO", "EMFILE", "ENFILE")),
    **dict.fromkeys(("mkdir", "mkdirat", "symlink", "symlinkat", "mknod", "mknodat", "link", "linkat", "rename", "renameat",
                     "renameat2", "fallocate", "ftruncate"), ("ENOSPC", "EIO", "ENOMEM")),
    **dict.fromkeys(("mount", "move_mount", "fsconfig", "pivot_root", "unshare", "setns"), ("ENOMEM", "ENOSPC")),
    **dict.fromkeys(("chdir", "fchdir", "chown", "lchown", "fchown", "fchownat", "chmod", "fchmod", "fchmodat", "stat", "lstat",
                     "fstat", "newfstatat", "statx", "access", "faccessat", "readlink", "readlinkat", "statfs", "getdents64"),
                    ("EIO", "ENOMEM")),  # not unlink and rmdir: what cannot be removed stays for the next engine to try
    **dict.fromkeys(("fsync", "fdatasync"), ("EIO", "ENOSPC")),
    **dict.fromkeys(("setresuid", "setuid"), ("EAGAIN",)),
    **dict.fromkeys(("sched_setaffinity", "capset", "prctl", "seccomp", "setgroups"), ("ENOMEM",)),
    "mmap": ("ENOMEM",), "fcntl": ("EMFILE", "EINTR"), "ioctl": ("EINTR", "ENOMEM"), "epoll_ctl": ("ENOMEM",),
}


class Tracer:
    """BUILD_DIR/tests/faults/inject. `program`: how many births below the command the untrusted program is."""

    def __init__(self, build, place, program):
        self.tool, self.report = str(pathlib.Path(build).resolve() / "tests/faults/inject"), f"{place}/report"
        self.program = program

    def command(self, fault=None):
        line = [self.tool, "--program", str(self.program), "--report", self.report]
        if fault:
            role, call, nth, error = fault
            line += ["--role", role, "--call", str(NUMBERS[call]), "--nth", str(nth), "--error", str(ERRNO[error])]
        return [*line, "--"]

    def told(self):
        with open(self.report) as lines:
            return [line.split() for line in lines]

    def faults(self, pattern_of=lambda role: role):
        """Every (role, call, nth, errno) of the calls in the last report, which was made without a fault. Roles may be taken
        together under a pattern."""
        counts, found = {}, []
        for kind, role, number in self.told():
            call = NAMES.get(int(number), "")
            if kind != "call" or call not in CAN_FAIL or (role, call) == ("0", "execve"):  # the last is the tracer's
                continue
            role = pattern_of(role)
            counts[role, call] = counts.get((role, call), 0) + 1
            found += [(role, call, counts[role, call], error) for error in CAN_FAIL[call]]
        return found


def misbehaved(told, roles):
    """What the tracer saw that must not be: crashes, and processes that stayed."""
    wrong = [f"{roles.get(line[1], line[1])} crashed with {signal.Signals(int(line[2])).name}" for line in told if line[0] == "crash"]
    return wrong + [f"{roles.get(line[1], line[1])} stayed" for line in told if line[0] == "left"]


def orphans():
    """Cgroups and directories of engines whose lock nobody holds."""
    found = set()
    for path in [*glob.glob("/sys/fs/cgroup/*/assay-*"), *glob.glob("/sys/fs/cgroup/assay-*"), *glob.glob("/run/assay/work-*"),
                 *glob.glob("/run/assay/*.lock")]:
        name = re.search(r"(\d+)(?:-\d+|\.lock)?$", path)
        if not name:
            continue
        try:
            with open(f"/run/assay/{name[1]}.lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        except FileNotFoundError:
            pass
        if os.path.exists(path):
            found.add(path)
    return found


def left_over(before, patience=3.0):
    end = time.monotonic() + patience
    while (left := orphans() - before) and time.monotonic() < end:
        time.sleep(0.05)
    return [f"{path} is left" for path in sorted(left)]
