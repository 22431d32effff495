#!/usr/bin/env python3
"""Submissions of every kind and requests without a pause, and kill -9 of one of our processes at a random moment, again and
again: keeper, daemon, opener, warden, a launcher, the init of a run, whatever it runs: a solution, a compiler, a checker, an
interactor. Whatever was accepted gets its right verdict, in a later life if need be, or is said to be our failure; never
another. Who killed a launcher or an init has spoilt one answer at most, and the daemon goes on. At the end nothing of any life
is left.

usage: kills.py BUILD_DIR [KILLS] [SEED]     (KILLS: also $ASSAY_KILLS)
"""
import asyncio, collections, contextlib, os, random, re, signal, socket, sys, tempfile, time

from host import Assayd, Report, clients, needs_root, settled
from orders import MIX, cancelled, disconnect, half_upload
from orders import lay_in as lay_in_guests
from restart import LOST, Books, lay_in, left_of, results, resumed, submit, watcher
from submissions import OTHERS
from wires import Line, Wrong

KILLS = 30  # in about 20 s
HOUSEHOLD = ("keeper", "daemon", "opener", "warden")  # each is the end of the whole, which says so
VICTIMS = {"keeper": 1, "daemon": 2, "opener": 1, "warden": 2, "launcher": 5, "init": 5}
ORDERS = [order for order in MIX if order not in (disconnect, half_upload, cancelled)]
OURS = ("JE", "SE")
# Without an opener the daemon stops by itself: it refuses, and on a slow machine kills what is not over in three seconds.
STOPPING = ("worker is shutting down", "'status': 'Signalled', 'exitStatus': 9")
PATIENCE = 30.0  # seconds for the next right answer; more is a hang


def our_failure(told):
    """A result that blames nobody, and says why: for the whole, or for the test that could not be run."""
    why = [told.get("message"), *(test.get("message") for test in told.get("tests", ()) if test["verdict"] in OURS)]
    return told["status"] in ("Finished", "Failed") and told.get("verdict") in OURS and any(why)


class Day:
    """The load of one life, until its end. `books` outlives it."""

    def __init__(self, server, books, files, kit):
        self.server, self.books, self.files, self.kit = server, books, files, kit
        self.right, self.excused, self.dying = 0, 0, ""

    async def submitter(self):
        line = Line(self.server.http)
        try:
            while True:
                await submit(line, self.books, self.files)
                self.right += 1
                await asyncio.sleep(self.books.rng.random() * 0.1)
        except LOST:
            pass
        except (Wrong, asyncio.TimeoutError, ValueError) as problem:
            self.note("submit", problem)
        finally:
            line.close()

    async def runner(self, number):
        line, rng = Line(self.server.http), random.Random(f"{self.books.count}/{number}")
        while True:
            [order] = rng.choices(ORDERS, [MIX[each] for each in ORDERS])
            try:
                done = await order(line, rng, self.kit)
                self.right += done
            except LOST:
                return line.close()
            except (Wrong, asyncio.TimeoutError, LookupError, ValueError) as problem:
                self.note(order.__name__, problem)
                if self.dying:
                    return line.close()

    def note(self, what, problem):
        """Our failure, with a reason, is no wrong answer. Nor is a refusal by somebody who stops."""
        said = str(problem)
        if re.search(r"'status': 'Internal Error', .*'error': '[^']", said):
            self.excused += not self.dying
        elif self.dying not in ("opener", "warden") or not any(word in said for word in STOPPING):
            self.books.wrong.append(f"{what}: {type(problem).__name__}: {problem}")

    async def progress(self, least):
        """Until so many more were answered, and then a moment of random length."""
        goal, end = self.right + least, time.monotonic() + PATIENCE
        while self.right < goal and time.monotonic() < end:
            await asyncio.sleep(0.002)
        await asyncio.sleep(self.books.rng.random() * 0.1)
        return self.right >= goal

    async def pass_by(self, tally):
        crowd = [asyncio.ensure_future(each) for each in (
            self.submitter(), self.submitter(), self.runner(1), self.runner(2), self.runner(3),
            watcher(self.server.http, self.books, our_failure))]
        await self.progress(3)
        while not self.dying and tally.total() < tally.goal:
            victim = self.strike()
            if not victim:
                continue
            tally[victim] += 1
            if victim in HOUSEHOLD:
                self.dying = victim
            elif not await self.progress(self.books.rng.randrange(1, 5)):
                self.books.wrong.append(f"nothing was answered in {PATIENCE:.0f} s after a {victim} was killed")
                break
        hanging = crowd
        if self.dying:
            _, hanging = await asyncio.wait(crowd, timeout=PATIENCE)
            self.books.wrong += [f"{self.dying} was killed, and a client still waits" for _ in hanging]
        for each in hanging:
            each.cancel()

    def strike(self):
        """kill -9 of one that descends from what this test has started; what it was, or nothing if it was gone."""
        rng, server = self.books.rng, self.server
        [victim] = rng.choices(list(VICTIMS), VICTIMS.values())
        found = [server.people()[victim]] if victim in HOUSEHOLD else server.boxes()[victim]
        if not found:
            return ""
        pid = rng.choice(found)
        seen = clients.parent_and_start(pid)
        if victim in HOUSEHOLD:
            server.remember()
        with contextlib.suppress(ProcessLookupError, OSError):
            handle = os.pidfd_open(pid)
            try:
                if seen and clients.parent_and_start(pid) == seen:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    return victim
            finally:
                os.close(handle)
        return ""


def one_life(server, books, kit, files, tally):
    """Until somebody is killed without whom it cannot go on, or enough were killed."""
    server.await_ready()
    files = asyncio.run(lay_in(server.http, files))
    kit = kit or asyncio.run(lay_in_guests(Line(server.http), server))
    day, wrong = Day(server, books, files, kit), []
    asyncio.run(day.pass_by(tally))
    tally.excused += day.excused
    if day.dying:
        wrong.append(settled(lambda: f"{day.dying} was killed, and assayd lives on" if server.process.poll() is None else "",
                             patience=30))
        if server.process.poll() == 0:
            wrong.append(f"{day.dying} was killed, and assayd ended with 0")
        said = {"warden": "the warden is gone", "opener": "the opener of host files is gone", "daemon": "the daemon was killed"}
        if said.get(day.dying, "") not in server.text():
            wrong.append(f"{day.dying} was killed, and the log does not say so: {server.text()[-500:]}")
    if "give it a -journal of its own" in server.text():
        wrong.append("it ran without its journal")
    if server.process.poll() is None:
        server.process.terminate()
    server.process.wait(timeout=30)
    return kit, files, [each for each in wrong if each]


class Tally(collections.Counter):
    goal, excused, failed = 0, 0, 0


async def failures(port, books):
    """How many submissions were said to be our failure."""
    line, found = Line(port), []
    for number in books.promised:
        told = (await line.ask("GET", f"/v1/submissions/{number}")).json()
        if our_failure(told):
            found += [told["message"] or next(test["message"] for test in told["tests"] if test["verdict"] in OURS)]
    line.close()
    return found


def last_life(report, build, port, store, books, tally):
    server = Assayd(build, ["-dir", store], port)
    try:
        server.await_ready()
        report.check("every submission that was accepted has its right verdict, or is our failure",
                     asyncio.run(results(port, books, excused=our_failure)))
        failed = asyncio.run(failures(port, books))
        tally.failed = len(failed)
        for message, times in collections.Counter(failed).most_common(5):
            report.note(f"{times} times: {message}")
    finally:
        report.check("the last one ends well", server.stop())


def await_free(port, patience=10):
    """A daemon whose keeper was killed dies with it, and has its socket until it is dead: who starts the next waits for that."""
    end = time.monotonic() + patience
    while True:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                return one.bind(("127.0.0.1", port)) or one.listen()
            except OSError:
                if time.monotonic() > end:
                    raise
        time.sleep(0.01)


def main():
    needs_root()
    build, tally, report = sys.argv[1], Tally(), Report()
    tally.goal = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ASSAY_KILLS", KILLS))
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    report.note(f"seed {seed}")
    books, began = Books(random.Random(seed), OTHERS), time.monotonic()
    [port] = clients.free_ports(1)
    lives, again, left, wrong, kit, files, before = 0, 0, [], [], None, [], None
    with tempfile.TemporaryDirectory(prefix="assay-kills-") as place:
        os.chmod(place, 0o755)
        store = f"{place}/store"
        while tally.total() < tally.goal:
            await_free(port)
            server = Assayd(build, ["-dir", store], port)
            kit, files, trouble = one_life(server, books, kit, files, tally)
            wrong += trouble
            lives, again = lives + 1, again + resumed(server)
            if before is not None:
                left += left_of(before)
            before = server
        last_life(report, build, port, store, books, tally)
        left += left_of(before)
    small = tally["launcher"] + tally["init"]
    report.note(f"{tally.total()} kills in {time.monotonic() - began:.0f} s: " + ", ".join(f"{n} {who}" for who, n in tally.items()))
    report.note(f"{lives} lives, {len(books.promised)} submissions accepted, {again} times one was found open in a later life")
    report.note(f"{tally.failed} submissions and {tally.excused} requests were said to be our failure")
    report.check("clients get errors and never a wrong answer", books.wrong)
    report.check("who dies ends what it must, and it is said", wrong)
    report.check("a launcher or an init that is killed spoils one answer at most",
                 "" if tally.failed + tally.excused <= small else f"{tally.failed + tally.excused} of {small}")
    report.check("enough was accepted for the test to mean something",
                 "" if len(books.promised) >= tally.total() else f"{len(books.promised)}")
    report.check("nothing of the dead is left", left)
    report.end()


if __name__ == "__main__":
    main()
