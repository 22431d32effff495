#!/usr/bin/env python3
"""kill -9 under load, of every process and of all at once, and a restart on the same port and -dir: clients get
connection errors and never a wrong answer, nothing of the old instance remains, cached files are whole.

usage: kill.py BUILD_DIR
"""
import asyncio, contextlib, glob, os, random, signal, sys, tempfile

from host import Assayd, Report, clients, needs_root, settled
from orders import MIX, command, compare, disconnect, half_upload, lay_in
from wires import GONE, Line, Wrong

CONNECTIONS = 64
LEAST = 300  # requests answered before the kill: the load is on
VICTIMS = ("keeper", "daemon", "warden", "opener", "all")
KEPT = {"empty": b"", "small.txt": b"small\n", "a name with \u4e2d.bin": bytes(range(256)) * 4096}


class Storm:
    """Load that goes on until the server is gone. `wrong` gets what no client may see."""

    def __init__(self, port, kit, may_say):
        self.port, self.kit, self.answered, self.refused, self.wrong = port, kit, 0, 0, []
        self.may_say = may_say  # what is no wrong answer either

    async def client(self, number):
        rng, line = random.Random(number), Line(self.port)
        orders = [order for order in MIX if order not in (disconnect, half_upload)]
        while True:
            [order] = rng.choices(orders, [MIX[each] for each in orders])
            try:
                done = await order(line, rng, self.kit)
                self.answered += done
            except (*GONE, ConnectionRefusedError):
                self.refused += 1
                line.close()
                return
            except Wrong as problem:
                if not any(word in str(problem) for word in self.may_say):
                    self.wrong.append(f"{order.__name__}: {problem}")
                return line.close()
            except (asyncio.TimeoutError, LookupError, ValueError) as problem:
                self.wrong.append(f"{order.__name__}: {type(problem).__name__}: {problem}")
                return line.close()

    async def rage(self, strike):
        everybody = [asyncio.ensure_future(self.client(number)) for number in range(CONNECTIONS)]
        while self.answered < LEAST and not all(each.done() for each in everybody):
            await asyncio.sleep(0.01)
        strike()
        done, hanging = await asyncio.wait(everybody, timeout=40)
        self.wrong += [f"a client still waits: {each}" for each in hanging]
        for each in hanging:
            each.cancel()


def strike(server, victim):
    people = server.people()
    server.remember()
    chosen = people.values() if victim == "all" else [people[victim]]
    for pid in chosen:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def keep_files(line):
    return {await line.upload(name, content): (name, content) for name, content in KEPT.items()}


async def lost_files(line, kept):
    """What is wrong with the files after a restart."""
    listed = (await line.ask("GET", "/file")).json()
    wrong = []
    for number, (name, content) in kept.items():
        answer = await line.ask("GET", f"/file/{number}")
        if answer.status != 200 or answer.body != content:
            wrong.append(f"{name}: {answer.status}, {len(answer.body)} bytes of {len(content)}")
        if listed.get(number) != name:
            wrong.append(f"{name} is now called {listed.get(number)!r}")
    line.close()
    return wrong


async def works(line, kept):
    """Runs programs over a file that an earlier instance took in."""
    number = next(each for each, (name, _) in kept.items() if name == "small.txt")
    for _ in range(4):
        [result] = await line.run(command("/bin/cat", "a", copyIn={"a": {"fileId": number}}))
        compare(result, status="Accepted", files={"stdout": "small\n", "stderr": ""})
    line.close()
    return ""


def remains(old, store):
    """Of an instance that was killed, when its successor is ready."""
    left = old.leftovers(patience=5)
    left += [f"{path} is left" for path in glob.glob(f"{store}/tmp/*/*")]
    sessions = os.listdir(f"{store}/tmp")
    if len(sessions) > 1:
        left.append(f"sessions of dead stores are left: {sessions}")
    return left


def one_round(report, build, victim, port, store, kept):
    server = Assayd(build, ["-dir", store], port)
    try:
        server.await_ready()
        kit = asyncio.run(lay_in(Line(server.http), server))
        kept = kept or asyncio.run(keep_files(Line(server.http)))

        async def storm():
            # Without an opener or a warden the daemon stops by itself, and says so to whom it can.
            crippled = victim in ("opener", "warden")
            load = Storm(server.http, kit, ("worker is shutting down", "Internal Error") if crippled else ())
            await load.rage(lambda: strike(server, victim))
            return load
        load = asyncio.run(storm())
        report.note(f"{victim}: {load.answered} answered, {load.refused} clients lost their connection")
        report.check(f"{victim} killed: clients get connection errors, never a wrong answer",
                     load.wrong or ("" if load.refused else "nobody noticed"))
        ended = settled(lambda: "assayd lives on" if server.process.poll() is None else "", patience=20)
        report.check(f"{victim} killed: assayd ends, and not as if all were well",
                     ended or ("" if server.process.returncode else "it ended with 0"))
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.wait()
    successor = Assayd(build, ["-dir", store], port)
    try:
        successor.await_ready()
        report.check(f"{victim} killed: nothing of it remains after the next start", remains(server, store))
        report.check(f"{victim} killed: cached files are there, whole and under their names",
                     asyncio.run(lost_files(Line(port), kept)))
        report.check(f"{victim} killed: new requests work", asyncio.run(works(Line(port), kept)))
    finally:
        report.check(f"{victim} killed: the next instance ends well", successor.stop())
        server.log.close()
        clients.shutil.rmtree(server.directory, ignore_errors=True)
    return kept


def main():
    needs_root()
    report = Report()
    [port] = clients.free_ports(1)
    victims = sys.argv[2:] or VICTIMS
    with tempfile.TemporaryDirectory(prefix="assay-load-") as place:
        os.chmod(place, 0o755)
        store, kept = f"{place}/store", None
        for victim in victims:
            kept = one_round(report, sys.argv[1], victim, port, store, kept)
    report.end()


if __name__ == "__main__":
    main()
