#!/usr/bin/env python3
"""assayd with one failing system call, from its start over a request and a submission to its end: each call of each of our
processes, with each error that it can have. It answers rightly, or says that it failed, or ends and says why; nobody crashes,
hangs or stays, and nothing is left after the next start.

usage: daemon.py BUILD_DIR [FAULTS] [SEED]     (FAULTS: how many are tried, spread over roles and calls; also $ASSAY_DAEMON_FAULTS)
"""
import asyncio, collections, contextlib, json, os, pathlib, random, signal, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "load"))
from calls import Tracer, left_over, misbehaved, orphans  # noqa: E402
from host import Assayd, Report, clients, needs_plain_calls, needs_root, read  # noqa: E402
from kills import our_failure  # noqa: E402
from orders import command, compare  # noqa: E402
from restart import KINDS, LIMITS, LOST, TESTS, misjudged  # noqa: E402
from wires import Line, Wrong  # noqa: E402

FAULTS = 12
PATIENCE = 40.0  # seconds for each answer, for the start and for the end; the engine gives up on a silent box after 20
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
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            if '"msg":"ready"' in self.text():
                self.remember()
                return True
            time.sleep(0.02)
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


async def ask_to_run(port):
    try:
        [result] = await asyncio.wait_for(Line(port).run(
            command("/bin/cat", "a", "-", stdin="said", copyIn={"a": {"content": "put "}})), PATIENCE)
        if result["status"] in ("Internal Error", "File Error") and result.get("error"):
            return "our failure", ""
        compare(result, status="Accepted", files={"stdout": "put said", "stderr": ""})
        return "right", ""
    except Wrong as problem:  # 500 with a reason is our failure, too
        said = str(problem)
        return ("our failure", "") if "/run answered 500 b'\"" in said else ("wrong", said)


async def ask_to_judge(port):
    source, verdict = KINDS[0]
    body = json.dumps({"language": "python", "source": source, "wait": True, "problem": {"limits": LIMITS, "tests": TESTS}}).encode()
    answer = await asyncio.wait_for(Line(port).ask("POST", "/v1/submissions", body), PATIENCE)
    if answer.status in (500, 503):
        told = answer.json()
        return ("our failure", "") if told.get("error", {}).get("message") else ("wrong", repr(answer))
    told = answer.json()
    if answer.status != 200 or misjudged(told, verdict, our_failure):
        return "wrong", f"answered {answer!r}"
    return ("our failure" if our_failure(told) else "right"), ""


async def again_if_lost(ask, port):
    """A connection may fail, but the next one is taken."""
    try:
        return await ask(port)
    except LOST:
        await ask(port)
        return "our failure", ""


def live(server):
    """(how it went, what is wrong)"""
    if not server.is_ready():
        if server.process.poll() is None:
            return "wrong", [f"neither ready nor over: {server.text()[-500:]}"]
        return "did not start", []
    went = "right"
    for ask in (ask_to_run, ask_to_judge, ask_to_run):
        try:
            said, wrong = asyncio.run(again_if_lost(ask, server.http))
        except LOST:
            return "ended", []  # it must say why: see below
        except asyncio.TimeoutError:
            return "wrong", [f"{ask.__name__}: no answer in {PATIENCE:.0f} s"]
        except (ValueError, KeyError) as problem:
            return "wrong", [f"{ask.__name__}: {problem!r}"]
        if wrong:
            return "wrong", [f"{ask.__name__}: {wrong}"]
        went = said if went == "right" else went
    return went, []


def one_life(build, place, tracer, fault=None):
    server = Traced(build, tracer, fault, ["-dir", f"{place}/store"])
    try:
        went, wrong = live(server)
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
    if fault and not any(line[0] == "fired" for line in told):
        went = "not met"
    return went, wrong


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


def main():
    needs_root()
    needs_plain_calls(sys.argv[1])
    build = sys.argv[1]
    count = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ASSAY_DAEMON_FAULTS", FAULTS))
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    report, rng, kinds = Report(), random.Random(seed), collections.Counter()
    report.note(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as place:
        os.chmod(place, 0o755)
        tracer = Tracer(build, place, PROGRAM)
        one_life(build, place, tracer)  # what dead engines left is removed now, and the store is made
        went, wrong = one_life(build, place, tracer)
        report.check("without a fault all is well", wrong or ("" if went == "right" else went))
        faults = [] if wrong else tracer.faults(pattern_of)
        before = orphans()
        for role, call, nth, error in spread(faults, count, rng):
            went, wrong = one_life(build, place, tracer, (role, call, nth, error))
            wrong += left_over(before)
            kinds["wrong" if wrong else went] += 1
            if wrong:
                report.check(f"the {NAMES.get(role, role)}'s {call} number {nth} fails with {error}", wrong)
                before = orphans()
    report.note(f"{kinds.total()} of {len(faults)} faults: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    report.check("with any call failing, assayd answers rightly, or says that it failed, or ends and says why",
                 f"{kinds['wrong']} times it did not" if kinds["wrong"] else "")
    report.end()


if __name__ == "__main__":
    main()
