#!/usr/bin/env python3
"""Runs one client script against an assayd of its own, and fails if anything is left of it.

usage: run.py BUILD_DIR SCRIPT        (SCRIPT: grpc, websocket, hydro)

The npm packages go into BUILD_DIR/clients, never into the source tree. Exit 77: npm's registry cannot be reached.
"""
import contextlib, fcntl, glob, hashlib, os, pathlib, random, shutil, signal, socket, subprocess, sys, tempfile, time
import urllib.error, urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PROTO, JUDGING_PROTO = (HERE.parent.parent / "api" / name for name in ("executor.proto", "assay.proto"))
SKIPPED = 77
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH",
               "ERR_SOCKET_TIMEOUT", "network")
TOKEN = "a token of the tests"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def install(place):
    """npm ci, once per lock file; several tests may want it at the same time."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for source in (*HERE.glob("*.mjs"), *HERE.glob("package*.json"), PROTO, JUDGING_PROTO):
            if not (place / source.name).exists() or (place / source.name).read_bytes() != source.read_bytes():
                shutil.copy(source, place / source.name)
        wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
        stamp = place / "installed"
        if stamp.exists() and stamp.read_text() == wanted:
            return
        for tool in ("node", "npm"):
            if not shutil.which(tool):
                skip(f"there is no {tool}")
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=240)
        if done.returncode != 0:
            told = [line for line in done.stderr.splitlines() if any(word in line for word in UNREACHABLE)]
            if told:
                skip("npm's registry cannot be reached: " + told[-1])
            sys.exit("npm ci failed:\n" + done.stderr)
        stamp.write_text(wanted)


def free_ports(count):
    """Below those that the kernel gives to connections: one of a neighbour's could take them before they are listened on."""
    lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    with contextlib.ExitStack() as held:
        found = []
        while len(found) < count:
            one, port = held.enter_context(socket.socket()), random.randrange(10000, max(lowest, 20000))
            with contextlib.suppress(OSError):
                one.bind(("127.0.0.1", port))
                found.append(port)
        return found


def parent_and_start(pid):
    """The parent and the start time, which tells a process from a later one with the same number."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[1]), fields[19]) if fields[0] != "Z" else None


def family(root):
    """{pid: start} of a process and all below it."""
    alive = {int(name): parent_and_start(name) for name in os.listdir("/proc") if name.isdigit()}
    found = {root: alive[root][1]} if alive.get(root) else {}
    grown = True
    while grown:
        more = {pid: info[1] for pid, info in alive.items() if info and info[0] in found and pid not in found}
        found |= more
        grown = bool(more)
    return found


def traces_to_look_for(pids):
    """Patterns of what may be on the host while they live: wardens and daemons are named by the lock files they hold."""
    found = set()
    for link in (link for pid in pids for link in glob.glob(f"/proc/{pid}/fd/*")):
        with contextlib.suppress(OSError):
            path = pathlib.Path(os.readlink(link))
            if path.suffix == ".lock" and path.stem.isdigit():
                name = path.stem
                found |= {str(path), f"{path.parent}/work-{name}-*", f"/sys/fs/cgroup/**/assay-{name}"}
            elif path.name == "lock" and path.parent.name.startswith("daemon-"):
                name = path.parent.name
                found |= {str(path.parent), f"/dev/shm/assay-store-{name}", f"/tmp/assay-store-{name}"}
    return found


def traces(patterns):
    left = [path for pattern in patterns for path in glob.glob(pattern, recursive=True)]
    places = [pattern.rstrip("*") for pattern in patterns if "**" not in pattern]
    mounts = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return left + [line for line in mounts if any(place in line for place in places)]


class Server:
    def __init__(self, binary, options, before=()):
        """`before`: words of a command that runs it"""
        self.http, self.grpc = free_ports(2)
        self.directory = tempfile.mkdtemp(prefix="assay-clients-")
        os.chmod(self.directory, 0o755)
        self.log = open(f"{self.directory}/log", "w+b")
        self.process = subprocess.Popen(
            [*before, binary, "-http-addr", f"127.0.0.1:{self.http}", "-enable-grpc", "-grpc-addr", f"127.0.0.1:{self.grpc}",
             "-grpc-msg-size", "1m", "-parallelism", "2", *options],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, cwd=self.directory)
        self.family, self.patterns = {}, set()

    def await_ready(self, patience=60):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process.poll() is not None:
                sys.exit(f"assayd ended with {self.process.returncode} before it was ready:\n{self.text()}")
            with contextlib.suppress(OSError, urllib.error.URLError):
                with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        return self.remember()
            time.sleep(0.05)
        sys.exit(f"assayd was not ready after {patience} s:\n{self.text()}")

    def remember(self):
        self.family |= family(self.process.pid)
        self.patterns |= traces_to_look_for(self.family)

    def text(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        """What is wrong with its end: nothing, one hopes."""
        wrong = []
        if self.process.poll() is None:
            self.remember()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                wrong.append("assayd did not end within 15 s of SIGTERM")
                self.process.kill()
                self.process.wait()
        if self.process.returncode != 0:
            wrong.append(f"assayd ended with {self.process.returncode}")
        wrong += self.leftovers()
        if wrong:
            wrong.append("its log:\n" + self.text())
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)
        return wrong

    def leftovers(self, patience=5):
        """Whatever is still there when it had time to go."""
        end = time.monotonic() + patience
        while True:
            left = [f"process {pid} is left" for pid, start in self.family.items()
                    if (now := parent_and_start(pid)) and now[1] == start]
            left += [f"{trace} is left" for trace in traces(self.patterns)]
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.1)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, script = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if os.environ.get("ASSAY_TEST_DEGRADED"):
        skip("the limits that the clients look for need full boxes, and those need root")
    place = build / "clients"
    install(place)
    binary = str(build / "bin" / "assayd")
    servers = [Server(binary, []), Server(binary, ["-auth-token", TOKEN])]
    status, wrong = 1, []
    try:
        for server in servers:
            server.await_ready()
        open_one, guarded = servers
        if not any("cgroup" in pattern for pattern in open_one.patterns):
            wrong.append("no lock file of assayd's warden was found, so its traces cannot be looked for")
        environment = os.environ | {
            "ASSAY_HTTP": f"http://127.0.0.1:{open_one.http}", "ASSAY_GRPC": f"127.0.0.1:{open_one.grpc}",
            "ASSAY_AUTH_HTTP": f"http://127.0.0.1:{guarded.http}", "ASSAY_AUTH_GRPC": f"127.0.0.1:{guarded.grpc}",
            "ASSAY_AUTH_TOKEN": TOKEN, "ASSAY_PROTO": str(place / PROTO.name),
            "ASSAY_JUDGING_PROTO": str(place / JUDGING_PROTO.name)}
        status = subprocess.run(["node", f"{script}.mjs"], cwd=place, env=environment, timeout=240).returncode
        if TOKEN in guarded.text():
            wrong.append("the token is in the log")
    finally:
        for server in servers:
            wrong += server.stop()
        for line in wrong:
            print(f"not ok - {line}")
    sys.exit(1 if status or wrong else 0)


if __name__ == "__main__":
    main()
