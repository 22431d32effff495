"""Protobuf by field numbers alone, and gRPC: what the reference says to the byte, and no library's opinion."""
import struct, urllib.parse

import http2


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def encode(*fields):
    """(number, value) pairs: an int is a varint, text and bytes are themselves, a list of pairs is a message."""
    out = b""
    for number, value in fields:
        if isinstance(value, (bool, int)):
            out += varint(number << 3) + varint(int(value))
            continue
        data = encode(*value) if isinstance(value, list) else value.encode() if isinstance(value, str) else value
        out += varint(number << 3 | 2) + varint(len(data)) + data
    return out


def decode(data):
    """{number: [values]}: ints, and bytes for everything that has a length."""
    found, at = {}, 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            value = number()
        elif key & 7 == 2:
            size = number()
            value, at = data[at:at + size], at + size
        else:
            raise AssertionError(f"wire type {key & 7} of field {key >> 3}")
        found.setdefault(key >> 3, []).append(value)
    return found


def text_map(entries):
    """{key: value} of a map field."""
    return {e.get(1, [b""])[0].decode(): e.get(2, [b""])[0] for e in map(decode, entries)}


def call(port, method, *messages, headers=(), patience=30):
    """(grpc status, its message, answers) of /pb.Executor/<method>, or of a whole path."""
    path = method if method.startswith("/") else f"/pb.Executor/{method}"
    fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", f"127.0.0.1:{port}"),
              ("content-type", "application/grpc"), ("te", "trailers"), *(each.split(": ", 1) for each in headers)]
    with http2.Exchange(port, patience) as exchange:
        exchange.ask(fields, b"".join(b"\0" + struct.pack("!I", len(m)) + m for m in messages))
    if "grpc-status" not in exchange.headers:
        raise AssertionError(f"no status from {path}: {exchange.headers}, error {exchange.error}")
    data, answers = bytes(exchange.body), []
    while data:
        size = struct.unpack("!I", data[1:5])[0]
        answers.append(decode(data[5:5 + size]))
        data = data[5 + size:]
    return int(exchange.headers["grpc-status"]), urllib.parse.unquote(exchange.headers.get("grpc-message", "")), answers
