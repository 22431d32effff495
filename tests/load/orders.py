"""The orders of the mixed load. Each sends one or more requests, compares every answer whole, and raises Wrong."""
import asyncio, json

from wires import FORM, Line, Socket, Wrong, form, head

MS, MIB = 1_000_000, 1 << 20
GUESTS = ("eat_memory", "spin_forever", "kill_self", "exit_code", "print_bytes", "echo_input")
MEASURED = ("time", "memory", "runTime")
VARIES = {*MEASURED, "procPeak"}


def command(*args, stdin="", **more):
    """Limits that a loaded machine of two cores never breaks by accident, unless `more` says otherwise."""
    files = [{"content": stdin}, {"name": "stdout", "max": 65536}, {"name": "stderr", "max": 65536}]
    limits = {"cpuLimit": 10_000 * MS, "clockLimit": 60_000 * MS, "memoryLimit": 256 * MIB, "procLimit": 16}
    return {"args": args, "env": ["PATH=/usr/bin:/bin"], "files": files, **limits, **more}


def guest(kit, name, *args, **more):
    """One of the guests, out of the store."""
    return command("p", *map(str, args), copyIn={"p": {"fileId": kit[name]}}, **more)


def compare(result, **wanted):
    for key in MEASURED:
        if not isinstance(result.get(key), int) or result[key] < 0:
            raise Wrong(f"{key} is not a count: {result}")
    found = {key: value for key, value in result.items() if key not in VARIES}
    wanted = {"exitStatus": 0, "files": {"stdout": "", "stderr": ""}, **wanted}
    if found != wanted:
        raise Wrong(f"expected {str(wanted)[:400]}, got {str(found)[:400]}")


async def success(line, rng, kit):
    text = "".join(rng.choices("abc <>&\"\\\n\u00e9\u4e2d", k=rng.randrange(2000)))
    [result] = await line.run(command("/bin/cat", "a", "-", stdin=text[::-1], copyIn={"a": {"content": text}}))
    compare(result, status="Accepted", files={"stdout": text + text[::-1], "stderr": ""})
    return 1


async def both_streams_and_copy_out(line, rng, kit):
    word = str(rng.random())
    [result] = await line.run(command("/bin/sh", "-c", f"echo {word}; echo {word} >&2; echo {word} >made",
                                      copyOut=["stdout", "stderr", "made", "absent?"]))
    compare(result, status="Accepted", files=dict.fromkeys(("stdout", "stderr", "made"), word + "\n"))
    return 1


async def over_time(line, rng, kit):
    limit = rng.randrange(30, 50) * MS
    [result] = await line.run(guest(kit, "spin_forever", cpuLimit=limit))
    compare(result, status="Time Limit Exceeded", exitStatus=9)
    # How late it is ended is for `bench kill` to say; what has a bound on any machine is the kernel's own limit behind ours.
    if not limit < result["time"] < limit + 2000 * MS:
        raise Wrong(f"limit {limit}, reported {result['time']}")
    return 1


async def over_memory(line, rng, kit):
    [result] = await line.run(guest(kit, "eat_memory", "private", 64, memoryLimit=8 * MIB))
    compare(result, status="Memory Limit Exceeded", exitStatus=9)
    if result["memory"] <= 8 * MIB:
        raise Wrong(f"reported {result['memory']} bytes")
    return 1


async def over_output(line, rng, kit):
    most = rng.randrange(1, 5000)
    wish = guest(kit, "print_bytes", most + rng.randrange(1, 100_000))
    wish["files"][1] = {"name": "stdout", "max": most, "pipe": rng.random() < 0.5}
    [result] = await line.run(wish)
    error = result.pop("fileError", None)
    if not error or [each["type"] for each in error] != ["CollectSizeExceeded"]:
        raise Wrong(f"fileError is {error} beside {result}")
    result.pop("error", None)
    compare(result, status="Output Limit Exceeded", files={"stdout": "x" * (most + 1), "stderr": ""})
    return 1


async def nonzero(line, rng, kit):
    code = rng.randrange(1, 256)
    [result] = await line.run(guest(kit, "exit_code", code))
    compare(result, status="Nonzero Exit Status", exitStatus=code)
    return 1


async def signalled(line, rng, kit):
    number, status = rng.choice([(6, "Signalled"), (11, "Signalled"), (15, "Signalled"), (9, "Signalled"),
                                 (31, "Dangerous Syscall"), (25, "Output Limit Exceeded")])
    [result] = await line.run(guest(kit, "kill_self", number))
    compare(result, status=status, exitStatus=number)
    return 1


async def group(line, rng, kit):
    """Two programs joined by a pipe, direct or relayed; the relay keeps what went by."""
    text = str(rng.random()) * rng.randrange(1, 500)
    pipe = {"in": {"index": 0, "fd": 1}, "out": {"index": 1, "fd": 0}}
    relayed = rng.random() < 0.5
    if relayed:
        pipe |= {"proxy": True, "name": "talk", "max": 100, "disableZeroCopy": rng.random() < 0.5}
    writer, reader = command("/bin/cat", stdin=text), guest(kit, "echo_input")
    writer["files"][1] = reader["files"][0] = None
    first, second = await line.run(writer, reader, pipeMapping=[pipe])
    compare(first, status="Accepted", files={"stderr": "", **({"talk": text[:100]} if relayed else {})})
    compare(second, status="Accepted", files={"stdout": text, "stderr": ""})
    return 1


async def cached(line, rng, kit):
    """Upload, use, keep a result, read it, delete both, and find them gone."""
    text = str(rng.random()) * 20
    given = await line.upload("given.txt", text.encode())
    [result] = await line.run(command("/bin/cp", "a", "b", copyIn={"a": {"fileId": given}}, copyOutCached=["b"]))
    made = result.pop("fileIds", {}).get("b", "")
    compare(result, status="Accepted")
    for wanted, name in ((given, "given.txt"), (made, "b")):
        answer = await line.ask("GET", f"/file/{wanted}")
        if answer.status != 200 or answer.body != text.encode() or f'"{name}"' not in answer.fields["content-disposition"]:
            raise Wrong(f"GET /file/{wanted} ({name}): {answer!r} {answer.fields}")
        answer = await line.ask("DELETE", f"/file/{wanted}")
        if (answer.status, answer.body) != (200, b""):
            raise Wrong(f"DELETE /file/{wanted}: {answer!r}")
    if (await line.ask("GET", f"/file/{given}")).status != 404:
        raise Wrong("a deleted file is still there")
    return 7


BAD = [(b"{", 400), (b"[]", 400), (b"{}", 400), (b'{"cmd":[]}', 400), (b'{"cmd":[{"cpuLimit":-1}]}', 400),
       (b'{"cmd":[{"args":["a"],"files":[{}]}]}', 400), (b'{"cmd":[{"args":[1]}]}', 400), (b"\xff\xfe", 400),
       (b'{"cmd":[{"args":["/bin/true"],"files":[{"fileId":"NOSUCHID"}]}]}', 500)]


async def bad(line, rng, kit):
    body, status = rng.choice(BAD)
    answer = await line.ask("POST", "/run", body)
    if answer.status != status or not isinstance(answer.json(), str) or not answer.json():
        raise Wrong(f"{body!r} was answered {answer!r}")
    return 1


async def disconnect(line, rng, kit):
    """Leaves while the request is waiting or running: nobody may go on running it."""
    own = await Line(line.port).open()
    body = json.dumps({"cmd": [guest(kit, "spin_forever")]}).encode()
    await own.send(head("POST", "/run", body) + body)
    await asyncio.sleep(rng.random() * 0.03)  # not to wait for something: the moment is to vary
    own.close(rudely=rng.random() < 0.5)
    return 1


async def half_upload(line, rng, kit):
    own = await Line(line.port).open()
    whole = form("never.txt", b"x" * 10_000)
    await own.send(head("POST", "/file", whole, [FORM]) + whole[: rng.randrange(len(whole))])
    own.close(rudely=rng.random() < 0.5)
    return 1


async def cancelled(line, rng, kit):
    """On /ws: one request that is cancelled, one that is not, and one that leaves with its connection."""
    socket = await Socket(line.port).join()
    await socket.tell({"requestId": "victim", "cmd": [guest(kit, "spin_forever")]})
    await socket.tell({"requestId": "other", "cmd": [command("/bin/echo", "fine")]})
    await asyncio.sleep(rng.random() * 0.02)
    await socket.tell({"cancelRequestId": "victim"})
    seen = {}
    while len(seen) < 2:
        _, payload = await socket.hear()
        answer = json.loads(payload)
        seen[answer.pop("requestId")] = answer
    if seen.get("victim") != {"results": [], "error": "request cancelled before execute"}:
        compare(seen["victim"]["results"][0], status="Signalled", exitStatus=9)
    compare(seen["other"]["results"][0], status="Accepted", files={"stdout": "fine\n", "stderr": ""})
    await socket.tell({"requestId": "left behind", "cmd": [guest(kit, "spin_forever")]})
    socket.close(rudely=rng.random() < 0.5)
    return 3


MIX = {success: 30, both_streams_and_copy_out: 10, nonzero: 10, signalled: 8, over_output: 8, over_memory: 6, group: 8,
       bad: 8, cached: 2, over_time: 4, disconnect: 3, half_upload: 1, cancelled: 2}  # parts of a hundred


async def lay_in(line, server):
    """The guests, in the store: {name: fileId}."""
    return {name: await line.upload(name, server.guest(name)) for name in GUESTS}
