#!/usr/bin/env python3
"""SIGTERM with runs in flight: whoever ends within the patience is answered to the last byte, the others are told, new
ones are turned away, and assayd ends in time with nothing left.

usage: drain.py BUILD_DIR [ROUNDS]
"""
import asyncio, json, random, signal, sys, time

from host import Assayd, Report, needs_root
from orders import MS, command, compare
from wires import GONE, Line, Socket, Wrong

RUNNING = 8
PATIENCE = 3.0  # of assayd, for those that run
LARGE = 3_000_000  # bytes of an answer: more than fits into the buffers of a socket


def short(seconds, text):
    """Says a lot, late."""
    script = f"sleep {seconds:.3f}; head -c {LARGE} /dev/zero | tr '\\0' {text}"
    wish = command("/bin/sh", "-c", script, cpuLimit=60_000 * MS)
    wish["files"][1] = {"name": "stdout", "max": LARGE, "pipe": True}
    return wish


async def until_running(port, count):
    line, end = Line(port), time.monotonic() + 30
    while (state := (await line.ask("GET", "/readyz")).json())["running"] < count:
        if time.monotonic() > end:
            raise Wrong(f"never {count} at a time: {state}")
        await asyncio.sleep(0.01)
    return line


async def client(port, number, rng):
    [result] = await Line(port).run(short(0.3 + rng.random(), chr(97 + number)))
    compare(result, status="Accepted", files={"stdout": chr(97 + number) * LARGE, "stderr": ""})


async def socket_client(port, number, rng):
    socket = await Socket(port).join()
    await socket.tell({"requestId": "r", "cmd": [short(0.3 + rng.random(), "w")]})
    _, payload = await socket.hear()
    compare(json.loads(payload)["results"][0], status="Accepted", files={"stdout": "w" * LARGE, "stderr": ""})


async def too_long(port, number, rng):
    """Ends neither by itself nor in time: killed, and its client told so."""
    answer = await Line(port).ask("POST", "/run", json.dumps({"cmd": [command("/bin/sleep", "60")]}).encode())
    if answer.status == 200 and answer.json()[0]["status"] in ("Signalled", "Internal Error", "Time Limit Exceeded"):
        return
    if answer.status == 500 and answer.json() == "worker is shutting down":
        return
    raise Wrong(f"answered {answer!r}")


async def refused(port):
    """What is wrong with how a newcomer is treated."""
    try:
        answer = await (await Line(port).open()).ask("GET", "/version")
        return f"a newcomer was answered {answer!r}"
    except (*GONE, ConnectionRefusedError):
        return ""


async def one_round(server, kinds, rng):
    """What is wrong; SIGTERM comes when all of them run."""
    port, wrong = server.http, []
    work = [asyncio.ensure_future(kind(port, number, rng)) for number, kind in enumerate(kinds)]
    line = await until_running(port, len(kinds))
    server.remember()
    server.process.send_signal(signal.SIGTERM)
    try:  # an idle connection is closed when the drain has begun
        if await asyncio.wait_for(line.reader.read(1), 2):
            wrong.append("an idle connection was told something")
    except asyncio.TimeoutError:
        wrong.append("an idle connection was kept open")
    wrong.append(await refused(port))
    for each in await asyncio.gather(*work, return_exceptions=True):
        if each is not None:
            wrong.append(f"a run in flight: {type(each).__name__}: {str(each)[:300]}")
    return wrong


def rounds(report, name, build, kinds, count, seconds):
    wrong, slowest = [], 0.0
    for number in range(count):
        server = Assayd(build, ["-parallelism", str(len(kinds))])
        try:
            server.await_ready()
            wrong += [f"round {number}: {each}" for each in asyncio.run(one_round(server, kinds, random.Random(number))) if each]
            began = time.monotonic()
        finally:
            wrong += server.stop()
        slowest = max(slowest, time.monotonic() - began)
    if slowest > seconds:
        wrong.append(f"it took {slowest:.1f} s to end after the last answer")
    report.check(f"{name} ({count} times)", wrong)


def main():
    needs_root()
    report, build = Report(), sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    rounds(report, f"{RUNNING} runs in flight are answered completely", build, [client] * RUNNING, count, PATIENCE + 2)
    rounds(report, "runs on /ws are answered completely", build, [socket_client] * 4, 2, PATIENCE + 2)
    rounds(report, "one that does not end is killed and its client told, the others are answered", build,
           [client, client, too_long], 2, PATIENCE + 2)
    report.end()


if __name__ == "__main__":
    main()
