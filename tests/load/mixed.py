#!/usr/bin/env python3
"""10 000 requests at 64 connections, of every kind and ending: every answer is right, nothing leaks, memory is flat.

usage: mixed.py BUILD_DIR [REQUESTS]
"""
import asyncio, collections, random, sys, time

from host import Assayd, Report, needs_root, settled
from orders import MIX, lay_in
from wires import Line, Wrong

CONNECTIONS = 64
WARM = 3000  # requests after which the pool of boxes and the allocator have their size
# What the heaps of seven threads keep of their busiest moments. Before the daemon trimmed them, its anonymous memory was
# 6.1 MB after 2 500 requests, 8.3 at most (40 000) and 8.0 after 55 000: steps, up and down, and level between them, so
# taken for the allocator's; no heap profile was made. Hides a leak below some 300 bytes per request.
SLACK_KIB = 2048
WORKERS = 2
MOST_BOXES = 2 * WORKERS + 2 * WORKERS + 1  # a group of two per worker, the spare ones, and one when all of those are being cleaned


class Load:
    def __init__(self, port, kit, seed):
        self.port, self.kit, self.seed = port, kit, seed
        self.left, self.sent, self.wrong = 0, 0, []
        self.kinds = collections.Counter()

    async def client(self, number):
        rng = random.Random(f"{self.seed}/{number}/{self.sent}")
        line = Line(self.port)
        while self.left > 0 and len(self.wrong) < 20:
            [order] = rng.choices(list(MIX), MIX.values())
            self.left -= 1
            try:
                done = await order(line, rng, self.kit)
            except (Wrong, OSError, asyncio.TimeoutError, EOFError, LookupError, ValueError) as problem:
                self.wrong.append(f"{order.__name__}: {type(problem).__name__}: {problem}")
                line.close()
                continue
            self.kinds[order.__name__] += 1
            self.left -= done - 1
            self.sent += done
        line.close()

    async def send(self, requests):
        self.left = requests
        await asyncio.gather(*(self.client(number) for number in range(CONNECTIONS)))


async def idle(port):
    """What is wrong with the queue, if anything is still in it."""
    line = Line(port)
    answer = (await line.ask("GET", "/readyz")).json()
    line.close()
    return "" if (answer["ready"], answer["queued"], answer["running"]) == (True, 0, 0) else f"/readyz says {answer}"


def settle(server):
    """Until nothing is queued or running, and nobody lives but the household and its boxes."""
    wrong = settled(lambda: asyncio.run(idle(server.http)))
    state = []

    def still():
        state.append(server.holds())
        return "" if len(state) > 4 and all(each == state[-1] for each in state[-5:]) else f"it still changes: {state[-2:]}"
    return wrong or settled(still), state[-1] if state else None


def growth(one, warm, last):
    """What `last` has more than its boxes explain. One and warm: the same daemon with fewer boxes and as many."""
    (boxes_one, held_one), (boxes_warm, held_warm), (boxes, held) = one, warm, last
    for key, value in held.items():
        each = (held_warm[key] - held_one[key]) / max(boxes_warm - boxes_one, 1)
        allowed = held_warm[key] + each * (boxes - boxes_warm)
        if value >= allowed + 1:  # what a box holds is not the same for each
            yield f"{key}: {value}, of which {allowed:g} were there before ({boxes_warm} boxes then, {boxes} now)"


def main():
    needs_root()
    requests = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    seed = random.randrange(1 << 32)
    report, server = Report(), Assayd(sys.argv[1])
    report.note(f"seed {seed}")
    try:
        server.await_ready()
        with_line = lambda work: asyncio.run(work(Line(server.http)))
        kit = with_line(lambda line: lay_in(line, server))
        _, one = settle(server)
        load = Load(server.http, kit, seed)

        asyncio.run(load.send(WARM))
        report.check("the queue empties after the first part", settle(server)[0])
        warm, warm_rss = settle(server)[1], server.rss()

        began = time.monotonic()
        asyncio.run(load.send(requests - WARM))
        rate = (requests - WARM) / (time.monotonic() - began)
        trouble, last = settle(server)
        rss = server.rss()
        report.note(f"{load.sent} requests, {rate:.0f}/s; {dict(load.kinds)}")
        report.note(f"boxes {one[0]} -> {warm[0]} -> {last[0]}; RSS after {WARM}: {warm_rss} KiB, at the end: {rss} KiB")
        report.note(f"held: {last[1]}")
        report.check("every answered request is right", load.wrong)
        report.check("the queue is empty when the clients have gone", trouble)
        report.check("nothing has grown: processes, threads, mounts, cgroups, descriptors, files", growth(one, warm, last))
        report.check("the pool of boxes has its size", "" if last[0] <= MOST_BOXES else f"{last[0]} boxes")
        if server.is_sanitized:
            report.note("sanitized: the memory of daemon and warden is not compared")
        else:
            report.check("the memory of daemon and warden is flat",
                         "" if rss <= warm_rss + SLACK_KIB else f"{warm_rss} KiB, then {rss} KiB")
        again = Load(server.http, kit, seed)
        asyncio.run(again.send(100))
        report.check("the server still answers", again.wrong)
    finally:
        report.check("it ends and leaves nothing", server.stop())
    report.end()


if __name__ == "__main__":
    main()
