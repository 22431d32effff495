#!/usr/bin/env python3
"""assayd with one failing system call, from its start over a story of requests to its end: each call of each of our processes,
with each error that it can have. It answers rightly, or says that it failed and soon does no more, or ends and says why; nobody
crashes, hangs or stays, and nothing is left after the next start. Whatever it accepted is judged, by the next one if need be.

usage: daemon.py BUILD_DIR [FAULTS] [SEED]     (FAULTS: how many are tried, spread over stories, roles and calls; also
                                                $ASSAY_DAEMON_FAULTS)
       daemon.py BUILD_DIR STORY ROLE CALL NTH ERRNO     (one of them, as it was told)
"""
import asyncio, collections, os, pathlib, random, signal, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "load"))
from calls import REMOVES, Tracer, left_over, misbehaved, orphans, seed_of, unmet  # noqa: E402
from host import Assayd, Report, clients, needs_plain_calls, needs_root  # noqa: E402
from kills import our_failure  # noqa: E402
from restart import LOST, misjudged, results  # noqa: E402
from stories import STORIES, Life  # noqa: E402
from wires import Line, Wrong  # noqa: E402

FAULTS = 12
UNMET = 0.25  # of a sample may be calls that only timing makes
PATIENCE = 40.0  # seconds for each answer, for the start and for the end; the engine gives up on a silent box after 20
TRIES = 3  # one failing call may spoil an answer, and even that to the next try
NAMES = {"0": "keeper", "0/0": "opener", "0/1": "daemon", "0/1/0": "warden", "0/1/0/*": "launcher", "0/1/0/*/*": "init",
         "0/1/0/*/*/*": "program-to-be"}
PROGRAM = 5


def pattern_of(role):
    parts = role.split("/")
    return "/".join(parts[:3] + ["*"] * len(parts[3:]))


class Traced(Assayd):
    """The process that was started is the tracer; the keeper is its child."""

    def __init__(self, build, tracer, fault, options):
        super().__init__(build, options, before=tracer.command(fault))

    def is_ready(self):
        """Waits until it serves, or is over: then False."""
        began = time.monotonic()
        while self.process.poll() is None and (waited := time.monotonic() - began) < PATIENCE:
            # The line that says so may be the one that cannot be written; other questions than those of the story come late.
            if '"msg":"ready"' in self.text() or waited > 2 and self.says_ready():
                self.remember()
                return True
            time.sleep(0.02)
        return False

    def says_ready(self):
        try:
            return asyncio.run(asyncio.wait_for(Line(self.http).ask("GET", "/readyz"), 5)).status == 200
        except (*LOST, asyncio.TimeoutError):
            return False

    def end(self):
        """What is wrong with its end: SIGTERM, and in time."""
        if keeper := self.people().get("keeper"):
            self.remember()
            os.kill(keeper, signal.SIGTERM)
        try:
            self.process.wait(timeout=PATIENCE)
            return []
        except subprocess.TimeoutExpired:
            self.process.kill()  # and with the tracer all its tracees
            self.process.wait()
            return [f"it does not end: {self.text()[-300:]}"]


async def again_if_lost(ask, life):
    """A connection may fail, but the next one is taken."""
    try:
        return await asyncio.wait_for(ask(life), PATIENCE)
    except LOST:
        said, why = await asyncio.wait_for(ask(life), PATIENCE)
        return ("our failure", "a connection was lost") if said == "right" else (said, why)


def answer_to(ask, life):
    """(how it went, what is wrong or why it failed). LOST: nobody is there any more."""
    try:
        return asyncio.run(again_if_lost(ask, life))
    except asyncio.TimeoutError:
        return "wrong", f"no answer in {PATIENCE:.0f} s"
    except (Wrong, ValueError, LookupError) as problem:
        return "wrong", repr(problem)


def is_over(server, patience=5.0):
    try:
        server.process.wait(timeout=patience)
        return True
    except subprocess.TimeoutExpired:
        return False


def live(server, life, asks):
    """(how it went, what is wrong)"""
    if not server.is_ready():
        if server.process.poll() is None:
            return "wrong", [f"neither ready nor over: {server.text()[-500:]}"]
        return "did not start", []
    went = "right"
    try:
        for ask in asks:
            why = []
            while len(why) < TRIES:
                said, more = answer_to(ask, life)
                if said == "wrong":
                    return "wrong", [f"{ask.__name__}: {more}"]
                went = said if went == "right" else went
                if said == "right" or more == "a connection was lost":
                    break
                why.append(more)
            if len(why) == TRIES:
                return ("ended", []) if is_over(server) else ("wrong", [f"{ask.__name__}: fails again and again: {why}"])
    except LOST:
        return "ended", []  # it must say why: see below
    return went, []


async def unasked(port, life):
    """What was not accepted may be there all the same, and then it is right."""
    line, wrong = Line(port), []
    for number, verdict in life.asked.items():
        answer = await line.ask("GET", f"/v1/submissions/{number}")
        if answer.status != 404 and (answer.status != 200 or misjudged(answer.json(), verdict, our_failure)):
            wrong.append(f"{number}: {answer!r}, not {verdict}")
    line.close()
    return wrong


def next_life(build, options, life):
    """What is wrong with the start after a fault, and with what was promised before it."""
    server = Assayd(build, options)
    end = time.monotonic() + PATIENCE
    while '"msg":"ready"' not in server.text() and server.process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    wrong = []
    if '"msg":"ready"' not in server.text():
        wrong.append("the next one does not start")
    else:
        try:
            wrong += asyncio.run(results(server.http, life, PATIENCE, our_failure)) + asyncio.run(unasked(server.http, life))
        except (*LOST, asyncio.TimeoutError, ValueError, LookupError) as problem:
            wrong.append(f"the next one: {problem!r}")
    return [f"after the fault: {each}" for each in wrong + server.stop()]


def one_life(build, place, tracer, story, fault=None):
    options = ["-dir", f"{place}/store", "-journal-sync"]
    doors = ["-enable-grpc"] if story == "grpc" else []
    server = Traced(build, tracer, fault, options + doors)
    life = Life(server.http, server.grpc)
    try:
        went, wrong = live(server, life, STORIES[story][0])
        wrong += server.end()
        told, text, code = tracer.told(), server.text(), server.process.returncode
    finally:
        server.log.close()
        clients.shutil.rmtree(server.directory, ignore_errors=True)
    wrong += misbehaved(told, {role: NAMES.get(pattern_of(role), role) for _, role, *_ in told})
    if went in ("did not start", "ended"):
        said = [line for line in text.splitlines() if '"level":"error"' in line or '"level":"fatal"' in line or "assayd: " in line]
        if code == 0 or not said:
            wrong.append(f"it {went}: ended with {code} and said {text[-300:]!r}")
    if life.asked or fault and fault[1] in REMOVES:
        wrong += next_life(build, options, life)
    if fault and not tracer.fired():
        wrong += [f"it {went} without a fault"] if went != "right" else []
        went = "not met"
    return went, wrong + ([text[-1500:]] if wrong and fault else [])


def spread(faults, count, rng):
    """So many of them, from every role and call before a second one from any."""
    heaps = collections.defaultdict(list)
    for fault in faults:
        heaps[fault[:2]].append(fault)
    for heap in heaps.values():
        rng.shuffle(heap)
    chosen, rows = [], list(heaps.values())
    rng.shuffle(rows)
    while rows and len(chosen) < count:
        chosen += [heap.pop() for heap in rows][: count - len(chosen)]
        rows = [heap for heap in rows if heap]
    return chosen


def try_one(build, place, tracer, story, fault, before):
    went, wrong = one_life(build, place, tracer, story, fault)
    return went, wrong + left_over(before)


def told_of(story, fault):
    role, call, nth, error = fault
    return f"{story}: the {NAMES.get(role, role)}'s {call} number {nth} fails with {error} ({story} '{role}' {call} {nth} {error})"


def try_some(report, build, place, tracer, story, count, rng):
    went, wrong = one_life(build, place, tracer, story)
    report.check(f"{story}: without a fault all is well", wrong or ("" if went == "right" else went))
    faults, kinds, before = [] if wrong else tracer.faults(pattern_of), collections.Counter(), orphans()
    for fault in spread(faults, count, rng):
        went, wrong = try_one(build, place, tracer, story, fault, before)
        kinds["wrong" if wrong else went] += 1
        if wrong:
            report.check(told_of(story, fault), wrong)
            before = orphans()
    report.note(f"{story}: {kinds.total()} of {len(faults)} faults: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    return kinds


def campaign(report, build, place, tracer):
    count = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ASSAY_DAEMON_FAULTS", FAULTS))
    seed = seed_of(sys.argv)
    report.note(f"seed {seed}")
    rng, kinds, parts = random.Random(seed), collections.Counter(), sum(part for _, part in STORIES.values())
    for story, (_, part) in STORIES.items():
        kinds += try_some(report, build, place, tracer, story, max(1, round(count * part / parts)), rng)
    report.check("with any call failing, assayd answers rightly, or says that it failed, or ends and says why",
                 f"{kinds['wrong']} times it did not" if kinds["wrong"] else "")
    report.check("enough faults were tried, and most were met", unmet(kinds, UNMET) if kinds else "there were none")


FOUND = {  # what once went wrong, tried every time: (story, role, call, number, error)
    "a box that the host cannot furnish is not a bad package": ("package", "0/1/0/*/*", "openat2", 1, "EMFILE"),
    "what is put into a box that has no room for it is not a bad package": ("package", "0/1/0/*/*", "openat2.makes", 1, "ENOSPC"),
    "input that finds no page is not lost": ("stream", "0/1", "write.soon", 1, "ENOMEM"),
}


def try_found(report, build, place, tracer):
    for name, (story, *fault) in FOUND.items():
        went, wrong = try_one(build, place, tracer, story, tuple(fault), orphans())
        report.check(name, wrong or ("there is no such call any more" if went == "not met" else ""))


def main():
    needs_root()
    build, report = sys.argv[1], Report()
    needs_plain_calls(build)
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as place:
        os.chmod(place, 0o755)
        tracer = Tracer(build, place, PROGRAM)
        one_life(build, place, tracer, "served")  # what dead engines left is removed now, and the store is made
        if len(sys.argv) == 7:
            story, role, call, nth, error = sys.argv[2:]
            fault = (role, call, int(nth), error)
            went, wrong = try_one(build, place, tracer, story, fault, orphans())
            report.check(f"{told_of(story, fault)}: {went}", wrong)
        else:
            try_found(report, build, place, tracer)
            campaign(report, build, place, tracer)
    report.end()


if __name__ == "__main__":
    main()
