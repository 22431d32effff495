"""One request over HTTP/2 on a connection of its own. (curl forgets an answer that overtakes what it sends: the server
says all it has to say and resets the stream, as gRPC does when it refuses.)"""
import socket, struct

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK, PADDED = 1, 4, 1, 8
STATUS_200 = 8  # of the static table
MAX_FRAME = 16384  # what every peer takes


def frame(kind, flags, stream, payload=b""):
    return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def literal(name, value):
    """A header that no table keeps, uncompressed."""
    return b"\0" + b"".join(prefixed(len(each), 7) + each for each in (name.encode(), value.encode()))


def prefixed(value, bits):
    most = 2**bits - 1
    if value < most:
        return bytes([value])
    out, value = [most], value - most
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def decode_headers(block):
    """{name: value}. The tables are declined by our settings, and gRPC's own code never compresses text."""
    found, at = {}, 0

    def integer(bits):
        nonlocal at
        value, shift = block[at] & (2**bits - 1), 0
        at += 1
        if value == 2**bits - 1:
            while True:
                byte = block[at]
                at += 1
                value += (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
        return value

    def text():
        nonlocal at
        if block[at] & 128:
            raise AssertionError("a compressed header")
        size = integer(7)
        at += size
        return block[at - size:at].decode()

    while at < len(block):
        first = block[at]
        if first & 128:
            index = integer(7)
            if index != STATUS_200:
                raise AssertionError(f"header {index} of a table")
            found[":status"] = "200"
        elif first & 0xE0 == 0x20:
            integer(5)  # the size of the table: 0
        else:
            index = integer(6 if first & 64 else 4)
            name = text() if index == 0 else f"header {index} of a table"
            found[name] = text()
    return found


class Exchange:
    """Sends while there is room, and listens meanwhile. `headers` has all that came, trailers too."""

    def __init__(self, port, patience):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.headers, self.body, self.ended, self.error = {}, bytearray(), False, None
        self.room, self.stream_room, self.first_room = 65535, 65535, 65535

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, headers, body):
        settings = struct.pack("!HI", 1, 0) + struct.pack("!HI", 4, 2**31 - 1)  # no table, no bound on an answer
        block = b"".join(literal(*each) for each in headers)
        self.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, settings)
                  + frame(WINDOW, 0, 0, struct.pack("!I", 2**31 - 1 - 65535))
                  + frame(HEADERS, END_HEADERS | (0 if body else END_STREAM), 1, block))
        at = 0
        while not self.ended:
            size = min(MAX_FRAME, self.room, self.stream_room, len(body) - at)
            if size <= 0:
                self.listen()
                continue
            self.send(frame(DATA, END_STREAM if at + size == len(body) else 0, 1, body[at:at + size]))
            at, self.room, self.stream_room = at + size, self.room - size, self.stream_room - size

    def send(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            self.listen()  # why it does not listen any more was said before

    def exactly(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def listen(self):
        try:
            head = self.exactly(9)
            payload = self.exactly(int.from_bytes(head[:3], "big"))
        except (EOFError, ConnectionError):
            self.ended = True
            return
        kind, flags, stream = struct.unpack("!BBI", head[3:])
        if kind == SETTINGS and not flags & ACK:
            self.take_settings(payload)
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == WINDOW:
            more = struct.unpack("!I", payload)[0]
            self.room, self.stream_room = (self.room, self.stream_room + more) if stream else (self.room + more, self.stream_room)
        elif kind in (HEADERS, DATA):
            if flags & PADDED or kind == HEADERS and not flags & END_HEADERS:
                raise AssertionError("a frame that this client does not know")
            if kind == HEADERS:
                self.headers |= decode_headers(payload)
            else:
                self.body += payload
            self.ended = bool(flags & END_STREAM)
        elif kind in (RESET, GOAWAY):
            self.ended, self.error = True, struct.unpack("!I", payload[-4:] if kind == RESET else payload[4:8])[0]

    def take_settings(self, payload):
        for name, value in struct.iter_unpack("!HI", payload):
            if name == 4:
                self.stream_room, self.first_room = self.stream_room + value - self.first_room, value
        self.send(frame(SETTINGS, ACK, 0))
