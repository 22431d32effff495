#!/usr/bin/env python3
"""§2.2: /stream, one execution per connection in binary frames."""
import json

from suite import *
from websocket import Closed, WebSocket

IN, OUT, ERR = {"streamIn": True}, {"streamOut": True}, {"streamOut": True}


class Run:
    """One /stream with its request sent."""

    def __init__(self, *commands, one=None, path="/stream", **request):
        self.socket = WebSocket((one or server()).http, path)
        self.socket.send(b"\x01" + json.dumps({"cmd": list(commands), **request}).encode())
        self.output, self.frames = {}, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.socket.close()

    def type(self, text, at=0):
        self.socket.send(bytes([3, at]) + text.encode())

    def step(self):
        """Takes one frame; the answer when it is that."""
        data = self.socket.receive()
        holds(isinstance(data, bytes), "a binary frame")
        self.frames.append(data)
        if data[0] == 2:
            self.output[data[1]] = self.output.get(data[1], b"") + data[2:]
        return json.loads(data[1:]) if data[0] == 1 else None

    def read_until(self, text, at=1):
        while text not in self.output.get(at, b"").decode(errors="replace"):
            equal(self.step(), None, "ended before it was said")

    def answer(self):
        while (found := self.step()) is None:
            pass
        return found

    def result(self):
        return self.answer()["results"][0]


def streamed(script, **fields):
    return shell(script, files=[IN, OUT, ERR], clockLimit=60 * S, **fields)


@row("2.2")
def request_output_and_answer():
    """Client: `1` + JSON Request (must be first). Server: `2` + 1 byte (`index<<4|fd`) + raw output · `1` + JSON
    `{"requestId":…,"results":[…]}` last, after all output"""
    with Run(streamed("echo out; echo err >&2")) as run:
        answer = run.answer()
        equal((run.output, answer["results"][0]["status"]), ({1: b"out\n", 2: b"err\n"}, "Accepted"))
        equal([f[0] for f in run.frames][-1], 1)
        run.socket.await_end()


@row("2.2")
def input_reaches_the_program():
    """Client: `3` + 1 byte (`index<<4 | fd`) + raw input"""
    with Run(streamed("read a; echo got $a; read b; echo then $b")) as run:
        run.type("one\n")
        run.read_until("got one\n")
        run.type("two\n")
        equal(run.result()["status"], "Accepted")
        equal(run.output[1], b"got one\nthen two\n")


@row("2.2")
def index_and_descriptor_share_a_byte():
    """index/fd of streamed files limited to 15; the byte is `index<<4 | fd`"""
    other = shell("read a; echo second $a >&5", files=[IN, {"content": ""}, {"content": ""}, {"content": ""}, {"content": ""}, OUT])
    with Run(shell("true"), other) as run:
        run.type("x\n", at=1 << 4 | 0)
        equal([r["status"] for r in run.answer()["results"]], ["Accepted"] * 2)
        equal(run.output, {1 << 4 | 5: b"second x\n"})
    files = [{"content": ""}] * 16 + [OUT]
    with Run(shell("true", files=files)) as run:
        answer = run.answer()
        equal(answer["results"], [])
        matches("15", answer["error"])


@row("2.2")
def output_frames_are_at_most_32_kib():
    """raw output (≤32 KiB)"""
    with Run(streamed("head -c 1000000 /dev/zero")) as run:
        run.result()
        equal(len(run.output[1]), 1_000_000)
        holds(max(map(len, run.frames)) <= 32 * KiB + 2, max(map(len, run.frames)))


@row("2.2", full=True)
def resize_changes_the_terminal():
    """`2` + JSON `{"index","fd","rows","cols","x","y"}` resize (tty only, must address a streamIn)"""
    with Run(streamed("echo ready; read a; stty size", tty=True, env=["TERM=xterm", "PATH=/usr/bin:/bin"])) as run:
        run.read_until("ready")
        run.socket.send(b"\x02" + json.dumps({"index": 0, "fd": 0, "rows": 33, "cols": 77, "x": 1, "y": 2}).encode())
        run.type("\n")
        run.read_until("33 77")
        equal(run.result()["status"], "Accepted")
    with Run(streamed("sleep 50")) as run:
        run.socket.send(b"\x02" + json.dumps({"index": 0, "fd": 1, "rows": 3, "cols": 7}).encode())
        run.socket.await_end()  # not a streamIn
    with Run(streamed("sleep 50")) as run:
        run.socket.send(b"\x02" + json.dumps({"index": 0, "fd": 0, "rows": 3, "cols": 7}).encode())
        run.socket.await_end()  # no tty


@row("2.2", full=True)
def terminal_output_comes_under_one_id():
    """With tty, output of fd1/fd2 is split arbitrarily between the two stream ids (better here: all of it under the
    first)"""
    with Run(streamed("for i in 1 2 3 4 5 6; do echo o$i; echo e$i >&2; done", tty=True)) as run:
        run.result()
        equal(run.output, {1: "".join(f"o{i}\r\ne{i}\r\n" for i in range(1, 7)).encode()})


@row("1.1 tty", full=True)
def terminal_with_live_input_is_collected():
    """tty: every stream/collector entry becomes the tty slave; first collector gets all output"""
    files = [IN, {"name": "out", "max": 400_000}, {"name": "err", "max": 1000}]
    script = "head -c 200000 /dev/zero | tr '\\0' x; read a; echo got $a"
    with Run(shell(script, tty=True, files=files, clockLimit=60 * S)) as run:
        run.type("typed\n")
        result = run.result()
        equal((result["status"], run.output, list(result["files"])), ("Accepted", {}, ["out"]), result["status"])
        text = result["files"]["out"]
        equal((text.count("x"), text[-11:]), (200_000, "got typed\r\n"))


@row("2.2")
def cancel_ends_the_run():
    """`4` cancel (no payload)"""
    with Run(streamed("echo ready; cat")) as run:
        run.read_until("ready")
        run.socket.send(b"\x04")
        result = run.result()
        equal((result["status"], result["exitStatus"]), ("Signalled", 9), result)


@row("2.2")
def the_socket_is_closed_after_the_answer():
    """then the socket is closed without close frame (better here: with one)"""
    with Run(streamed("true")) as run:
        run.answer()
        equal(run.socket.await_end(), (1000).to_bytes(2, "big"))


@row("2.2")
def id_and_error_are_echoed():
    """requestId and the top-level `error` are dropped (a missing fileId yields `{"requestId":"","results":[]}`) (§12: better,
    echoed)"""
    with Run(shell("true", files=[{"fileId": "AAAAAAAA"}]), requestId="mine") as run:
        equal(run.answer(), {"requestId": "mine", "results": [], "error": 'file does not exists with id: "AAAAAAAA"'})
    with Run(streamed("true")) as run:
        equal(run.answer()["requestId"], "")


@row("2.2")
def protocol_errors_close_the_socket():
    """Any protocol error just closes the socket"""
    request = b"\x01" + json.dumps({"cmd": [streamed("sleep 50")]}).encode()
    for wrong in ([b"\x03\x00early"], [b""], [b"\x01{"], [b"\x09"], [request, request], [request, b"\x03"],
                  [request, b"\x03\x07x"], [request, b"\x09"]):
        with WebSocket(server().http, "/stream") as socket:
            for each in wrong:
                socket.send(each)
            socket.await_end()
    until(lambda: server().counts() == (0, 0), "what ran was cancelled")


@row("2.2")
def input_can_be_ended():
    """There is no way to send EOF/close a streamIn (an empty input frame is a no-op) (§12: better, `5` + 1 byte)"""
    with Run(streamed("cat; echo end")) as run:
        run.type("")
        run.type("text\n")
        run.read_until("text\n")
        run.socket.send(b"\x05\x00")
        equal(run.result()["status"], "Accepted")
        equal(run.output[1], b"text\nend\n")


@row("12")
def output_ends_are_told_to_who_asks():
    """EOF frame on /stream (e.g. type 5): server → client only with ?eof=1, so that no client meets it unasked"""
    for path, ends in (("/stream?eof=1", {b"\x05\x01", b"\x05\x02"}), ("/stream", set())):
        with Run(streamed("echo x"), path=path) as run:
            run.answer()
            equal({f for f in run.frames if f[0] == 5}, ends)


@row("2.2")
def stream_does_not_queue():
    """/stream bypasses the parallelism limit (`worker.Execute`), no queueing"""
    one = server("-parallelism", "1")
    with WebSocket(one.http, "/ws") as busy:
        busy.send({"requestId": "a", "cmd": [shell("sleep 100", clockLimit=200 * S)]})
        until(lambda: one.counts()[0] == 1, "the worker is busy")
        with Run(streamed("echo x"), one=one) as run:
            equal(run.result()["status"], "Accepted")
    until(lambda: one.counts() == (0, 0), "it was cancelled")


@row("2.2")
def closing_cancels_the_run():
    """(the client that goes takes its run with it)"""
    with Run(streamed("echo ready; sleep 100")) as run:
        run.read_until("ready")
    until(lambda: server().counts() == (0, 0), "it was cancelled")


if __name__ == "__main__":
    main()
