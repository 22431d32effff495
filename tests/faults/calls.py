"""Which system calls can fail with what, the tracer that makes them fail, and what an engine may leave behind."""
import collections, errno, fcntl, glob, os, pathlib, random, re, signal, time

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "src" / "sandbox" / "syscall_names.inc"
NAMES = {int(number): name for number, name in re.findall(r'\{(\d+), "(\w+)"\}', TABLE.read_text())}
NUMBERS = {name: number for number, name in NAMES.items()}
ERRNO = {name: getattr(errno, name) for name in (
    "EPERM", "EINTR", "EIO", "EAGAIN", "ENOLCK", "ENOMEM", "EBUSY", "ENFILE", "EMFILE", "ENOSPC", "EADDRINUSE", "ENETUNREACH", "ECONNABORTED",
    "ENOBUFS", "ECONNREFUSED")}

DESCRIPTOR = ("EMFILE", "ENFILE", "ENOMEM")  # makes one
REMOVES = ("unlink", "unlinkat", "rmdir", "umount2")  # what they leave is there for the next engine to try
# "call.manner": only when it is called in that manner; see inject.cc.
CAN_FAIL = {
    **dict.fromkeys(("openat", "open", "openat2"), ("EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR")),
    **dict.fromkeys(("openat.makes", "open.makes", "openat2.makes"), ("ENOSPC",)),
    **dict.fromkeys(("pipe2", "socketpair", "memfd_create", "eventfd2", "epoll_create1", "timerfd_create", "signalfd4", "dup",
                     "dup2", "dup3", "pidfd_open", "socket", "fsopen", "open_tree", "fsmount", "inotify_init1"), DESCRIPTOR),
    "accept4": (*DESCRIPTOR, "EINTR", "ECONNABORTED"),
    **dict.fromkeys(("read", "pread64", "readv", "preadv"), ("EINTR", "EIO")),
    **dict.fromkeys(("write", "pwrite64", "writev", "pwritev"), ("EINTR", "EIO", "ENOSPC")),
    **dict.fromkeys(("sendfile", "splice", "tee", "copy_file_range"), ("EINTR", "EIO", "ENOMEM", "ENOSPC")),
    **dict.fromkeys(("sendmsg", "sendto"), ("EINTR", "ENOMEM", "ENOBUFS")),
    **dict.fromkeys(("recvmsg", "recvfrom"), ("EINTR", "ENOMEM")),
    # What waits never says EAGAIN; nor does a file. A pipe or a socket that is written needs memory.
    **dict.fromkeys(("read.soon", "readv.soon", "sendfile.soon", "sendmsg.soon", "sendto.soon", "recvmsg.soon", "recvfrom.soon",
                     "accept4.soon"), ("EAGAIN",)),
    **dict.fromkeys(("write.soon", "writev.soon"), ("EAGAIN", "ENOMEM")),
    **dict.fromkeys(("poll", "ppoll"), ("EINTR", "ENOMEM", "EAGAIN")),
    **dict.fromkeys(("epoll_wait", "epoll_pwait", "wait4", "waitid", "flock", "nanosleep", "clock_nanosleep"), ("EINTR",)),
    **dict.fromkeys(("clone", "clone3", "fork", "vfork"), ("EAGAIN", "ENOMEM")),
    **dict.fromkeys(("execve", "execveat"), ("EIO", "EMFILE", "ENFILE")),  # and ENOMEM: see Tracer.errors
    **dict.fromkeys(("mkdir", "mkdirat", "symlink", "symlinkat", "mknod", "mknodat", "link", "linkat", "rename", "renameat",
                     "renameat2", "fallocate", "ftruncate"), ("ENOSPC", "EIO", "ENOMEM")),
    **dict.fromkeys(("unlink", "unlinkat"), ("EIO", "ENOMEM")), "rmdir": ("EIO", "ENOMEM", "EBUSY"),
    "umount2": ("ENOMEM",),  # not EBUSY: all of ours are MNT_DETACH
    **dict.fromkeys(("mount", "move_mount", "fsconfig", "pivot_root", "unshare", "setns"), ("ENOMEM", "ENOSPC")),
    **dict.fromkeys(("chdir", "fchdir", "chown", "lchown", "fchown", "fchownat", "chmod", "fchmod", "fchmodat", "stat", "lstat",
                     "fstat", "newfstatat", "statx", "access", "faccessat", "readlink", "readlinkat", "statfs", "getdents64"),
                    ("EIO", "ENOMEM")),
    **dict.fromkeys(("fsync", "fdatasync"), ("EIO", "ENOSPC")),
    **dict.fromkeys(("setresuid", "setuid"), ("EAGAIN",)),
    **dict.fromkeys(("sched_setaffinity", "capset", "prctl", "seccomp", "setgroups"), ("ENOMEM",)),
    **dict.fromkeys(("mmap", "mprotect", "mremap", "brk.grows"), ("ENOMEM",)),
    "bind": ("EADDRINUSE", "ENOMEM"), "listen": ("EADDRINUSE",), "connect": ("EINTR", "ECONNREFUSED", "ENETUNREACH", "ENOMEM"),
    # As a security module or a container's filter may say. Who has the right to them gets no other error from the kernel.
    **dict.fromkeys(("pidfd_send_signal", "timerfd_settime", "prlimit64.sets"), ("EPERM",)),
    "fcntl.copies": ("EMFILE",), "fcntl.locks": ("ENOLCK",), "fcntl.plain": ("EINTR",), "ioctl": ("EINTR", "ENOMEM"), "epoll_ctl": ("ENOMEM",),
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
            call, _, manner = call.partition(".")
            line += ["--role", role, "--call", str(NUMBERS[call]), "--nth", str(nth), "--error", str(ERRNO[error])]
            line += ["--manner", manner] if manner else []
        return [*line, "--"]

    def told(self):
        with open(self.report) as lines:
            return [line.split() for line in lines]

    def fired(self):
        return any(line[0] == "fired" for line in self.told())

    def errors(self, role, call):
        # A program that does not fit into its memory limit has ENOMEM, too, and that is its own fault.
        more = ("ENOMEM",) if call in ("execve", "execveat") and role.count("/") < self.program else ()
        return CAN_FAIL.get(call, ()) + more

    def faults(self, pattern_of=lambda role: role):
        """Every (role, call, nth, errno) of the calls in the last report, which was made without a fault. Roles may be taken
        together under a pattern."""
        counts, found = collections.Counter(), []
        for kind, role, number, *manner in self.told():
            name = NAMES.get(int(number), "")
            if kind != "call" or (role, name) == ("0", "execve"):  # the last is the tracer's
                continue
            role = pattern_of(role)
            for call in (name, f"{name}.{manner[0]}"):
                counts[role, call] += 1
                found += [(role, call, counts[role, call], error) for error in self.errors(role, call)]
        return found


def unmet(kinds, bound):
    """What is wrong with a sample of which too few were ever met: it would prove nothing."""
    return f"{kinds['not met']} of {kinds.total()} were not" if kinds["not met"] > bound * kinds.total() else ""


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


def seed_of(arguments):
    """The small sample of a plain ./test is always the same: new ones belong to campaigns, which name their size."""
    if len(arguments) > 3:
        return int(arguments[3])
    return random.randrange(1 << 30) if len(arguments) > 2 else 1
