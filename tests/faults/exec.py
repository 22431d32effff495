#!/usr/bin/env python3
"""`assay exec` with one failing system call: each call of each of our processes, with each error that it can have. The answer is
right, or a clear failure of ours; nobody crashes, hangs or stays, and nothing is left.

usage: exec.py BUILD_DIR [SHARE] [SEED]     (SHARE of all faults that are tried, 0 to 1; also $ASSAY_FAULTS)
"""
import collections, json, os, pathlib, random, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "load"))
from calls import REMOVES, Tracer, left_over, misbehaved, orphans, seed_of, unmet  # noqa: E402
from host import Report, needs_plain_calls, needs_root  # noqa: E402

SHARE = 0.008
UNMET = 0.2  # of a sample may be calls that only timing makes
SECONDS = 60.0  # for one run; more is a hang. The engine gives up on a silent box after 20
ROLES = {"0": "cli", "0/0": "warden", "0/0/0": "launcher", "0/0/0/0": "init", "0/0/0/0/0": "program-to-be"}
STORIES = {  # name: (options, program, verdict, end)
    "accepted": (["--cpu", "10s", "--wall", "30s"], ["echo_input"], "AC", "exited"),
    "over time": (["--cpu", "40ms", "--wall", "30s"], ["spin_forever"], "TLE", "signaled"),
    "over memory": (["--memory", "8MiB", "--wall", "30s"], ["eat_memory", "private", "64"], "MLE", "signaled"),
    "forbidden": (["--profile", "native", "--wall", "30s"], ["make_syscall", "101"], "RE", "forbidden"),
}
FOUND = {  # what once went wrong, tried at every such call, every time: (story, role, call, error)
    "a meter that the warden cannot open is our failure, and no RE": ("over time", "0/0", "openat", "ENFILE"),
    "a launcher without a descriptor for its init ends": ("over time", "0/0/0", "fcntl.copies", "EMFILE"),
    "a launcher without its slate ends": ("over time", "0/0/0", "mmap", "ENOMEM"),
    "a kill that cannot be sent is not waited for": ("over time", "0", "sendmsg", "ENOBUFS"),
    "a launcher whose message cannot be sent ends": ("accepted", "0/0/0", "sendmsg", "ENOMEM"),
    "a standard stream that cannot be looked at is there": ("accepted", "0", "fcntl.plain", "EINTR"),
    "output that finds no room is our failure": ("accepted", "0", "write", "ENOSPC"),
    "output or a policy that cannot be read is our failure": ("accepted", "0", "read", "EIO"),
    "a directory that cannot be read to its end ends nobody": ("accepted", "0/0", "getdents64", "EIO"),
}
OURS = (2, 127)
TEXT = "as it was said\n" * 50


class Story:
    def __init__(self, build, place, name):
        self.build, self.place, self.name = pathlib.Path(build), place, name
        self.options, self.program, self.verdict, self.end = STORIES[name]
        self.tracer, self.meters = Tracer(build, place, program=4), None
        pathlib.Path(f"{place}/input").write_text(TEXT)

    def command(self):
        guest = self.build / "tests/guests" / self.program[0]
        return [str(self.build / "bin/assay"), "exec", "--json", *self.options, "--in", f"p={guest}",
                "--stdin", f"{self.place}/input", "--stdout", f"{self.place}/output", "--", "./p", *self.program[1:]]

    def run(self, fault=None):
        """What is wrong with it, if anything, and whether it failed by our fault."""
        pathlib.Path(f"{self.place}/output").unlink(missing_ok=True)
        began = time.monotonic()
        try:
            done = subprocess.run(self.tracer.command(fault) + self.command(), capture_output=True, text=True, timeout=SECONDS,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return [f"not over after {SECONDS:.0f} s"], False
        took = time.monotonic() - began
        told = self.tracer.told()
        wrong = misbehaved(told, ROLES) + self.wrong_answer(done)
        if fault and not self.tracer.fired():  # timing decides about some calls
            return wrong + ([f"failed without a fault: {done.stderr[:300]!r}"] if done.returncode in OURS else []), None
        return wrong + ([f"took {took:.1f} s"] if took > 15 else []), done.returncode in OURS

    def wrong_answer(self, done):
        said = f"ended with {done.returncode}, said {done.stdout[:150]!r} and {done.stderr[:300]!r}"
        report = json.loads(done.stdout) if done.stdout.startswith("{") and done.stdout.endswith("}\n") else {}
        if done.returncode == 127 and ": error while loading shared libraries: " in done.stderr:  # libc's, before there is a main
            return []
        if done.returncode == 2:  # our failure
            lines = done.stderr.strip().splitlines()
            fine = lines and all(line.startswith("assay: ") for line in lines) and report.get("verdict", "SE") in ("SE", "JE")
            return [] if fine else [said]
        if not report or report["verdict"] != self.verdict or done.returncode != (0 if self.verdict == "AC" else 1):
            return [said]
        if report["facts"]["end"] != self.end:
            return [said]
        facts = report["facts"]  # a meter that was lost shows here, if not in the verdict
        meters = facts["box"], facts["memory_meter"], *(facts[key] > 0 for key in ("cpu_ns", "memory_peak_bytes", "processes_peak"))
        self.meters = self.meters or meters
        if meters != self.meters:
            return [f"measured {meters} and not {self.meters}"]
        output = pathlib.Path(f"{self.place}/output").read_text()
        return [] if self.verdict != "AC" or output == TEXT else [f"{said}, and the output is {output[:100]!r}"]


def try_some(story, faults):
    """(how often it went how, what was wrong)"""
    kinds, found, before = collections.Counter(), [], orphans()
    for role, call, nth, error in faults:
        wrong, ours = story.run((role, call, nth, error))
        if call in REMOVES:
            wrong += story.run()[0]
        wrong += left_over(before)
        kinds["wrong" if wrong else {True: "our failure", False: "right", None: "not met"}[ours]] += 1
        if wrong:
            found += [f"{ROLES.get(role, role)}'s {call} number {nth} fails with {error}:", *wrong]
            before = orphans()
    return kinds, found


def try_all(report, story, share, rng):
    story.run()  # what dead engines left is removed now, and is not in the list
    wrong, _ = story.run()
    report.check(f"{story.name}: without a fault all is well", wrong)
    if wrong:
        return collections.Counter()
    faults = story.tracer.faults()
    for name, (where, *once) in FOUND.items():
        if where == story.name:
            kinds, found = try_some(story, [fault for fault in faults if [fault[0], fault[1], fault[3]] == once])
            report.check(name, found or ("" if kinds.total() > kinds["not met"] else "there is no such call any more"))
    chosen = [fault for fault in faults if rng.random() < share]
    kinds, found = try_some(story, chosen)
    report.note(f"{story.name}: {len(chosen)} of {len(faults)} faults: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    report.check(f"{story.name}: with any call failing, the answer is right or a clear failure of ours", found)
    return kinds


def main():
    needs_root()
    needs_plain_calls(sys.argv[1])
    share = float(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ASSAY_FAULTS", SHARE))
    seed = seed_of(sys.argv)
    report, rng = Report(), random.Random(seed)
    report.note(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as place:
        kinds = sum((try_all(report, Story(sys.argv[1], place, name), share, rng) for name in STORIES), collections.Counter())
    report.check("enough faults were tried, and most were met", unmet(kinds, UNMET) if kinds else "there were none")
    report.end()


if __name__ == "__main__":
    main()
