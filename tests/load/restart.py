#!/usr/bin/env python3
"""Submissions that are only accepted, kill -9 of the daemon, the keeper or the warden at a random moment, a restart on the
same -dir, again and again: every id that got a 202 ends with the right verdict, once, and nothing is left behind.
A graceful stop is one of the deaths.

usage: restart.py BUILD_DIR [ROUNDS] [SEED]
"""
import asyncio, contextlib, json, os, queue, random, re, signal, sys, tempfile, time

from host import Assayd, Report, clients, needs_root, settled
from webhook import SECRET, Receiver, order
from wires import GONE, Line, Wrong

ROUNDS = 12
DEATHS = ("daemon", "daemon", "keeper", "daemon", "warden", "SIGTERM")
LOST = (*GONE, ConnectionRefusedError)

# Interpreted, so that a round is judging and not compiling: (source, verdict)
KINDS = (
    ("a, b = map(int, input().split()); print(a + b)", "AC"),
    ("a, b = map(int, input().split()); print(a - b - 1)", "WA"),
    ("import os; os.abort()", "RE"),
    ("while True: pass", "TLE"),
)
WEIGHTS = (16, 5, 4, 1)
TESTS = [{"testId": str(n), "input": f"{n} {n + 1}\n", "answer": f"{2 * n + 1}\n"} for n in range(1, 3)]
LIMITS = {"cpuTimeMs": 500, "wallTimeMs": 20000, "memoryMB": 256}


class Books:
    """What clients know: what they sent, and what they were promised."""

    def __init__(self, rng, others=()):
        """`others`: what else may be submitted, each a function of its number that gives (wish, verdict)."""
        self.rng, self.promised, self.asked, self.wrong, self.count = rng, {}, {}, [], 0
        self.others = others

    def next(self, files):
        self.count += 1
        number = f"s{self.count}"
        if self.others and self.rng.random() < 0.3:
            wish, verdict = self.rng.choice(self.others)(number)
            return number, json.dumps({"submissionId": number, "stop": "none"} | wish).encode(), verdict
        [(source, verdict)] = self.rng.choices(KINDS, WEIGHTS)
        wish = {"submissionId": number, "language": "python", "stop": "none"}
        shape = self.rng.randrange(3)
        if shape == 0:
            wish |= {"source": source, "problemId": "sum"}
        elif shape == 1:
            wish |= {"source": source, "problem": {"limits": LIMITS, "tests": TESTS}}
        else:
            wish |= {"sources": [{"name": "main.py", "content": source}],
                     "problem": {"limits": LIMITS, "tests": [{"input": {"fileId": files[0]}, "answer": {"fileId": files[1]}}]}}
        return number, json.dumps(wish).encode(), verdict


async def put_problem(line):
    answer = await line.ask("PUT", "/v1/problems/sum", json.dumps({"limits": LIMITS, "tests": TESTS}).encode())
    if answer.status not in (200, 201):
        raise Wrong(f"PUT answered {answer!r}")


async def submit(line, books, files):
    number, body, verdict = books.next(files)
    books.asked[number] = (body, verdict)
    answer = await line.ask("POST", "/v1/submissions", body)
    if answer.status == 503:
        return
    if answer.status not in (200, 202):
        raise Wrong(f"{number}: answered {answer!r}")
    books.promised[number] = verdict


def misjudged(told, verdict, excused=lambda told: False):
    """What is wrong with a result, or nothing; nor is anything while there is none. `excused`: a failure that may be."""
    if told["status"] not in ("Finished", "Failed") or excused(told):
        return ""
    if told["status"] == "Finished" and told["verdict"] == verdict:
        return ""
    return f"{told['status']} {told.get('verdict')} {told.get('message')!r}, not {verdict}"


async def watcher(port, books, excused=lambda told: False):
    """Asks for what was promised until the end: whatever it sees of a result is the right one."""
    line = Line(port)
    try:
        while True:
            for number, verdict in list(books.promised.items())[-8:]:
                answer = await line.ask("GET", f"/v1/submissions/{number}")
                if answer.status != 200 or misjudged(answer.json(), verdict, excused):
                    books.wrong.append(f"{number}: the watcher was told {answer!r}, not {verdict}")
            await asyncio.sleep(0.01)
    except LOST:
        pass
    finally:
        line.close()


async def client(port, books, files):
    line = Line(port)
    try:
        while True:
            await submit(line, books, files)
            await asyncio.sleep(books.rng.random() * 0.08)
    except LOST:
        pass
    except (Wrong, asyncio.TimeoutError, ValueError) as problem:
        books.wrong.append(f"{type(problem).__name__}: {problem}")
    finally:
        line.close()


def strike(server, death):
    server.remember()
    if death == "SIGTERM":
        return server.process.send_signal(signal.SIGTERM)
    with contextlib.suppress(ProcessLookupError, KeyError):
        os.kill(server.people()[death], signal.SIGKILL)


async def storm(server, books, files, death):
    crowd = [asyncio.ensure_future(client(server.http, books, files)) for _ in range(3)]
    crowd.append(asyncio.ensure_future(watcher(server.http, books)))
    enough, end = len(books.promised) + books.rng.randrange(4, 12), time.monotonic() + 20
    while len(books.promised) < enough and time.monotonic() < end:
        await asyncio.sleep(0.002)
    await asyncio.sleep(books.rng.random() * 0.15)
    strike(server, death)
    _, hanging = await asyncio.wait(crowd, timeout=30)
    for each in hanging:
        books.wrong.append("a client still waits")
        each.cancel()


async def lay_in(port, old):
    """The files that submissions name. Those of the life before go, though not everything is judged that named them."""
    line = Line(port)
    if not old:
        await put_problem(line)
    for each in old:
        await line.ask("DELETE", f"/file/{each}")
    files = [await line.upload(name, text) for name, text in (("in", b"20 22\n"), ("out", b"42\n"))]
    line.close()
    return files


async def results(port, books, patience=120, excused=lambda told: False):
    """What is wrong with the verdicts of all that was promised."""
    line, wrong, end = Line(port), [], time.monotonic() + patience
    for number, verdict in books.promised.items():
        while True:
            answer = await line.ask("GET", f"/v1/submissions/{number}")
            if answer.status != 200:
                wrong.append(f"{number}: lost: {answer!r}")
                break
            told = answer.json()
            if told["status"] in ("Finished", "Failed"):
                if told_wrong := misjudged(told, verdict, excused):
                    wrong.append(f"{number}: {told_wrong}")
                break
            if time.monotonic() > end:
                wrong.append(f"{number}: still {told['status']}")
                break
            await asyncio.sleep(0.02)
    line.close()
    return wrong


async def sent_again(port, books):
    """The same body under the same id is the same submission; another body is refused."""
    line, wrong = Line(port), []
    lasting = [number for number in books.promised if b"fileId" not in books.asked[number][0]]
    for number in lasting[:: max(1, len(lasting) // 10)]:
        body, _ = books.asked[number]
        answer = await line.ask("POST", "/v1/submissions", body)
        if answer.status != 200 or answer.json()["submissionId"] != number:
            wrong.append(f"{number} sent again: {answer!r}")
        other = json.dumps(json.loads(body) | {"priority": 1}).encode()
        answer = await line.ask("POST", "/v1/submissions", other)
        if answer.status != 409:
            wrong.append(f"another {number}: {answer!r}")
    answer = await line.ask("DELETE", f"/v1/submissions/{next(iter(books.promised))}")
    gone = await line.ask("GET", f"/v1/submissions/{next(iter(books.promised))}")
    if (answer.status, gone.status) != (204, 404):
        wrong.append(f"deleted: {answer.status}, then {gone.status}")
    line.close()
    return wrong


def one_life(report, server, books, death, files):
    """Until its death; whoever follows it looks for what it left."""
    server.await_ready()
    files = asyncio.run(lay_in(server.http, files))
    asyncio.run(storm(server, books, files, death))
    ended = settled(lambda: "assayd lives on" if server.process.poll() is None else "", patience=30)
    if ended:
        report.check(f"{death}: assayd ends", ended)
        server.process.kill()
    server.process.wait()
    return files


def left_of(server):
    wrong = server.leftovers(patience=10)
    server.log.close()
    clients.shutil.rmtree(server.directory, ignore_errors=True)
    return wrong


def second_on(build, store):
    """What is wrong with a second daemon that is given a journal in use."""
    other = Assayd(build, ["-journal", f"{store}/journal"])
    try:
        code = other.process.wait(timeout=30)
        told = other.text()
        return "" if code != 0 and "another daemon keeps its journal" in told else f"it ended with {code}: {told}"
    except clients.subprocess.TimeoutExpired:
        return "a second daemon runs on the journal of the first"
    finally:
        if other.process.poll() is None:
            other.process.kill()
            other.process.wait()
        left_of(other)


def resumed(server):
    """How many submissions it found that an earlier life had accepted and not judged."""
    return sum(map(int, re.findall(r'"resumed":(\d+)', server.text())))


def webhook_life(build, store, receiver, port=None):
    server = Assayd(build, ["-dir", store, "-webhook-prefix", receiver.url("/"), "-webhook-secret", SECRET], port)
    server.await_ready()
    return server


def webhooks(report, build, place):
    """A receiver that is not well hears of the result in the next life, and then no more."""
    receiver, store, wrong = Receiver(), f"{place}/hooked", []
    receiver.answers["/r"] = [(503, {})] * 100
    try:
        server = webhook_life(build, store, receiver)
        body = json.dumps(order(receiver.url("/r"), submissionId="hooked")).encode()
        answer = asyncio.run(Line(server.http).ask("POST", "/v1/submissions", body))
        if answer.status not in (200, 202):
            wrong.append(f"answered {answer!r}")
        receiver.next(60)
        strike(server, "daemon")
        server.process.wait()
        receiver.answers.clear()
        while not receiver.heard.empty():  # tries of the first life
            receiver.heard.get()
        wrong += left_of(server)
        server = webhook_life(build, store, receiver)
        if json.loads(receiver.next(60)[2])["verdict"] != "AC":
            wrong.append("it was told something else")
        wrong += server.stop()
        while not receiver.heard.empty():
            receiver.heard.get()
        server = webhook_life(build, store, receiver)
        wrong += server.stop()
        if not receiver.heard.empty():
            wrong.append("it was told again what it had taken")
    except queue.Empty:
        wrong.append("the receiver was never told")
    finally:
        receiver.end()
    report.check("a result that was not delivered is delivered after the restart, and then no more", wrong)


@contextlib.contextmanager
def small_disk(path):
    os.makedirs(path)
    clients.subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "assay-restart", path], check=True)
    try:
        yield path
    finally:
        clients.subprocess.run(["umount", path], check=True)


def full_disk(report, build, place):
    """What finds no room is refused, and what is smaller goes on."""
    def said(number, source, wanted):
        body = json.dumps({"submissionId": number, "language": "python", "source": source, "problemId": "sum"}).encode()
        answer = asyncio.run(Line(server.http).ask("POST", "/v1/submissions", body))
        known = asyncio.run(Line(server.http).ask("GET", f"/v1/submissions/{number}")).status
        return "" if (answer.status, known) in wanted else f"{number}: {answer!r}, then {known}"

    with small_disk(f"{place}/disk") as disk:
        server = Assayd(build, ["-journal", disk])
        try:
            server.await_ready()
            asyncio.run(put_problem(Line(server.http)))
            small, large = KINDS[0][0], KINDS[0][0] + "#" * (2 << 20)
            wrong = [said("small", small, [(202, 200), (200, 200)]), said("large", large, [(500, 404)]),
                     said("again", small, [(202, 200), (200, 200)])]
            if "the journal cannot be written" not in server.text():
                wrong.append("the log says nothing")
        finally:
            wrong += server.stop()
    report.check("a full disk is an error and no promise", wrong)


def last_life(report, build, port, store, books):
    server = Assayd(build, ["-dir", store], port)
    try:
        server.await_ready()
        report.check("every submission that got a 202 ends with the right verdict", asyncio.run(results(port, books)))
        report.check("a second daemon on the same journal is told so", second_on(build, store))
        report.check("an id means the same submission over all restarts", asyncio.run(sent_again(port, books)))
        pins = settled(lambda: [f"{name} is still kept" for name in os.listdir(f"{store}/journal/pins")], patience=5)
        report.check("no file is kept for a submission that is over", pins)
        asides = [name for name in os.listdir(f"{store}/journal") if "damaged" in name]
        report.check("the journal was never damaged", asides)
    finally:
        report.check("the last one ends well", server.stop())


def main():
    needs_root()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    report, books, left, again = Report(), Books(random.Random(seed)), [], 0
    report.note(f"seed {seed}")
    [port] = clients.free_ports(1)
    with tempfile.TemporaryDirectory(prefix="assay-restart-") as place:
        os.chmod(place, 0o755)
        store, before, files = f"{place}/store", None, []
        for turn in range(rounds):
            death = DEATHS[turn % len(DEATHS)]
            server = Assayd(build := sys.argv[1], ["-dir", store], port)
            files = one_life(report, server, books, death, files)
            again += resumed(server)
            if before is not None:
                left += left_of(before)
            before = server
        webhooks(report, build, place)
        full_disk(report, build, place)
        last_life(report, build, port, store, books)
        left += left_of(before)
    report.note(f"{len(books.promised)} of {books.count} submissions were accepted over {rounds} deaths, {again} times one was found open in a later life")
    report.check("clients get errors and never a wrong answer", books.wrong)
    report.check("enough was accepted for the test to mean something",
                 "" if len(books.promised) >= rounds * 4 and again > 0 else f"{len(books.promised)}, {again} in later lives")
    report.check("nothing of the dead is left", left)
    report.end()


if __name__ == "__main__":
    main()
