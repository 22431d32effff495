"""What the conformance tests share: rows and their report, servers by their options, one HTTP client.

usage: FILE.py BUILD_DIR [WORD]    runs the rows of the file (those whose name contains WORD), as TAP
       FILE.py --list              prints the rows of the file and what stands for each

Exit 1: a row does not hold, or something was left behind. Exit 77: nothing failed, but this host could not show every
row (each says why).
"""
import collections, http.client, json, os, pathlib, re, shutil, subprocess, sys, tempfile, time, traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients"))
import run as clients  # how a server is started, and looked after for leftovers

DEGRADED = bool(os.environ.get("ASSAY_TEST_DEGRADED"))
SKIPPED = 77
MS, S, KiB, MiB = 10**6, 10**9, 2**10, 2**20
BUILD = None  # set by main()

Row = collections.namedtuple("Row", "section name text test")
rows = []
not_tested = []  # (section, row, why)


class Skipped(Exception):
    pass


def row(section, full=False):
    """Marks a test; its docstring is the row of the reference. `full`: it needs cgroups and namespaces, so root."""
    def mark(test):
        def wrapped():
            if full and DEGRADED:
                raise Skipped("needs full boxes, and those need root")
            test()
        rows.append(Row(section, test.__name__, " ".join(test.__doc__.split()), wrapped))
        return test
    return mark


def untested(section, text, why):
    not_tested.append((section, text, why))


def equal(got, wanted, about=""):
    if got != wanted:
        raise AssertionError(f"{about}\n  wanted: {wanted!r}\n  got:    {got!r}")


def holds(condition, about):
    if not condition:
        raise AssertionError(str(about))


def matches(pattern, text):
    if not re.search(pattern, text):
        raise AssertionError(f"\n  wanted: /{pattern}/\n  got:    {text!r}")


def until(condition, about, patience=10):
    """Waits for what another process does in its own time."""
    end = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"never happened: {about}")
        time.sleep(0.01)
    return found


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:2000]!r}"


def ask(port, method, path, body=None, headers=None, host="127.0.0.1", patience=60):
    connection = http.client.HTTPConnection(host, port, timeout=patience)
    try:
        connection.request(method, path, body, headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def multipart(name, content, field="file"):
    head = f'--edge\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
    return head.encode() + content + b"\r\n--edge--\r\n", {"Content-Type": "multipart/form-data; boundary=edge"}


class Assayd(clients.Server):
    """One assayd: its own directory is its working directory, {name: text} of `files` lie there from the start."""

    def __init__(self, *options, environment=None, files=None, address=True, around=()):
        self.http, self.grpc, self.monitor = clients.free_ports(3)
        self.directory = tempfile.mkdtemp(prefix="assay-conformance-")
        os.chmod(self.directory, 0o755)
        for name, text in (files or {}).items():
            pathlib.Path(self.directory, name).write_text(text)
        self.log = open(f"{self.directory}/log", "w+b")
        command = [*around, binary(), *(["-http-addr", f"127.0.0.1:{self.http}"] if address else []), *own_options(),
                   *(each.format(**self.places()) for each in options)]
        said = {name: value.format(**self.places()) for name, value in (environment or {}).items()}
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                                        cwd=self.directory, env=clean_environment() | said)
        self.family, self.patterns = {}, set()

    def places(self):
        return {"http": self.http, "grpc": self.grpc, "monitor": self.monitor, "directory": self.directory}

    def ask(self, method, path, body=None, headers=None, **more):
        return ask(self.http, method, path, body, headers, **more)

    def post(self, body, headers=None):
        return self.ask("POST", "/run", body if isinstance(body, (str, bytes)) else json.dumps(body), headers)

    def run(self, *commands, **request):
        answer = self.post({"cmd": list(commands), **request})
        equal(answer.status, 200, answer)
        return answer.json

    def one(self, *args, **fields):
        return self.run(command(*args, **fields))[0]

    def sh(self, script, **fields):
        return self.one("/bin/sh", "-c", script, **fields)

    def python(self, script, **fields):
        return self.one("/usr/bin/python3", "-c", script, **fields)

    def add(self, name, content):
        answer = self.ask("POST", "/file", *multipart(name, content))
        equal(answer.status, 200, answer)
        return answer.json

    def get(self, fid):
        answer = self.ask("GET", f"/file/{fid}")
        equal(answer.status, 200, answer)
        return answer.body

    def ready(self):
        return self.ask("GET", "/readyz").json

    def counts(self):
        now = self.ready()
        return now["running"], now["queued"]


def command(*args, **fields):
    """A command with the usual limits and collectors; a field that is None is left out."""
    return {name: value for name, value in ({
        "args": list(args), "env": ["PATH=/usr/bin:/bin"],
        "files": [{"content": ""}, {"name": "stdout", "max": 64 * KiB}, {"name": "stderr", "max": 64 * KiB}],
        "cpuLimit": 10 * S, "clockLimit": 20 * S, "memoryLimit": 256 * MiB, "procLimit": 50} | fields).items()
        if value is not None}


def shell(script, **fields):
    return command("/bin/sh", "-c", script, **fields)


def binary():
    return str(BUILD / "bin" / "assayd")


def sanitizer():
    """Of the build, as CMake knows it; empty: none"""
    found = re.search(r"^ASSAY_SANITIZE:STRING=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else ""


def own_options():
    return ["-allow-degraded"] if DEGRADED else []


def clean_environment():
    return {name: value for name, value in os.environ.items()
            if not name.startswith("ES_") and name not in ("PM2_HOME", "PM2_JSON_PROCESSING", "NODE_APP_INSTANCE")}


def ended(*options, environment=None, patience=20):
    """An assayd that is not expected to serve: its exit code, and what it said."""
    place = tempfile.mkdtemp(prefix="assay-conformance-")
    try:
        done = subprocess.run([binary(), *own_options(), *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=patience, cwd=place,
                              env=clean_environment() | (environment or {}))
    finally:
        shutil.rmtree(place)
    return done.returncode, done.stdout


class Servers:
    """Those that several tests of a file share, by their options; and those of one test."""

    def __init__(self):
        self.shared, self.wrong = {}, []

    def get(self, *options):
        if options not in self.shared:
            self.shared[options] = Assayd(*options)
            self.shared[options].await_ready()
        return self.shared[options]

    def stop(self, server):
        self.wrong += server.stop()

    def stop_all(self):
        for server in self.shared.values():
            self.stop(server)
        self.shared = {}


servers = Servers()


def server(*options):
    """A server that other tests of this file use too: leave nothing in it that they could see."""
    return servers.get(*options)


class own:
    """with own(...) as server: one for this test alone."""

    def __init__(self, *options, ready=True, **more):
        self.server, self.ready = Assayd(*options, **more), ready

    def __enter__(self):
        try:
            if self.ready:
                self.server.await_ready()
        except BaseException:
            self.__exit__()
            raise
        return self.server

    def __exit__(self, *_):
        servers.stop(self.server)


def run_rows(chosen):
    failed, skipped = 0, 0
    print(f"1..{len(chosen) + 1}")
    for number, each in enumerate(chosen, 1):
        began = time.monotonic()
        try:
            each.test()
            print(f"ok {number} - {each.name} # {time.monotonic() - began:.2f} s")
        except Skipped as reason:
            skipped += 1
            print(f"ok {number} - {each.name} # SKIP {reason}")
        except (Exception, SystemExit):
            failed += 1
            print(f"not ok {number} - {each.name} (§{each.section}: {each.text})")
            print("\n".join("# " + line for line in traceback.format_exc().splitlines()))
        sys.stdout.flush()
    return failed, skipped


def main():
    global BUILD
    file = pathlib.Path(sys.argv[0]).stem
    if sys.argv[1:] == ["--list"]:
        for each in rows:
            print(f"§{each.section}  {file}.{each.name}\n    {each.text}")
        for section, text, why in not_tested:
            print(f"§{section}  not tested: {why}\n    {text}")
        return
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    BUILD = pathlib.Path(sys.argv[1]).resolve()
    chosen = [each for each in rows if len(sys.argv) < 3 or sys.argv[2] in each.name]
    try:
        failed, skipped = run_rows(chosen)
    finally:
        servers.stop_all()
    print(f"{'not ' if servers.wrong else ''}ok {len(chosen) + 1} - nothing is left of the servers")
    for line in servers.wrong:
        print("# " + line.replace("\n", "\n# "))
    sys.exit(1 if failed or servers.wrong else SKIPPED if skipped else 0)
