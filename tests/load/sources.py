"""Host-side names: what lies below -src-prefix is read, and nothing else, however it is spelled."""
import json, os

from bad_shapes import post
from orders import command, compare
from wires import outcome


def lay_out(place):
    """A directory that may be read, and ways out of it."""
    allowed = place / "allowed"
    allowed.mkdir()
    (place / "allowed-not").mkdir()
    (place / "secret").write_text("secret")
    (place / "allowed-not" / "secret").write_text("secret")
    (allowed / "file").write_text("fine")
    (allowed / "out").symlink_to(place / "secret")
    (allowed / "up").symlink_to("..")
    (allowed / "loop").symlink_to("loop")
    os.mkfifo(allowed / "fifo")
    for path in (place, *place.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)
    return allowed


def paths(allowed):
    a = str(allowed)
    good = [f"{a}/file", f"{a}//file", f"{a}/./file", f"{a}/../allowed/file", f"//{a}/file", f"{a}/up/allowed/file"]
    bad = [f"{a}/../secret", f"{a}/out", f"{a}/up/secret", f"{a}-not/secret", f"/proc/self/root{a}/file",
           f"/proc/self/root{a}/../secret", "/proc/self/environ", "//etc/passwd", "/etc/passwd", "etc/passwd", "", "/",
           f"{a}/../../../../../../../../etc/passwd", "/dev/fd/0", "/dev/zero", a + "/" + "n" * 5000, f"{a}/file\0", "/nowhere"]
    odd = [f"{a}/fifo", f"{a}/loop", f"{a}/absent", f"{a}/file/", f"{a}/file/more", a, f"{a}/" + "n" * 300]
    return good, bad, odd


async def cases(trial, allowed):
    good, bad, odd = paths(allowed)

    async def asked(path):
        return await outcome(trial.port, post(json.dumps({"cmd": [command("/bin/cat", "a", copyIn={"a": {"src": path}})]}).encode()))
    for path in good:
        async def work():
            status, answer = await asked(path)
            compare(answer.json()[0], status="Accepted", files={"stdout": "fine", "stderr": ""})
        await trial.case(f"src {path!r} is read", work)
    for path in bad:
        async def work():
            status, answer = await asked(path)
            return "" if status == 400 and isinstance(answer.json(), str) and answer.json() else f"answered {answer!r}"
        await trial.case(f"src {path[:80]!r}: 400", work)
    for path in odd:
        async def work():
            status, answer = await asked(path)
            [result] = answer.json() if status == 200 else [{}]
            kinds = [each["type"] for each in result.get("fileError", [])]
            fine = result.get("status") == "File Error" and kinds in (["CopyInOpenFile"], ["CopyInCopyContent"])
            return "" if fine else f"answered {answer!r}"
        await trial.case(f"src {path[:80]!r}: File Error", work)
    for path in (*bad, *odd):
        async def work():
            order = {"language": "python3", "source": "print(1)", "problem": {"tests": [{"input": {"path": path}, "answer": "1"}]}}
            status, answer = await outcome(trial.port, post(json.dumps(order).encode(), "/v1/submissions"))
            return "" if status == 400 and b"$.problem.tests[0].input" in answer.body else f"answered {answer!r}"
        await trial.case(f"path {path[:80]!r} of a test: 400", work)
