"""HTTP and WebSocket to the byte, on asyncio's raw streams: a client that can also misbehave."""
import asyncio, base64, json, os, struct

PATIENCE = 60.0  # seconds for an answer under full load; more is a hang


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Line:
    """One connection, used for request after request, and reopened when it was closed."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def open(self):
        # loopback answers at once, unless the queue of the listener is full
        self.reader, self.writer = await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26), PATIENCE)
        return self

    def close(self, rudely=False):
        if self.writer is None:
            return
        if rudely:
            self.writer.transport.abort()
        else:
            self.writer.close()
        self.reader = self.writer = None

    async def send(self, data):
        if self.writer is None:
            await self.open()
        self.writer.write(data)
        await self.writer.drain()

    async def receive(self, patience=PATIENCE, method="POST"):
        return await asyncio.wait_for(self._receive(method), patience)

    async def _receive(self, method):
        head = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = head[:-4].split(b"\r\n")
        fields = {}
        for line in lines:
            name, _, value = line.partition(b":")
            fields[name.decode().lower()] = value.strip().decode()
        status = int(first.split(b" ")[1])
        if status == 100:
            return await self._receive(method)
        bodiless = method == "HEAD" or status in (101, 304)
        body = b"" if bodiless else await self.reader.readexactly(int(fields["content-length"]))
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, fields, body)

    async def ask(self, method, target, body=b"", fields=()):
        await self.send(head(method, target, body, fields) + body)
        return await self.receive(method=method)

    async def run(self, *commands, **rest):
        """The results of one /run that must be taken."""
        answer = await self.ask("POST", "/run", json.dumps({"cmd": commands, **rest}).encode())
        if answer.status != 200:
            raise Wrong(f"/run answered {answer!r}")
        return answer.json()

    async def upload(self, name, content):
        answer = await self.ask("POST", "/file", form(name, content), [FORM])
        if answer.status != 200:
            raise Wrong(f"POST /file answered {answer!r}")
        return answer.json()


class Wrong(Exception):
    """An answer that no client should get."""


GONE = (ConnectionError, asyncio.IncompleteReadError, BrokenPipeError)  # never a wrong answer: none at all
BOUNDARY = b"----load0boundary"
FORM = ("Content-Type", "multipart/form-data; boundary=" + BOUNDARY.decode())


def head(method, target, body=b"", fields=()):
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in fields)]
    if body or method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines + ["", ""]).encode()


def form(name, content):
    said = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    return b"--" + BOUNDARY + b"\r\n" + said + content + b"\r\n--" + BOUNDARY + b"--\r\n"


CLOSED = 0  # a status that no server sends


async def outcome(port, data):
    """(status or CLOSED, answer) of what is sent; nothing may follow the answer to a broken request."""
    line = await Line(port).open()
    try:
        try:
            await line.send(data)
        except GONE:
            pass  # it hung up on us in mid-word; its answer may be there all the same
        reader = line.reader
        answer = await line.receive()
        if line.writer is None and await reader.read(1):
            raise Wrong(f"something follows {answer!r}")
        return answer.status, answer
    except GONE:
        return CLOSED, None
    finally:
        line.close()


TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(payload, kind=TEXT, *, last=True, masked=True, reserved=0, length=None):
    """A frame as a client sends it; every rule can be broken."""
    size = len(payload) if length is None else length
    out = bytes([(0x80 if last else 0) | reserved << 4 | kind])
    mask_bit = 0x80 if masked else 0
    if size < 126:
        out += bytes([mask_bit | size])
    elif size < 65536:
        out += bytes([mask_bit | 126]) + struct.pack(">H", size)
    else:
        out += bytes([mask_bit | 127]) + struct.pack(">Q", size)
    if not masked:
        return out + payload
    mask = os.urandom(4)
    spread = (mask * (len(payload) // 4 + 1))[: len(payload)]
    hidden = (int.from_bytes(payload, "big") ^ int.from_bytes(spread, "big")).to_bytes(len(payload), "big")
    return out + mask + hidden


class Socket(Line):
    """A WebSocket."""

    async def join(self, path="/ws"):
        key = base64.b64encode(os.urandom(16)).decode()
        await self.send(head("GET", path, fields=[
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key)]))
        answer = await self.receive(method="GET")
        if answer.status != 101:
            raise Wrong(f"{path} answered {answer!r}")
        return self

    async def hear(self, patience=PATIENCE):
        """(kind, payload) of the next frame that is no ping."""
        while True:
            kind, payload = await asyncio.wait_for(self._frame(), patience)
            if kind != PING:
                return kind, payload
            await self.send(frame(payload, PONG))

    async def _frame(self):
        first, second = await self.reader.readexactly(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", await self.reader.readexactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
        return first & 0xF, await self.reader.readexactly(size)

    async def tell(self, value):
        await self.send(frame(json.dumps(value).encode()))
