#!/usr/bin/env python3
"""Whatever a client sends: a 4xx (or the documented status) with a reason or a closed connection, in bounded memory and
time, no crash, and the next good request is answered.

usage: bad_input.py BUILD_DIR [PART...]
"""
import asyncio, json, os, pathlib, sys, tempfile, time

import big_bodies, sources
from bad_shapes import GOOD, HTTP, JSON, RUNS, SOCKET, post
from host import Assayd, Report, needs_root, settled, status_kib
from orders import command, compare
from wires import CLOSE, GONE, Line, Socket, Wrong, frame, head, outcome

SECONDS = 10.0  # for any one of these, on a loaded machine
SMALL_KIB = 64 * 1024  # memory that a request of some megabytes may take
SANITIZED = 10  # times slower, where every byte that is read is looked at
LORIES = 500


class Trial:
    """One server; every case is bounded in time and memory, and followed by a good request."""

    def __init__(self, report, server):
        self.report, self.server, self.port = report, server, server.http

    async def case(self, name, work, seconds=SECONDS, kib=SMALL_KIB):
        daemon = self.server.people()["daemon"]
        pathlib.Path(f"/proc/{daemon}/clear_refs").write_text("5")  # the high-water mark is now the level
        level, began = status_kib(daemon, "VmRSS"), time.monotonic()
        try:
            wrong = [await asyncio.wait_for(work(), seconds * (SANITIZED if self.server.is_sanitized else 1))]
        except Wrong as problem:
            wrong = [str(problem)]
        except asyncio.TimeoutError:
            wrong = [f"not over after {time.monotonic() - began:.1f} s"]
        rise = status_kib(daemon, "VmHWM") - level
        if rise > kib and not self.server.is_sanitized:
            wrong.append(f"memory rose by {rise} KiB; {kib} are allowed")
        if self.server.people().get("daemon") != daemon:
            wrong.append("the daemon is gone")
        wrong.append(await self.next_request())
        self.report.check(name, wrong)

    async def next_request(self):
        try:
            line = Line(self.port)
            [result] = await line.run(command("/bin/echo", "still here"))
            compare(result, status="Accepted", files={"stdout": "still here\n", "stderr": ""})
            line.close()
        except (*GONE, Wrong, asyncio.TimeoutError) as problem:
            return f"the next good request failed: {type(problem).__name__}: {problem}"
        return ""


async def json_cases(trial):
    for name, body, statuses, words in JSON:
        async def work():
            status, answer = await outcome(trial.port, post(body))
            reason = answer.json() if answer else ""
            fine = status in statuses and isinstance(reason, str) and reason and words in reason
            return "" if fine else f"answered {answer!r}"
        await trial.case(f"{name}: {', '.join(map(str, statuses))} with a reason", work)


async def run_cases(trial):
    for name, wish, statuses in RUNS:
        async def work():
            [result] = await Line(trial.port).run(wish)
            said = result.get("error") or result["status"] == "Accepted"
            return "" if result["status"] in statuses and said else f"{str(result)[:500]}"
        await trial.case(f"{name}: {' or '.join(statuses)}", work, seconds=30)

    async def broken_text():
        [result] = await Line(trial.port).run(command("/bin/echo", "@"))
        body = json.dumps({"cmd": [command("/bin/echo", "@")]}).encode().replace(b"@", b"\xff\xc0\x80\xed\xa0\x80")
        _, answer = await outcome(trial.port, post(body))
        compare(answer.json()[0], status="Accepted", files={"stdout": "\ufffd" * 6 + "\n", "stderr": ""})
    await trial.case("invalid UTF-8 becomes U+FFFD, as Go's decoder does it", broken_text)

    async def twice():
        body = GOOD[:-1] + b',"cmd":' + json.dumps([command("/bin/echo", "last")]).encode() + b"}"
        _, answer = await outcome(trial.port, post(body))
        compare(answer.json()[0], status="Accepted", files={"stdout": "last\n", "stderr": ""})
    await trial.case("of duplicate keys the last one counts, as Go's decoder does it", twice)


async def http_cases(trial):
    for name, data, statuses in HTTP:
        async def work():
            status, answer = await outcome(trial.port, data)
            smuggled = answer is not None and status == 404 and 404 not in statuses
            return "" if status in statuses and not smuggled else f"answered {answer or 'by closing'!r}"
        await trial.case(f"{name}: {' or '.join(str(each or 'closed') for each in statuses)}", work)


async def socket_cases(trial):
    for path in ("/ws", "/stream"):
        for name, frames in SOCKET:
            async def work():
                socket = await Socket(trial.port).join(path)
                try:
                    await socket.send(frames)
                    kind, payload = await socket.hear()
                    if kind != CLOSE:
                        return f"answered with a frame of kind {kind}: {payload[:200]!r}"
                    await socket.send(frame(payload[:2], CLOSE))
                    return "" if not await socket.reader.read() else "it goes on after its goodbye"
                except GONE:
                    return ""
                finally:
                    socket.close()
            await trial.case(f"{path}: {name}: closed", work)

    async def endless():
        socket = await Socket(trial.port).join()
        try:
            await socket.send(frame(b"{", last=False))
            for _ in range(1024):  # a gigabyte, in fragments; one message may have 64 MiB
                await socket.send(frame(b" " * (1 << 20), 0, last=False))
            return "a message of a gigabyte was taken"
        except GONE:
            return ""
        finally:
            socket.close()
    await trial.case("/ws: a message without an end: closed", endless, seconds=30, kib=192 * 1024)


async def slow_cases(trial):
    """Many who say little hold their connections and nothing else: the others are served meanwhile."""
    beginnings = {"nothing": b"", "half a header": b"POST /run HTTP/1.1\r\nHost: x\r\nA", "a body that stops":
                  head("POST", "/run", b" " * 1_000_000) + b"{", "a chunk that stops":
                  b"POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFF\r\n{"}
    for name, data in beginnings.items():
        async def work():
            lines = await asyncio.gather(*(Line(trial.port).open() for _ in range(LORIES)))
            for line in lines:
                await line.send(data)
            for letter in b"aaaa" if data else b"":  # a byte at a time, while others are served
                for line in lines:
                    await line.send(bytes([letter]))
                if wrong := await trial.next_request():
                    return wrong
            for number, line in enumerate(lines):
                line.close(rudely=number % 2 == 0)
        await trial.case(f"{LORIES} connections that send {name}: others are served", work, seconds=30)

    def closed():
        daemon = trial.server.people()["daemon"]
        sockets = sum(os.readlink(f"/proc/{daemon}/fd/{fd}").startswith("socket:") for fd in os.listdir(f"/proc/{daemon}/fd")
                      if os.path.islink(f"/proc/{daemon}/fd/{fd}"))
        return "" if sockets < 50 else f"{sockets} sockets are open"
    trial.report.check("their sockets are closed when they have gone", settled(closed))

    async def half_closed():
        line = await Line(trial.port).open()
        await line.send(post(GOOD))
        line.writer.write_eof()  # says that it has nothing more to say: as go-judge, we take it for gone
        try:
            answer = await line.receive()
            return "" if answer.status in (200, 500) else f"answered {answer!r}"
        except GONE:
            return ""
    await trial.case("a client that closes its half: answered or closed", half_closed)


async def big_cases(trial):
    for name, work, seconds, kib in big_bodies.cases(trial):
        await trial.case(name, work, seconds, kib)


PARTS = {"json": json_cases, "runs": run_cases, "http": http_cases, "sockets": socket_cases, "slow": slow_cases,
         "sources": sources.cases, "big": big_cases}


def main():
    needs_root()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="assay-load-") as name:
        allowed = sources.lay_out(pathlib.Path(name))
        server = Assayd(sys.argv[1], ["-src-prefix", str(allowed)])
        try:
            server.await_ready()
            trial = Trial(report, server)
            for part in sys.argv[2:] or PARTS:
                began = time.monotonic()
                asyncio.run(PARTS[part](trial, *([allowed] if part == "sources" else [])))
                report.note(f"{part}: {time.monotonic() - began:.1f} s")
        finally:
            report.check("it ends and leaves nothing", server.stop())
    report.end()


if __name__ == "__main__":
    main()
