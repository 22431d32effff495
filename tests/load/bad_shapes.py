"""Bad input as data: (name, bytes to send, what may come back). 0 stands for a closed connection."""
import json

from orders import MIB, command
from wires import BINARY, CLOSE, CLOSED, PING, frame, head

GOOD = json.dumps({"cmd": [command("/bin/echo", "hello")]}).encode()
HIDDEN = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"  # must never be answered: its 404 would be the give-away


def post(body, target="/run"):
    return head("POST", target, body) + body


def raw(*lines, body=b""):
    return "\r\n".join(("POST /run HTTP/1.1", "Host: x", *lines, "", "")).encode() + body


def cmd(**more):
    return json.dumps({"cmd": [command("/bin/echo", "hello") | more]}).encode()


def number(text):
    return b'{"cmd":[{"args":["/bin/true"],"cpuLimit":' + text + b"}]}"


JSON = [  # (name, body of /run, statuses, words of the reason)
    ("10 000-deep arrays", b'{"cmd":' + b"[" * 10_000, {400}, "$.cmd"),
    ("10 000-deep objects in a field nobody knows", b'{"x":' * 10_000, {400}, ""),
    ("1 000 000-deep arrays that close", b'{"x":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}", {400}, ""),
    ("nothing at all", b"", {400}, ""),
    ("half a string", b'{"cmd":[{"args":["', {400}, ""),
    ("half a \\u escape", b'{"cmd":[{"args":["\\u00"]}]}', {400}, ""),
    ("a control character in a string", b'{"cmd":[{"args":["\x01"]}]}', {400}, ""),
    ("a byte order mark", b"\xef\xbb\xbf" + GOOD, {400}, ""),
    ("UTF-16", GOOD.decode().encode("utf-16"), {400}, ""),
    ("a number below zero", number(b"-1"), {400}, "$.cmd[0].cpuLimit"),
    ("a fraction", number(b"1.5"), {400}, "$.cmd[0].cpuLimit"),
    ("an exponent", number(b"1e9"), {400}, "$.cmd[0].cpuLimit"),
    ("2^64", number(b"18446744073709551616"), {400}, "$.cmd[0].cpuLimit"),
    ("a number of 100 000 digits", number(b"9" * 100_000), {400}, "$.cmd[0].cpuLimit"),
    ("NaN", number(b"NaN"), {400}, ""),
    ("a number with a leading zero", number(b"01"), {400}, ""),
    ("a text where a number belongs", number(b'"1"'), {400}, "$.cmd[0].cpuLimit"),
    ("max above 2^63", cmd(files=[None, {"name": "stdout", "max": 1 << 63}]), {400}, "$.cmd[0].files[1]"),
    ("an unknown encoding", json.dumps({"encoding": "rot13", "cmd": [command("/bin/true")]}).encode(), {400}, "encoding"),
    ("a file of no kind", cmd(files=[{}]), {400}, "file"),
    ("a stream on /run", cmd(files=[{"streamIn": True}]), {400}, ""),
    ("NUL in an argument", cmd(args=["/bin/echo", "a\0b"]), {400}, "$.cmd[0].args[1]"),
    ("NUL in a variable", cmd(env=["A=\0"]), {400}, "$.cmd[0].env[0]"),
    ("NUL in the name of a copied file", cmd(copyIn={"a\0b": {"content": ""}}), {400}, "$.cmd[0].copyIn"),
    ("NUL in a name to copy out", cmd(copyOut=["a\0b"]), {400}, "$.cmd[0].copyOut[0]"),
    ("NUL in the name of a collector", cmd(files=[None, {"name": "a\0b", "max": 1}]), {400}, ""),
    ("an unknown fileId", cmd(copyIn={"a": {"fileId": "NOSUCHID"}}), {500}, "NOSUCHID"),
    ("a fileId that is a path", cmd(copyIn={"a": {"fileId": "../../../../etc/passwd"}}), {500}, ""),
    ("a fileId of 5000 bytes", cmd(copyIn={"a": {"fileId": "A" * 5000}}), {500}, ""),
    ("a pipe to a command that is not there", json.dumps({"cmd": [command("/bin/true")] * 2, "pipeMapping": [
        {"in": {"index": 0, "fd": 3}, "out": {"index": 9, "fd": 3}}]}).encode(), {500, 400}, "index"),
    ("a pipe to descriptor 2^31 - 1", json.dumps({"cmd": [command("/bin/true")] * 2, "pipeMapping": [
        {"in": {"index": 0, "fd": (1 << 31) - 1}, "out": {"index": 1, "fd": 3}}]}).encode(), {500, 400}, ""),
    ("2000 commands", json.dumps({"cmd": [command("/bin/true")] * 2000}).encode(), {400}, "1024"),
    ("two million values", b'{"cmd":[{"args":[' + b'"",' * 2_000_000 + b'""]}]}', {400}, ""),
]

RUNS = [  # (name, command, statuses of the result): the request is good, what it asks for cannot be had
    ("a name of 5000 bytes to copy in", command("/bin/true", copyIn={"n" * 5000: {"content": ""}}), {"File Error", "Internal Error"}),
    ("a name of 5000 bytes to copy out", command("/bin/true", copyOut=["n" * 5000]), {"File Error", "Internal Error"}),
    ("a symlink of 5000 bytes", command("/bin/true", copyIn={"a": {"symlink": "n" * 5000}}), {"File Error", "Internal Error"}),
    ("5000 files to copy in, more than the box has inodes",
     command("/bin/true", copyIn={f"f{i}": {"content": "x"} for i in range(5000)}), {"File Error"}),
    ("100 000 arguments", command("/bin/true", *(["a"] * 100_000)), {"Accepted"}),
    ("more arguments than the kernel takes", command("/bin/true", *(["a" * 100] * 60_000)), {"Internal Error"}),
    ("one argument of a megabyte", command("/bin/true", "a" * (1 << 20)), {"Internal Error"}),
    ("100 000 variables", command("/bin/true", env=["A=b"] * 100_000), {"Accepted"}),
    ("10 000 descriptors", command("/bin/true", files=[{"content": ""}] * 10_000), {"Internal Error", "Accepted"}),
    ("10 000 names to copy out", command("/bin/true", copyOut=[f"n{i}" for i in range(10_000)]), {"File Error"}),
    ("no arguments", command(), {"Internal Error"}),
    ("a program that is not there", command("/no/such/program"), {"Internal Error"}),
    ("cores that are not there", command("/bin/true", cpuSetLimit="4000-5000"), {"Internal Error"}),
    ("the greatest limits there are", command("/bin/true", cpuLimit=(1 << 64) - 1, clockLimit=(1 << 64) - 1,
     memoryLimit=(1 << 64) - 1, stackLimit=(1 << 64) - 1, procLimit=(1 << 64) - 1, copyOutMax=(1 << 64) - 1), {"Accepted"}),
]

HTTP = [  # (name, bytes, statuses)
    ("garbage", b"\x00\x01\x02\xff" * 100 + b"\r\n\r\n", {400, CLOSED}),
    ("a TLS greeting", bytes.fromhex("16030100a5010000a10303") + b"\x00" * 160, {400, CLOSED}),
    ("gRPC's preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00", {400, CLOSED}),
    ("a gRPC call without HTTP/2", b"POST /pb.Executor/Exec HTTP/1.1\r\nHost: x\r\nContent-Type: application/grpc\r\n"
     b"Content-Length: 5\r\n\r\n\x00\x00\x00\x00\x00", {404}),
    ("HTTP/9.9", b"GET /version HTTP/9.9\r\nHost: x\r\n\r\n", {400, 505, CLOSED}),
    ("no host", b"GET /version HTTP/1.1\r\n\r\n", {400}),
    ("a header of a megabyte", b"GET /version HTTP/1.1\r\nHost: x\r\nA: " + b"a" * MIB + b"\r\n\r\n", {431}),
    ("100 000 headers", b"GET /version HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 100_000 + b"\r\n", {431}),
    ("a target of a megabyte", b"GET /" + b"a" * MIB + b" HTTP/1.1\r\nHost: x\r\n\r\n", {414, 431, 400}),
    ("NUL in a header", b"GET /version HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", {400}),
    ("NUL in the target", b"GET /ver\0sion HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
    ("a path out of the routes", b"GET /file/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: x\r\n\r\n", {404}),
    ("a fileId with NUL", b"GET /file/%00 HTTP/1.1\r\nHost: x\r\n\r\n", {404, 400}),
    ("half a percent sign", b"GET /file/%4 HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
    ("both lengths", raw("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + HIDDEN), {400}),
    ("both lengths, the other way round", raw("Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n" + HIDDEN), {400}),
    ("two lengths", raw("Content-Length: 2", "Content-Length: 40", body=b"{}" + HIDDEN), {400}),
    ("two lengths in one field", raw("Content-Length: 2, 40", body=b"{}" + HIDDEN), {400}),
    ("a length below zero", raw("Content-Length: -1", body=HIDDEN), {400}),
    ("a length with a sign", raw("Content-Length: +2", body=b"{}" + HIDDEN), {400}),
    ("a length of 2^64 + 2", raw("Content-Length: 18446744073709551618", body=b"{}" + HIDDEN), {400, 413}),
    ("a length in hexadecimal", raw("Content-Length: 0x2", body=b"{}" + HIDDEN), {400}),
    ("space before the colon", raw("Content-Length : 2", body=b"{}" + HIDDEN), {400}),
    ("a folded length", raw("Content-Length:\r\n 2", body=b"{}" + HIDDEN), {400}),
    ("a folded encoding", raw("Transfer-Encoding:\r\n chunked", body=b"0\r\n\r\n"), {400}),
    ("an encoding nobody knows", raw("Transfer-Encoding: xchunked", body=HIDDEN), {400, 501}),
    ("chunked, but not at the end", raw("Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n" + HIDDEN), {400, 501}),
    ("chunked twice", raw("Transfer-Encoding: chunked, chunked", body=b"0\r\n\r\n" + HIDDEN), {400, 501}),
    ("a chunk of 2^68", raw("Transfer-Encoding: chunked", body=b"FFFFFFFFFFFFFFFFF\r\nx"), {400, 413}),
    ("a chunk of 2^64 - 1", raw("Transfer-Encoding: chunked", body=b"FFFFFFFFFFFFFFFF\r\nx"), {400, 413}),
    ("a chunk below zero", raw("Transfer-Encoding: chunked", body=b"-1\r\nx\r\n0\r\n\r\n"), {400}),
    ("a chunk that is no number", raw("Transfer-Encoding: chunked", body=b"zz\r\nx\r\n0\r\n\r\n"), {400}),
    ("a chunk longer than it says", raw("Transfer-Encoding: chunked", body=b"1\r\nxyz\r\n0\r\n\r\n"), {400}),
    ("a chunk extension that does not end", raw("Transfer-Encoding: chunked", body=b"1;" + b"a" * 32 * MIB), {400, 413, 431, CLOSED}),
    ("trailers that do not end", raw("Transfer-Encoding: chunked", body=b"0\r\n" + b"a: b\r\n" * 5_000_000), {400, 413, 431, CLOSED}),
    ("a form without a boundary", b"POST /file HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\n{}", {400}),
    ("a form that is none", b"POST /file HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 2\r\n\r\n{}", {400}),
]

SOCKET = [  # (name, frames): the server ends the connection
    ("an unmasked frame", frame(b"{}", masked=False)),
    ("a frame of 2^63 - 1 bytes", frame(b"", length=(1 << 63) - 1)),
    ("a frame of 2^64 - 1 bytes", frame(b"", length=(1 << 64) - 1)),
    ("a fragmented ping", frame(b"x", PING, last=False)),
    ("a ping of 200 bytes", frame(b"x" * 200, PING)),
    ("reserved bit 1, compression that nobody agreed on", frame(b"{}", reserved=4)),
    ("reserved bits 2 and 3", frame(b"{}", reserved=3)),
    ("an opcode that is reserved", frame(b"{}", 3)),
    ("a control opcode that is reserved", frame(b"", 11)),
    ("a continuation of nothing", frame(b"{}", 0)),
    ("a new message inside another", frame(b"{", last=False) + frame(b"{}", BINARY)),
    ("text that is not UTF-8", frame(b"\xff\xfe{}")),
    ("a close of one byte", frame(b"\x03", CLOSE)),
    ("a close with a code that is reserved", frame(b"\x03\xed", CLOSE)),
    ("JSON that is none", frame(b"{")),
    ("10 000-deep JSON", frame(b"[" * 10_000)),
    ("plain HTTP", b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"),
]
