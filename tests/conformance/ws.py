#!/usr/bin/env python3
"""§2.1: /ws, many requests over one connection."""
import json

from suite import *
from websocket import WebSocket


def connect(one=None, **more):
    return WebSocket((one or server()).http, "/ws", **more)


def request(name, *commands, **more):
    return {"requestId": name, "cmd": list(commands), **more}


def idle(one):
    until(lambda: one.counts() == (0, 0), "everything was cancelled")


@row("2.1")
def answers_have_the_id_and_the_results():
    """Client → `Request` with mandatory unique `requestId`. Server → `{"requestId","results":Result[]|null,"error"?}`"""
    with connect() as ws:
        ws.send(request("r1", shell("echo one"), shell("exit 3")))
        text = ws.receive()
        holds(isinstance(text, str), "a text frame")
        answer = json.loads(text)
        equal(list(answer), ["requestId", "results"])
        equal((answer["requestId"], [r["status"] for r in answer["results"]]), ("r1", ["Accepted", "Nonzero Exit Status"]))


@row("2.1")
def requests_are_multiplexed():
    """(text JSON frames; many requests multiplexed)"""
    with connect() as ws:
        ws.send(request("slow", shell("sleep 0.3; echo slow")))
        ws.send(request("fast", shell("echo fast")))
        equal([ws.json()["requestId"] for _ in range(2)], ["fast", "slow"])
        for i in range(30):
            ws.send(request(f"n{i}", command("/bin/echo", str(i))))
        found = {}
        for _ in range(30):
            answer = ws.json()
            found[answer["requestId"]] = answer["results"][0]["files"]["stdout"]
        equal(found, {f"n{i}": f"{i}\n" for i in range(30)})


@row("2.1")
def no_commands_give_no_results():
    """§1.1 cmd: /ws accepts [] and answers results:[]"""
    with connect() as ws:
        ws.send(request("none"))
        equal(ws.json(), {"requestId": "none", "results": []})


@row("2.1")
def empty_id_is_an_error():
    """Empty id → `{"requestId":"","results":null,"error":"empty request id"}`"""
    with connect() as ws:
        for body in (request("", command("/bin/true")), {"cmd": [command("/bin/true")]}):
            ws.send(body)
            equal(ws.json(), {"requestId": "", "results": None, "error": "empty request id"})


@row("2.1")
def id_in_flight_is_an_error():
    """duplicate in-flight id → `error: duplicated request id: "r2"`"""
    with connect() as ws:
        ws.send(request("r2", shell("sleep 0.3")))
        ws.send(request("r2", shell("true")))
        answer = ws.json()
        equal((answer["requestId"], answer["results"], answer["error"]), ("r2", None, 'duplicated request id: "r2"'))
        equal(ws.json()["results"][0]["status"], "Accepted")
        ws.send(request("r2", shell("true")))
        equal(ws.json()["results"][0]["status"], "Accepted", "it may be used again")


@row("2.1")
def what_fails_is_an_error_beside_no_results():
    """bad fileId etc. → `results:[]` + `error`"""
    with connect() as ws:
        ws.send(request("f", command("cat", files=[{"fileId": "AAAAAAAA"}])))
        equal(ws.json(), {"requestId": "f", "results": [], "error": 'file does not exists with id: "AAAAAAAA"'})
        ws.send(request("p", command("cat", files=[None]), command("cat", files=[None])))
        equal(ws.json(), {"requestId": "p", "results": [], "error": "null file for index/fd: 0/0"})


@row("2.1")
def malformed_messages_close_the_connection():
    """malformed request/JSON → server closes the TCP connection without a close frame (better here: with a close frame
    that has the reason)"""
    for wrong in ("{", "[]", '{"requestId":"a","cmd":[{"args":5}]}', '{"requestId":"a","cmd":[{"files":[{}]}]}'):
        with connect() as ws:
            ws.send(wrong)
            goodbye = ws.await_end()
            holds(goodbye and goodbye[:2] == (1007).to_bytes(2, "big") and len(goodbye) > 4, (wrong, goodbye))


@row("2.1")
def cancel_kills_what_runs():
    """`{"cancelRequestId":"id"}`: Cancel of a running request kills it → status Signalled exitStatus 9"""
    with connect() as ws:
        ws.send(request("long", shell("sleep 100", clockLimit=200 * S)))
        until(lambda: server().counts()[0] == 1, "it runs")
        ws.send({"cancelRequestId": "unknown"})
        ws.send({"cancelRequestId": "long"})
        result = ws.json()["results"][0]
        equal((result["status"], result["exitStatus"]), ("Signalled", 9), result)
    idle(server())


@row("2.1")
def cancel_of_what_waits_is_an_error():
    """of a queued one → `error:"request cancelled before execute"`"""
    one = server("-parallelism", "1")
    with connect(one) as ws:
        ws.send(request("first", shell("sleep 100", clockLimit=200 * S)))
        ws.send(request("second", shell("true")))
        until(lambda: one.counts() == (1, 1), "one runs, one waits")
        ws.send({"cancelRequestId": "second"})
        equal(ws.json(), {"requestId": "second", "results": [], "error": "request cancelled before execute"})
        ws.send({"cancelRequestId": "first"})
        equal(ws.json()["requestId"], "first")


@row("2.1")
def closing_cancels_everything():
    """Closing the connection cancels all its requests"""
    one = server("-parallelism", "1")
    with connect(one) as ws:
        for i in range(5):
            ws.send(request(f"r{i}", shell("sleep 100", clockLimit=200 * S)))
        until(lambda: one.counts() == (1, 4), "one runs, four wait")
    idle(one)


@row("2.1")
def any_origin_is_accepted_and_nothing_is_compressed():
    """any Origin accepted, no compression"""
    headers = {"Origin": "http://elsewhere.example", "Sec-WebSocket-Extensions": "permessage-deflate"}
    with connect(headers=headers) as ws:
        equal(ws.status, 101)
        holds("sec-websocket-extensions" not in ws.head.lower(), ws.head)
        ws.send(request("a", command("/bin/true")))
        equal(ws.json()["requestId"], "a")


untested("2.1", "Server pings every 50 s, read deadline 60 s refreshed only by pong, write deadline 10 s",
         "takes a minute; tests/transport/websocket_test.cc shows it with shorter times")


if __name__ == "__main__":
    main()
