#!/usr/bin/env python3
"""assayd as a sandbox of Normal-OJ, with a back end that is none: what is submitted is judged and put back, once,
whatever happens to the back end, and nothing else comes in or goes out.

usage: noj.py BUILD_DIR
"""
import collections, contextlib, http.client, http.server, json, os, pathlib, queue, signal, subprocess, sys, tempfile
import threading, time

from host import Assayd, Report, needs_root, settled
from noj_problems import ROOT, SUM, hostile_zips, problems_in, project, zipped

TOKEN = "a token+of%the&tests"
OK = (200, '{"status":"ok","msg":"ok","data":"ok"}')
SLEEP = "import time\ntime.sleep({})\n" + SUM


class BackEnd(http.server.ThreadingHTTPServer):
    """Says to each path what it is told to, then 200."""
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Visit)
        self.heard, self.answers = queue.Queue(), {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def next(self, patience=60):
        """(path, what was put)"""
        return self.heard.get(timeout=patience)

    def of(self, *names):
        """What was put for these submissions, by name; each once."""
        found = collections.defaultdict(list)
        while set(found) != set(names):
            path, body = self.next()
            found[path.split("/")[2]].append(body)
        return {name: bodies[0] if len(bodies) == 1 else f"put {len(bodies)} times" for name, bodies in found.items()}

    def end(self):
        self.shutdown()
        self.server_close()


class Visit(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.put((self.path, json.loads(body)))
        status, fields = (self.server.answers.get(self.path) or [(200, {})]).pop(0)
        self.send_response(status)
        for name, value in (fields | {"Content-Length": "0"}).items():
            self.send_header(name, value)
        self.end_headers()

    do_POST = do_GET = do_PUT

    def log_message(self, *_):
        pass


def ask(server, method, path, fields=None, archive=None):
    """(status, text)"""
    boundary, parts = "a-boundary", []
    for name, value in (fields or {}).items():
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    if archive is not None:
        said = f'--{boundary}\r\nContent-Disposition: form-data; name="src"; filename="src"\r\n\r\n'
        parts.append(said.encode() + archive + b"\r\n")
    body = b"".join(parts) + f"--{boundary}--\r\n".encode() if fields is not None else b""
    line = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
    try:
        line.request(method, path, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


def submit(server, name, archive, problem=1, language=2, **more):
    fields = {"token": TOKEN, "problem_id": problem, "language": language, **more}
    return ask(server, "POST", f"/submit/{name}", fields, archive)


def state(server):
    return json.loads(ask(server, "GET", "/status?token=a+token%2Bof%25the%26tests")[1])


def wanted(got, expected, about=""):
    return "" if got == expected else f"{about} wanted {expected!r}, got {got!r}"


def statuses(body):
    return [[case["status"] for case in task] for task in body["tasks"]] if isinstance(body, dict) else body


def judged(server, backend):
    wrong = [wanted(submit(server, "right", zipped(("main.py", SUM))), OK)]
    path, body = backend.next()
    wrong += [wanted(path, "/submission/right/complete"), wanted(body["token"], TOKEN),
              wanted(statuses(body), [["AC"], ["AC"]])]
    case = body["tasks"][0][0]
    wrong += [wanted(sorted(case), sorted(["stdout", "stderr", "exitCode", "execTime", "memoryUsage", "status"])),
              wanted((case["stdout"], case["exitCode"]), ("3\n", 0)),
              "" if case["execTime"] >= 0 and case["memoryUsage"] > 0 else f"measured {case}"]
    return wrong


def every_end(server, backend):
    """One submission of each kind; every case has the status that its back end knows."""
    c, cpp, python = 0, 1, 2
    rows = {
        "ce": (1, c, zipped(("main.c", "int main(void) { return nothing; }")), [["CE"], ["CE"]]),
        "wa": (1, python, zipped(("main.py", "print(3)\n")), [["AC"], ["WA"]]),
        "re": (1, python, zipped(("main.py", "raise SystemExit(3)\n")), [["RE"], ["RE"]]),
        "tle": (8, cpp, zipped(("main.cpp", "int main() { for (volatile int i = 0;;) {} }")), [["TLE"]]),
        "function": (3, c, zipped(("main.c", "int add(int a, int b) { return a + b; }\n")), [["AC"]]),
        "other-function": (3, c, zipped(("main.c", "int add(int a, int b) { return a - b; }\n")), [["WA"]]),
        "no-function": (3, c, zipped(("main.c", "int sub(int a, int b) { return a - b; }\n")), [["CE"]]),
        "project": (4, c, project(), [["AC"]]),
        "no-program": (4, c, zipped(("Makefile", "all:\n\ttrue\n"), ("add.c", "")), [["CE"]]),
        "checked": (5, python, zipped(("main.py", "print(0.30000001)\n")), [["AC"]]),
        "far": (5, python, zipped(("main.py", "print(0.4)\n")), [["WA"]]),
    }
    square = {name: (ROOT / "examples/noj_square" / name).read_text()
              for name in ("right.c", "wrong.c", "right.py", "crashes.c")}
    rows |= {
        "taught": (2, c, zipped(("main.c", square["right.c"])), [["AC"], ["AC"]]),
        "taught-python": (2, python, zipped(("main.py", square["right.py"])), [["AC"], ["AC"]]),
        "taught-wrong": (2, c, zipped(("main.c", square["wrong.c"])), [["AC"], ["WA"]]),
        "taught-crash": (2, c, zipped(("main.c", square["crashes.c"])), [["RE"], ["RE"]]),
        "taught-project": (6, c, project(square["right.c"]), [["AC"], ["AC"]]),
    }
    wrong = [wanted(submit(server, name, archive, problem, language), OK, name)
             for name, (problem, language, archive, _) in rows.items()]
    if any(wrong):
        return wrong
    put = backend.of(*rows)
    wrong += [wanted(statuses(put[name]), row[3], name) for name, row in rows.items()]
    broken, far = put["ce"]["tasks"][1][0], put["far"]["tasks"][0][0]
    wrong += [wanted((broken["execTime"], broken["memoryUsage"], broken["exitCode"]), (-1, -1, 1)),
              "" if "nothing" in broken["stderr"] else f"no compiler speaks in {broken}",
              wanted(far["stderr"], "[custom_checker] 0.4 is too far off"),
              wanted(put["far"]["checker"]["messages"],
                     [{"case": "0000", "status": "WA", "message": "0.4 is too far off"}]),
              "the answer is told" if "34" in json.dumps(put["wa"]["tasks"][1]) else ""]
    return wrong


def trials(server, backend):
    """Judged by the cases that everybody may see, and by no others."""
    wrong = [wanted(submit(server, "trial", zipped(("main.py", SUM)), submission_type="trial"), OK)]
    path, body = backend.next()
    return wrong + [wanted(path, "/trial-submission/trial/result"), wanted(statuses(body), [["AC"]]),
                    wanted(body["tasks"][0][0]["stdout"], "1000\n"),
                    wanted(submit(server, "x", project(), 4, 0, submission_type="trial"),
                           (400, "problem 4 has no cases that one may try"))]


def again(server, backend):
    submit(server, "twice", zipped(("main.py", SLEEP.format(0.7))))
    status, text = submit(server, "twice", zipped(("main.py", SUM)))
    wrong = [wanted(status, 409), wanted(json.loads(text)["status"], "err"), wanted(json.loads(text)["data"], None)]
    full = state(server)
    wrong.append(wanted((full.get("submissions"), full.get("running"), full.get("queueSize")), (["twice"], True, 1)))
    backend.next()
    for _ in range(20):  # the moment it is told the id is free
        wrong.append(wanted(submit(server, "twice", zipped(("main.py", SUM))), OK))
        wrong.append(wanted(statuses(backend.next()[1]), [["AC"], ["AC"]]))
    return wrong


def at_once(server, backend):
    """Sixteen times the same id, and as many others, at the same moment."""
    answers, start = [], threading.Barrier(32)

    def come(name):
        start.wait()
        answers.append((name, submit(server, name, zipped(("main.py", SLEEP.format(0.3))))[0]))

    crowd = [threading.Thread(target=come, args=("same" if i % 2 else f"own-{i}",)) for i in range(32)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    taken = [name for name, status in answers if status == 200]
    put = backend.of(*set(taken))
    return [wanted(len(taken), len(set(taken)), "taken twice:"), wanted("same" in taken, True),
            wanted({status for name, status in answers if name != "same"}, {200}),
            wanted({status for name, status in answers if name == "same"}, {200, 409}),
            *(wanted(statuses(body), [["AC"], ["AC"]], name) for name, body in put.items()),
            "" if backend.heard.empty() else "more was put than taken"]


def refused(server, backend):
    good = zipped(("main.py", SUM))
    wrong = [wanted(submit(server, "x", good, token="another"), (403, "invalid token")),
             wanted(ask(server, "POST", "/submit/x", {"token": TOKEN, "language": 2}, good),
                    (400, "missing problem id")),
             wanted(submit(server, "x", None), (400, "no file in 'src' directory")),
             wanted(submit(server, "x", zipped(("ma1n.py", SUM))), (400, "none main")),
             wanted(submit(server, "x", good, language=0), (400, "data type is not match")),
             wanted(submit(server, "x", zipped()), (400, "no file in 'src' directory")),
             wanted(submit(server, "x", good, problem=99), (400, "there is no problem 99")),
             wanted(submit(server, "x", good, problem=4, language=0), (400, "Makefile not found in zip")),
             wanted(submit(server, "x", good, problem=7)[0], 400)]
    for more in ({"language": 7}, {"problem_id": "../1"}, {"submission_type": "duel"}, {"custom_testcases_path": "x"}):
        wrong.append(wanted(submit(server, "x", good, **more)[0], 400, str(more)))
    for name in ("..", ".hidden", "a%2Fb", "a%0Ab", "a?b", "%C3%A9", "x" * 200, ""):
        status = submit(server, name, good)[0]
        wrong.append("" if status in (400, 404) or name == "a?b" else f"{name!r} is answered {status}")
    wrong.append(wanted(submit(server, "x", None, fields="x" * 5000)[0], 400))
    wrong.append(wanted(ask(server, "POST", "/submit/x", None)[0], 400))
    wrong.append(wanted(json.loads(ask(server, "GET", "/status")[1]).keys(), {"load": 0}.keys()))
    wrong.append(wanted(json.loads(ask(server, "GET", "/status?token=another")[1]).keys(), {"load": 0}.keys()))
    names = [backend.next()[0]]  # of "a?b", whose query says nothing
    return wrong + [wanted(names, ["/submission/a/complete"]),
                    "" if backend.heard.empty() else "something was put for a refused submission"]


def hostile(server, backend):
    """Archives that attack whoever unpacks them: refused at the door, or in the box, and the next one is judged."""
    wrong = []
    for name, (archive, problem, answer) in hostile_zips().items():
        status, text = submit(server, "hostile", archive, problem, 0)
        if status == 200:
            text = backend.next()[1]["tasks"][0][0]
            wrong.append(wanted(text["status"], "CE", f"{name}: {text}"))
        elif (status, text) != (400, answer):
            wrong.append(f"{name}: {status} {text}")
    wrong.append(wanted(submit(server, "after", zipped(("main.py", SUM))), OK))
    return wrong + [wanted(statuses(backend.next()[1]), [["AC"], ["AC"]])]


def full(server, backend):
    """With two places: the third is told to come again, does, and all three are judged."""
    slow = zipped(("main.py", SLEEP.format(0.5)))
    wrong = [wanted(submit(server, f"full-{i}", slow), OK) for i in range(2)]
    status, text = submit(server, "full-2", slow)
    wrong += [wanted(status, 500), wanted(json.loads(text)["status"], "err"), wanted(state(server)["load"], 1)]
    wrong += settled(lambda: wanted(submit(server, "full-2", slow), OK)) or []
    put = backend.of("full-0", "full-1", "full-2")
    return wrong + [wanted(statuses(body), [["AC"], ["AC"]], name) for name, body in put.items()]


def back_again(server, backend):
    """A back end that ends in the middle, answers nonsense when it is back, and gets every result once."""
    port = backend.server_port
    backend.end()
    names = [f"patient-{i}" for i in range(6)]
    wrong = [wanted(submit(server, name, zipped(("main.py", SUM))), OK) for name in names]
    told = lambda: [name for name in names if f'"{name}"' not in server.text()]
    wrong += [f"the log says nothing of {name}" for name in settled(told) or []]
    # A result that waits, and its submission comes again: only the newer one counts.
    wrong.append(wanted(submit(server, "patient-0", zipped(("main.py", "print(0)\n"))), OK))
    wrong += settled(lambda: [name for name in state(server)["submissions"]]) or []
    new = BackEnd(port)
    new.answers["/submission/patient-1/complete"] = [(503, {}), (200, {})]
    put = collections.defaultdict(list)
    while len(put) < len(names) or len(put["patient-1"]) < 2:
        path, body = new.next()
        put[path.split("/")[2]].append(statuses(body))
    right = [["AC"], ["AC"]]
    wrong += [wanted(put.pop("patient-0"), [[["WA"], ["WA"]]]), wanted(put.pop("patient-1"), [right, right])]
    return new, wrong + [wanted(got, [right], name) for name, got in put.items()]


def nowhere_else(server, backend):
    other = BackEnd()
    place = f"http://127.0.0.1:{other.server_port}/submission/moved/complete"
    backend.answers["/submission/moved/complete"] = [(307, {"Location": place})]
    submit(server, "moved", zipped(("main.py", SUM)))
    submit(server, "after", zipped(("main.py", SUM)))
    heard = sorted(backend.next()[0] for _ in range(2))
    wrong = [wanted(heard, ["/submission/after/complete", "/submission/moved/complete"]),
             "" if other.heard.empty() else "a redirect was followed"]
    other.end()
    return wrong


def ending(server, backend):
    """What is done is told, what cannot be done any more is a judge error, and all within seconds."""
    submit(server, "long", zipped(("main.py", SUM + "import time\ntime.sleep(4.9 if a == 30 else 0)\n")))
    settled(lambda: "" if state(server)["containerCount"] else "nothing runs")
    submit(server, "short", zipped(("main.py", SUM)))
    server.remember()
    begun = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(timeout=20)
    took, put = time.monotonic() - begun, backend.of("long", "short")
    cut, log = put["long"]["tasks"], server.text()
    return [*server.stop(), "" if took < 15 else f"it took {took:.1f} s",
            wanted(statuses(put["short"]), [["AC"], ["AC"]]),
            wanted("JE" in sum(statuses(put["long"]), []), True, str(cut)),
            "the token is in the log" if TOKEN in log else ""]


def without(build):
    server = Assayd(build)
    try:
        server.await_ready()
        return [wanted(submit(server, "x", zipped(("main.py", SUM)))[0], 404),
                wanted(ask(server, "GET", "/status")[0], 404)]
    finally:
        server.stop()


def options(directory, backend, *more):
    return ["-noj-problems", directory, "-noj-token", TOKEN,
            "-noj-backend", f"http://127.0.0.1:{backend.server_port}/", *more]


def with_two_places(build, directory, backend):
    server = Assayd(build, options(directory, backend, "-noj-queue", "2"))
    try:
        server.await_ready()
        return full(server, backend)
    finally:
        server.stop()


def next_life(build, directory, backend):
    """With a journal what was accepted is judged and put back after a restart, and is no judge error before it."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        kept = options(directory, backend, "-dir", f"{place}/store")
        first, wrong = Assayd(build, kept), []
        try:
            first.await_ready()
            for name in ("kept-0", "kept-1"):
                wrong.append(wanted(submit(first, name, zipped(("main.py", SLEEP.format(4.5)))), OK))
        finally:
            wrong += first.stop()
        wrong.append("" if backend.heard.empty() else f"put before the restart: {backend.next()}")
        second = Assayd(build, kept)
        try:
            second.await_ready()
            wrong.append(wanted(submit(second, "kept-1", zipped(("main.py", SUM)))[0], 409))
            put = backend.of("kept-0", "kept-1")
            wrong += [wanted(statuses(body), [["AC"], ["AC"]], name) for name, body in put.items()]
            wrong.append(wanted(submit(second, "kept-0", zipped(("main.py", SUM))), OK))
            wrong.append(wanted(statuses(backend.next()[1]), [["AC"], ["AC"]]))
        finally:
            wrong += second.stop()
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    needs_root()
    report, backend = Report(), BackEnd()
    with tempfile.TemporaryDirectory() as directory:
        problems_in(pathlib.Path(directory))
        server = Assayd(sys.argv[1], options(directory, backend))
        try:
            server.await_ready()
            for name, check in {"a submission is taken, judged and put back": judged,
                                "every kind of problem comes to every kind of end": every_end,
                                "a trial sees what is public, and is put to its own place": trials,
                                "an id in work is 409, and may come again afterwards": again,
                                "of many that come at once each is judged once": at_once,
                                "every mistake has Normal-OJ's words": refused,
                                "hostile archives are refused and hurt nobody": hostile,
                                "a redirect is not followed": nowhere_else}.items():
                report.check(name, check(server, backend))
            backend, wrong = back_again(server, backend)
            report.check("a back end that was away gets every result", wrong)
            report.check("assayd ends in time, tells what it can, and leaves nothing", ending(server, backend))
            report.check("with a journal a restart loses nothing", next_life(sys.argv[1], directory, backend))
            report.check("a full queue is 500, and nothing is lost", with_two_places(sys.argv[1], directory, backend))
        finally:
            backend.end()
            if server.process.poll() is None:
                server.stop()
    report.check("without -noj-problems there is no such door", without(sys.argv[1]))
    report.end()


if __name__ == "__main__":
    main()
