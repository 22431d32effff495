#!/usr/bin/env python3
"""§1.5: pipeMapping."""
import os, time

from suite import *

ERRORS = {"name": "stderr", "max": 64 * KiB}


def link(writer, reader, **more):
    """From (index, fd) to (index, fd)."""
    return {"in": {"index": writer[0], "fd": writer[1]}, "out": {"index": reader[0], "fd": reader[1]}, **more}


def producer(script, **fields):
    return shell(script, files=[{"content": ""}, None, ERRORS], **fields)


def consumer(script, **fields):
    return shell(script, files=[None, {"name": "stdout", "max": 64 * KiB}, ERRORS], **fields)


def refused(body, words):
    answer = server().post(body)
    equal(answer.status, 500, answer)
    matches(words, answer.json)


@row("1.5")
def in_writes_and_out_reads():
    """in:{index,fd} the WRITING end: process `index`'s fd that is written into the pipe; out:{index,fd} the READING end"""
    for proxy in (False, True):
        one, two = server().run(producer("echo through"), consumer("cat"), pipeMapping=[link((0, 1), (1, 0), proxy=proxy)])
        equal((one["status"], two["status"], two["files"]["stdout"]), ("Accepted", "Accepted", "through\n"))


@row("1.5")
def pipes_go_both_ways():
    """(two commands that talk to each other)"""
    both = [None, None, ERRORS]
    for proxy in (False, True):
        results = server().run(shell("echo ping; read a; echo $a >&2", files=both), shell("read a; echo $a pong", files=both),
                               pipeMapping=[link((0, 1), (1, 0), proxy=proxy), link((1, 1), (0, 0), proxy=proxy)])
        equal([r["status"] for r in results], ["Accepted"] * 2, results)
        equal(results[0]["files"]["stderr"], "ping pong\n")


@row("1.5")
def mapped_descriptors_are_null_or_beyond_the_end():
    """The fds named must be `null` or beyond the end of `files`; every fd gap must be filled"""
    beyond = [{"content": ""}, {"name": "stdout", "max": 99}, ERRORS]
    for proxy in (False, True):
        results = server().run(shell("echo three >&3", files=beyond), shell("cat <&3", files=beyond),
                               pipeMapping=[link((0, 3), (1, 3), proxy=proxy)])
        equal(results[1]["files"]["stdout"], "three\n", results)
    refused({"cmd": [shell("true", files=beyond), shell("true", files=beyond)], "pipeMapping": [link((0, 5), (1, 3))]},
            "^null file for index/fd: 0/3$")


@row("1.5 proxy:false")
def plain_pipe_breaks_with_its_reader():
    """`proxy:false`: a plain kernel pipe; if the reader exits the writer gets SIGPIPE"""
    one, two = server().run(producer("exec yes"), consumer("read line"), pipeMapping=[link((0, 1), (1, 0))])
    equal((one["status"], one["exitStatus"], two["status"]), ("Signalled", 13, "Accepted"))


@row("1.5 proxy:true")
def proxy_drains_after_its_reader_died():
    """`proxy:true`: two pipes and a server thread between; after the consumer dies, input is drained and discarded (no
    SIGPIPE)"""
    one, two = server().run(producer("head -c 3000000 /dev/zero; echo $? >&2"), consumer("exit 0"),
                            pipeMapping=[link((0, 1), (1, 0), proxy=True)])
    equal((one["status"], one["files"]["stderr"], two["status"]), ("Accepted", "0\n", "Accepted"), one)


@row("1.5 proxy:true")
def proxy_copies_with_and_without_zero_copy():
    """Default relay = `splice`/`tee` zero copy (v1.10.0+), 64 KiB chunks; `disableZeroCopy:true` = read/write copy"""
    for disable in (False, True):
        results = server().run(producer("seq 1 200000"), consumer("md5sum"),
                               pipeMapping=[link((0, 1), (1, 0), proxy=True, name="said", max=11, disableZeroCopy=disable)])
        equal(results[0]["files"]["said"], "1\n2\n3\n4\n5\n6")
        equal(results[1]["files"]["stdout"], "0e10426a1d5bddffcef02f1345787128  -\n")


untested("1.5", "Relay thread is pinned to the worker's cpuset", "cannot be seen from outside the server; the relay is "
         "given the cores of its command in exec/joints.cc")


@row("1.5 name")
def name_keeps_the_first_bytes_for_the_producer():
    """`name` (proxy only): first `max` bytes of the traffic are returned in `files[name]` of the producer's (`in.index`)
    result; no error when exceeding max"""
    one, two = server().run(producer("echo 123456789"), consumer("cat"),
                            pipeMapping=[link((0, 1), (1, 0), proxy=True, name="talk", max=4)])
    equal((one["status"], one["files"]["talk"], one.get("fileError")), ("Accepted", "1234", None), one)
    equal((two["files"]["stdout"], "talk" in two["files"]), ("123456789\n", False))


@row("1.5 name")
def name_can_be_cached():
    """(copyOutCached works with it too)"""
    one, two = server().run(producer("echo kept", copyOutCached=["talk"]), consumer("cat"),
                            pipeMapping=[link((0, 1), (1, 0), proxy=True, name="talk", max=99)])
    fid = one["fileIds"]["talk"]
    equal((server().get(fid), "talk" in one["files"]), (b"kept\n", False))
    server().ask("DELETE", f"/file/{fid}")


@row("1.5 name")
def name_without_max_keeps_nothing():
    """`max` 0/omitted with a name → nothing kept"""
    for more in ({}, {"max": 0}):
        one, two = server().run(producer("echo x"), consumer("cat"),
                                pipeMapping=[link((0, 1), (1, 0), proxy=True, name="talk", **more)])
        equal((one["status"], one["files"].get("talk", ""), two["files"]["stdout"]), ("Accepted", "", "x\n"))


@row("1.5 errors")
def wrong_mappings_are_500():
    """errors → HTTP 500: `"pipe: index out of range 5"`, `"pipe: fd already occupied 0 1"`, `"pipe: mapping to existing file
    descriptor…"`"""
    pair = [producer("true"), consumer("true")]
    refused({"cmd": pair, "pipeMapping": [link((5, 1), (1, 0))]}, "^pipe: index out of range 5$")
    refused({"cmd": pair, "pipeMapping": [link((0, 1), (1, 0)), link((0, 1), (1, 3))]}, "^pipe: fd already occupied 0 1$")
    refused({"cmd": pair, "pipeMapping": [link((0, 0), (1, 0))]}, "^pipe: mapping to existing file descriptor")


@row("1.5 group", full=True)
def each_command_has_its_own_box_and_limits():
    """each cmd of a group runs in its own container and its own limits; there is no group-wide limit"""
    results = server().run(shell("echo a > mine; sleep 0.1; ls /w /tmp; ls /proc | grep -c '^[0-9]'", memoryLimit=200 * MiB),
                           shell("echo b > other; sleep 0.1; ls"),
                           command("/usr/bin/python3", "-c", "x = b'x' * (200 << 20)", memoryLimit=64 * MiB),
                           shell("sleep 9", clockLimit=100 * MS))
    equal([r["status"] for r in results], ["Accepted", "Accepted", "Memory Limit Exceeded", "Time Limit Exceeded"])
    holds("other" not in results[0]["files"]["stdout"] and "mine" not in results[1]["files"]["stdout"], results)


@row("1.5 group")
def one_failing_does_not_end_the_others():
    """one process failing does not kill the others; the response comes when all are done"""
    began = time.monotonic()
    results = server().run(shell("exit 3"), command("/nowhere"), command("/bin/true", copyIn={"a": {"src": "/nowhere"}}),
                           shell("sleep 0.3; echo done"))
    equal([r["status"] for r in results], ["Nonzero Exit Status", "Internal Error", "File Error", "Accepted"])
    equal(results[3]["files"]["stdout"], "done\n")
    holds(time.monotonic() - began >= 0.3, "it came too early")


@row("1.5 group", full=True)
def a_group_takes_one_worker():
    """A group occupies one worker slot"""
    with own("-parallelism", "1") as one:
        results = one.run(*[shell("sleep 0.2; date +%s%N")] * 4)
        equal([r["status"] for r in results], ["Accepted"] * 4)
        times = [int(r["files"]["stdout"]) for r in results]
        holds(max(times) - min(times) < 150 * MS, "they ran at the same time")
        equal(one.ready()["workers"], 1)


if __name__ == "__main__":
    main()
