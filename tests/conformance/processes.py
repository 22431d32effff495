#!/usr/bin/env python3
"""Processes that a client holds (/v1/processes) on a real server, with real programs in real boxes. `seed-checklist.md`: T01–T12 over the API."""
import json, time

from suite import *


def start(*args, **more):
    body = {"cmd": {"args": list(args), "env": ["PATH=/usr/bin:/bin"], "cpuLimit": 10_000_000_000, "clockLimit": 60_000_000_000,
                    "memoryLimit": 512 << 20, "procLimit": 50} | more.pop("cmd", {})} | more
    answer = server().ask("POST", "/v1/processes", json.dumps(body))
    equal(answer.status, 201, answer)
    return "/v1/processes/" + answer.json["processId"]


def ask(method, path, body=b""):
    return server().ask(method, path, body)


def wait(place):
    answer = ask("POST", place + "/wait")
    equal(answer.status, 200, answer)
    return answer.json


def output(place):
    """All of it, to its end."""
    text, ended = b"", False
    while not ended:
        answer = ask("GET", place + "/stdout?wait=20000")
        equal(answer.status, 200, answer)
        text += answer.body
        ended = answer.headers.get("assay-output", answer.headers.get("Assay-Output")) == "end"
    return text


@row("v1", full=True)
def a_process_step_by_step():
    """T01, T05, T10: readings between the steps, time only grows"""
    place = start("/bin/sh", "-c", "read a; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; read b; exit 3")
    before = wait(place)
    equal(before["status"], "running normally", before)
    ask("POST", place + "/stdin", b"go\n")
    equal(ask("GET", place + "/stdout?wait=20000").body, b"done\n")
    after = wait(place)
    holds(after["cpuUs"] - before["cpuUs"] > 10_000, (before, after))
    equal(after["sectionCpuUs"], after["cpuUs"] - before["cpuUs"])
    ask("POST", place + "/stdin?end=1")
    equal(output(place), b"")
    ended = [wait(place) for _ in range(20)]
    holds(all(r["status"] == "exited with status 3" and r["memoryBytes"] == 0 and r["cpuUs"] == ended[0]["cpuUs"] for r in ended), ended)
    equal(ask("DELETE", place).json["status"], "exited with status 3")
    equal(ask("DELETE", place).status, 404)


@row("v1", full=True)
def a_program_that_is_not_there():
    """T07: a process that has ended"""
    place = start("/no/such/program")
    equal(output(place), b"")
    holds(wait(place)["status"].startswith("not started: "), wait(place))
    equal(ask("POST", place + "/stdin", b"x").status, 200)
    equal(ask("DELETE", place).status, 200)


@row("v1", full=True)
def termination_by_force():
    """T09: the whole tree, told as forced; one that ends by itself is not"""
    place = start("/bin/sh", "-c", "sleep 1000 & sleep 1000")
    last = ask("DELETE", place).json
    equal((last["forced"], last["status"]), (True, "interrupted by signal 9 - SIGKILL, killed because: forced termination"))
    place = start("/bin/true")
    output(place)
    equal((ask("DELETE", place).json["forced"]), False)


@row("v1", full=True)
def a_client_that_goes():
    """its process ends by itself"""
    place = start("/bin/sleep", "1000", idleMs=100)
    deadline = time.monotonic() + 20
    while ask("GET", "/v1/processes").json:
        holds(time.monotonic() < deadline, "still there")
    equal(ask("GET", place).status, 404)


if __name__ == "__main__":
    main()
