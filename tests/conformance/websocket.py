"""A WebSocket client of our own, as small as the tests need it: RFC 6455 without fragments and extensions."""
import base64, json, os, socket, struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Closed(Exception):
    """The server ended the connection; `frame` is its goodbye, or nothing."""

    def __init__(self, frame=None):
        super().__init__(frame)
        self.frame = frame


class WebSocket:
    def __init__(self, port, path, headers=None, patience=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.buffer, self.pings = b"", 0
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        self.status = int(self.head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def more(self):
        try:
            got = self.socket.recv(65536)
        except ConnectionResetError:
            got = b""
        if not got:
            raise Closed()
        self.buffer += got

    def take(self, size):
        while len(self.buffer) < size:
            self.more()
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def send(self, payload, kind=None):
        if isinstance(payload, (dict, list)):
            payload = json.dumps(payload)
        kind = kind or (TEXT if isinstance(payload, str) else BINARY)
        data = payload.encode() if isinstance(payload, str) else payload
        size = (struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else
                struct.pack("!BH", 0x80 | 126, len(data)) if len(data) < 65536 else
                struct.pack("!BQ", 0x80 | 127, len(data)))
        # The mask is zero: allowed, and the bytes stay readable.
        self.socket.sendall(bytes([0x80 | kind]) + size + bytes(4) + data)

    def frame(self):
        first, size = self.take(2)
        if size == 126:
            size = struct.unpack("!H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self.take(8))[0]
        return first & 15, self.take(size)

    def receive(self):
        """The next message; a goodbye or the end of the connection is Closed."""
        while True:
            kind, data = self.frame()
            if kind == PING:
                self.pings += 1
                self.send(data, PONG)
            elif kind == CLOSE:
                raise Closed(data)
            elif kind in (TEXT, BINARY):
                return data.decode() if kind == TEXT else data

    def json(self):
        return json.loads(self.receive())

    def await_end(self):
        """What it says as goodbye; whatever comes before is dropped."""
        while True:
            try:
                self.receive()
            except Closed as end:
                return end.frame
