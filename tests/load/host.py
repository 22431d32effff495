"""An assayd under test, and what it holds on the host: processes, mounts, cgroups, descriptors, memory, files."""
import contextlib, glob, os, pathlib, re, sys, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients"))
import run as clients  # noqa: E402  (the server starter of the clients' tests)


def read(path):
    with contextlib.suppress(OSError):
        return pathlib.Path(path).read_text()
    return ""


def is_sanitized(build):
    return bool(re.search(r"^ASSAY_SANITIZE:STRING=.", read(pathlib.Path(build) / "CMakeCache.txt"), re.M))


def needs_plain_calls(build):
    if is_sanitized(build):
        print("skipped: a sanitizer makes system calls of its own, and cannot do without them")
        sys.exit(77)


class Assayd(clients.Server):
    """Without gRPC; on a given port and store directory when those must outlive it."""

    def __init__(self, build, options=(), port=None, before=()):
        self.build = pathlib.Path(build).resolve()
        again = [] if port is None else ["-http-addr", f"127.0.0.1:{port}"]
        super().__init__(str(self.build / "bin" / "assayd"), ["-enable-grpc=false", *options, *again], before)
        self.http = port or self.http

    @property
    def instance(self):
        return re.search(r'"instance":"(\d+)"', self.text()).group(1)

    @property
    def store(self):
        return re.search(r'"store":"([^"]+)"', self.text()).group(1)

    @property
    def is_sanitized(self):
        """A sanitizer keeps what was freed, so that its memory tells nothing of ours."""
        return is_sanitized(self.build)

    def guest(self, name):
        return (self.build / "tests" / "guests" / name).read_bytes()

    def people(self):
        """{"keeper": pid, "daemon": pid, "opener": pid, "warden": pid}"""
        names = {"assayd": "keeper", "assayd-daemon": "daemon", "assayd-opener": "opener", "assay-warden": "warden"}
        found = {}
        for pid in clients.family(self.process.pid):  # parents first: a child has their name until it execs
            found.setdefault(read(f"/proc/{pid}/comm").strip(), pid)
        return {role: found[name] for name, role in names.items() if name in found}

    def boxes(self):
        """{"launcher": [pid...], "init": [pid...]}: the children of the warden, and theirs. Below are programs."""
        found = clients.family(self.process.pid)
        parents = {pid: (clients.parent_and_start(pid) or (0,))[0] for pid in found}
        launchers = [pid for pid, parent in parents.items() if parent == self.people().get("warden")]
        return {"launcher": launchers, "init": [pid for pid, parent in parents.items() if parent in launchers]}

    def rss(self):
        """KiB of the daemon and the warden."""
        return sum(status_kib(self.people()[role], "VmRSS") for role in ("daemon", "warden"))

    def holds(self):
        """What must not grow. Boxes are counted apart: each has launchers, descriptors and cgroups of its own."""
        people = self.people()
        boxes = self.boxes()["launcher"]
        held = {"processes": len(clients.family(self.process.pid))}
        for role, pid in people.items():
            held[f"descriptors of the {role}"] = count(f"/proc/{pid}/fd")
            held[f"threads of the {role}"] = count(f"/proc/{pid}/task")
            held[f"mounts that the {role} sees"] = read(f"/proc/{pid}/mountinfo").count("\n")
        held["cgroups"] = sum(1 for top in glob.glob(f"/sys/fs/cgroup/**/assay-{self.instance}", recursive=True)
                              for _ in os.walk(top))
        held["entries in /run/assay"] = sum(len(names) + len(files) for _, names, files in os.walk("/run/assay"))
        held["files in the store"] = sum(len(files) for _, _, files in os.walk(self.store))
        return len(boxes), held


def count(path):
    with contextlib.suppress(OSError):
        return len(os.listdir(path))
    return 0


def status_kib(pid, key):
    found = re.search(rf"^{key}:\s+(\d+) kB", read(f"/proc/{pid}/status"), re.M)
    return int(found.group(1)) if found else 0


def settled(look, patience=20.0):
    """Polls until look() gives nothing to complain about; what it complains about at the end otherwise."""
    end = time.monotonic() + patience
    while (wrong := look()) and time.monotonic() < end:
        time.sleep(0.05)
    return wrong


class Report:
    """Lines of "ok" and "not ok", and the exit code they make."""

    def __init__(self):
        self.failures = 0

    def check(self, name, wrong):
        """`wrong`: what is wrong, as text or a list; nothing when all is well."""
        wrong = [line for line in ([wrong] if isinstance(wrong, str) else wrong or []) if line]
        self.failures += bool(wrong)
        print(f"not ok - {name}" if wrong else f"ok - {name}", flush=True)
        for line in wrong[:20]:
            print(f"#   {line}", flush=True)

    def note(self, text):
        print(f"# {text}", flush=True)

    def end(self):
        sys.exit(1 if self.failures else 0)


def needs_root():
    if os.geteuid() != 0 or os.environ.get("ASSAY_TEST_DEGRADED"):
        clients.skip("limits under load need full boxes, and those need root")
