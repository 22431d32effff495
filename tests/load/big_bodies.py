"""Bodies of a gigabyte, on /run and /file, declared and chunked, alone and from 64 clients at a time."""
import asyncio

from host import settled, status_kib
from wires import BOUNDARY, FORM, GONE, Line, head

GIB, MIB = 1 << 30, 1 << 20
BLOCK = b" " * MIB
CHUNK = b"100000\r\n" + BLOCK + b"\r\n"
CHUNKED = "POST {} HTTP/1.1\r\nHost: x\r\n{}Transfer-Encoding: chunked\r\n\r\n"
KEPT = 20 * 1024  # KiB that the daemon may have when all of them have gone
HALF = 2 * 1024 * 1024 + 128 * 1024  # KiB: all bodies together may have 2 GiB


async def pour(port, start, block, count, end=b""):
    """Sends until it is told to stop, then says what it was told: a status, or 0."""
    line = await Line(port).open()
    reader = line.reader
    told = asyncio.ensure_future(line.receive(patience=None))  # the case has its own: a gigabyte takes a sanitizer a minute
    try:
        await line.send(start)
        for _ in range(count):
            if told.done():
                break
            line.writer.write(block)
            await line.writer.drain()
        if not told.done():
            await line.send(end)
    except (*GONE, AttributeError):
        pass  # hung up; or closed by the answer that has come meanwhile
    try:
        return (await told).status
    except GONE:
        return 0
    finally:
        told.cancel()
        line.close()


def cases(trial):
    """(name, work, seconds, KiB)"""
    port, server = trial.port, trial.server

    def expects(start, block, count, statuses, end=b""):
        async def work():
            status = await pour(port, start, block, count, end)
            return "" if status in statuses else f"answered {status}"
        return work

    def declared(size):
        return f"POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n".encode()
    form = f"{FORM[0]}: {FORM[1]}\r\n"
    part = b"--" + BOUNDARY + b'\r\nContent-Disposition: form-data; name="file"; filename="big"\r\n\r\n'

    async def crowd():
        told = await asyncio.gather(*(pour(port, declared(GIB), BLOCK, 1024) for _ in range(64)))
        return "" if set(told) <= {400, 503, 0} and 503 in told else f"answered {sorted(told)}"

    async def promises():
        lines = await asyncio.gather(*(Line(port).open() for _ in range(64)))
        for line in lines:  # of a gigabyte each, of which a byte comes
            await line.send(declared(GIB) + b"{")
        wrong = await trial.next_request()
        for line in lines:
            line.close()
        return wrong

    async def flat():
        daemon = server.people()["daemon"]
        look = lambda: "" if server.is_sanitized or status_kib(daemon, "VmRSS") < KEPT else f"{status_kib(daemon, 'VmRSS')} KiB are kept"
        return settled(look, patience=30)  # it trims its heaps every 15 s

    async def empty():
        listed = (await Line(port).ask("GET", "/file")).json()
        return f"the store holds {listed}" if listed else ""

    yield "a body of 1 GiB and a byte, declared: 413 before it is sent", expects(declared(GIB + 1), b"", 0, {413}), 10, 8192
    yield "a body of 1 GiB of blanks, declared: read, and 400", expects(declared(GIB), BLOCK, 1024, {400}), 60, 1100 * 1024
    yield "a body over 1 GiB, in chunks: 413", expects(CHUNKED.format("/run", "").encode(), CHUNK, 1100, {413}), 60, HALF
    yield "an upload over 1 GiB, in chunks: 413", expects(
        CHUNKED.format("/file", form).encode() + b"%x\r\n%s\r\n" % (len(part), part), CHUNK, 1100, {413}), 60, 8192
    yield "nothing of it is in the store", empty, 10, 8192
    yield "64 clients that promise 1 GiB each: others are served", promises, 30, 65536
    yield "64 clients that send 1 GiB each: 503 beyond what may be held", crowd, 120, HALF
    yield "the memory is given back", flat, 40, 65536
