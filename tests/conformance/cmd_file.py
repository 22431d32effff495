#!/usr/bin/env python3
"""§1.2: what a descriptor or a file to copy in can be. The first rule that fits wins, in this order."""
import os, pathlib, tempfile

from suite import *


def outputs(*more):
    return [*more, {"name": "stdout", "max": 64 * KiB}, {"name": "stderr", "max": 64 * KiB}]


def cat(stdin, one=None, **fields):
    return (one or server()).one("/bin/cat", files=outputs(stdin), **fields)


class host_file:
    """A file of the server's disk that everybody may read."""

    def __init__(self, content="from the host\n"):
        self.place = tempfile.TemporaryDirectory(prefix="assay-conformance-")
        os.chmod(self.place.name, 0o755)
        self.path = pathlib.Path(self.place.name, "file")
        self.path.write_text(content)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.place.cleanup()


@row("1.2")
def the_first_matching_rule_wins():
    """CmdFile (one struct; first matching rule wins, in this order): src, content, fileId, name+max, streamIn/streamOut"""
    with host_file() as path:
        everything = {"src": str(path), "content": "text", "fileId": "NOTTHERE", "name": "n", "max": 5, "streamIn": True}
        equal(cat(everything)["files"]["stdout"], "from the host\n")
        del everything["src"]
        equal(cat(everything)["files"]["stdout"], "text")
        del everything["content"]
        equal(server().post({"cmd": [command("/bin/cat", files=outputs(everything))]}).status, 500)
        del everything["fileId"]
        result = server().sh("echo x >&0", files=outputs(everything))
        equal(result["files"].get("n"), "x\n", result)


@row("1.2.1 src")
def src_is_read_by_the_server():
    """src: host absolute path, opened read-only by the server"""
    with host_file() as path:
        path.chmod(0o600)  # the server may, the program could not
        equal(cat({"src": str(path)})["files"]["stdout"], "from the host\n")
        result = server().sh("cat a; echo more >> a", copyIn={"a": {"src": str(path)}})
        equal((result["status"], result["files"]["stdout"]), ("Accepted", "from the host\n"))
        server().sh("echo no >&0", files=outputs({"src": str(path)}))
        equal(path.read_text(), "from the host\n")


@row("1.2.1 src")
def src_must_be_inside_the_prefix():
    """src: must be inside `-src-prefix` if set (symlinks resolved, path-component aware). Not inside → 400 `file (p) does
    not under ([…])`"""
    with host_file() as path:
        inside = path.parent / "in"
        inside.mkdir()
        (inside / "good").write_text("good")
        (inside / "link").symlink_to(path)
        (inside / "other").symlink_to("good")
        (path.parent / "inner").mkdir()
        (path.parent / "inner/near").write_text("near")
        with own("-src-prefix", f"{inside},/nowhere/else") as one:
            equal(cat({"src": str(inside / "good")}, one)["files"]["stdout"], "good")
            equal(cat({"src": str(inside / "other")}, one)["files"]["stdout"], "good")
            for wrong in (path, inside / "link", path.parent / "inner/near", inside / "../file", "/etc/passwd"):
                for body in (command("/bin/cat", files=outputs({"src": str(wrong)})),
                             command("/bin/cat", copyIn={"a": {"src": str(wrong)}})):
                    answer = one.post({"cmd": [body]})
                    equal((answer.status, answer.json), (
                        400, f"file ({wrong}) does not under ([{inside} /nowhere/else])"))


@row("1.2.2 content")
def content_is_utf8_text():
    r"""content: UTF-8 text; binary cannot be expressed except by \uXXXX-encodable text"""
    for text in ("", "plain", "ä€😀", "\x00\x01\n", "x" * 1_000_000):
        result = server().one("/usr/bin/wc", "-c", files=outputs({"content": text}))
        equal(result["files"]["stdout"].strip(), str(len(text.encode())))
    equal(cat({"content": "ä\x00😀"})["files"]["stdout"], "ä\x00😀")


@row("1.2.2 content")
def content_as_a_descriptor_can_be_sought():
    """content: as fd it is a memfd named "input" """
    script = "import os\nprint(os.readlink('/proc/self/fd/0').split()[0], os.lseek(0, 2, 0), os.read(0, 9))"
    result = server().python(script, files=outputs({"content": "abcdef"}))
    equal(result["files"]["stdout"], "/memfd:input 2 b'cdef'\n", result)


@row("1.2.3 fileId")
def file_id_is_a_file_of_the_store():
    """fileId: store file"""
    content = bytes(range(256))
    fid = server().add("a", content)
    result = server().sh("cat; cat a", files=outputs({"fileId": fid}), copyIn={"a": {"fileId": fid}},
                         copyOutCached=["stdout"])
    equal(server().get(result["fileIds"]["stdout"]), content * 2)
    for each in (fid, result["fileIds"]["stdout"]):
        server().ask("DELETE", f"/file/{each}")


@row("1.2.3 fileId")
def file_id_unknown_fails_the_whole_request():
    r"""unknown → whole request 500 `"file does not exists with id: \"XXXX\""`"""
    for body in (command("/bin/cat", files=outputs({"fileId": "XXXX"})), command("/bin/cat", copyIn={"a": {"fileId": "XXXX"}})):
        answer = server().post({"cmd": [command("/bin/true"), body]})
        equal(answer.status, 500, answer)
        matches('file does not exists with id: "XXXX"', answer.json)


@row("1.2.4 name+max")
def collector_needs_name_and_max():
    """`name`+`max` (both required): collector (only in `files`). `max` int64 bytes"""
    for wrong in ({"name": "a"}, {"max": 5}, {"name": "a", "max": -1}, {"name": "a", "max": 1.5}, {"name": 5, "max": 5}):
        equal(server().post({"cmd": [command("/bin/true", files=[wrong])]}).status, 400, wrong)
    equal(server().post({"cmd": [command("/bin/true", copyIn={"a": {"name": "a", "max": 5}})]}).status, 400, "copyIn")
    result = server().sh("echo x", files=[{"content": ""}, {"name": "out", "max": 2**63 - 1}])
    equal((result["status"], result["files"]), ("Accepted", {"out": "x\n"}))


@row("1.2.4 pipe:false")
def collector_is_a_file_in_the_work_dir():
    """`pipe:false`: the output goes to a real file `/w/<name>` inside the container (so … the program can see/unlink it;
    content is still collected through the already open fd)"""
    script = "echo one; cat /w/stdout > copy; test -f stdout && echo two; rm stdout; ls; echo three"
    result = server().sh(script, copyOut=["copy"])
    equal(result["status"], "Accepted", result)
    equal(result["files"], {"stdout": "one\ntwo\ncopy\nstderr\nthree\n", "stderr": "", "copy": "one\n"})


@row("1.2.4 pipe:false", full=True)
def collector_counts_against_the_limits_of_files():
    """`pipe:false`: counts against tmpfs 128 MiB, RLIMIT_FSIZE 256 MiB, cgroup memory"""
    result = server().sh("head -c 100000000 /dev/zero", files=outputs({"content": ""}), memoryLimit=32 * MiB)
    equal(result["status"], "Memory Limit Exceeded", result)
    files = [{"content": ""}, {"name": "stdout", "max": 99}, {"name": "stderr", "max": 999, "pipe": True}]
    result = server().sh("head -c 140000000 /dev/zero", files=files, memoryLimit=400 * MiB)
    matches("No space left on device", result["files"]["stderr"])
    result = server("-output-limit", "100k").sh("exec head -c 200000 /dev/zero")
    equal((result["status"], result["exitStatus"]), ("Output Limit Exceeded", 25), "SIGXFSZ")


@row("1.2.4 pipe:true")
def collector_as_a_pipe_is_drained():
    """`pipe:true`: server reads a pipe, keeps draining (no SIGPIPE) after max"""
    files = [{"content": ""}, {"name": "out", "max": 10, "pipe": True}, {"name": "stderr", "max": 1000}]
    result = server().sh("test -p /dev/stdout && test ! -e out && head -c 5000000 /dev/zero; echo $? >&2", files=files)
    equal((result["status"], result["exitStatus"], result["files"]["stderr"]), ("Output Limit Exceeded", 0, "0\n"), result)
    equal(len(result["files"]["out"]), 11)


@row("1.2.4 same name")
def collectors_of_one_name_share():
    """two fds with the same `name` share one file/pipe (2>&1); `max` of the first wins"""
    for pipe in (False, True):
        files = [{"content": ""}, {"name": "both", "max": 12, "pipe": pipe}, {"name": "both", "max": 3, "pipe": pipe}]
        result = server().sh("echo one; echo two >&2; echo six", files=files)
        equal((result["status"], result["files"]), ("Accepted", {"both": "one\ntwo\nsix\n"}), result)


@row("1.2.4 over max")
def collector_over_max_gives_one_byte_more():
    """over max: returns max+1 bytes, status `Output Limit Exceeded` (only if the process otherwise exited normally with
    0), plus fileError `CollectSizeExceeded`"""
    for pipe in (False, True):
        files = [{"content": ""}, {"name": "out", "max": 5, "pipe": pipe}]
        result = server().sh("echo 123456789", files=files)
        equal((result["status"], result["files"]), ("Output Limit Exceeded", {"out": "123456"}), result)
        equal([(e["name"], e["type"]) for e in result["fileError"]], [("out", "CollectSizeExceeded")])
        result = server().sh("echo 123456789; exit 3", files=files)
        equal((result["status"], result["exitStatus"], result["files"]), ("Nonzero Exit Status", 3, {"out": "123456"}))
        equal([e["type"] for e in result["fileError"]], ["CollectSizeExceeded"])
        result = server().sh("printf 12345", files=files)
        equal((result["status"], result["files"], result.get("fileError")), ("Accepted", {"out": "12345"}, None))


@row("1.2.5 streamIn/streamOut")
def streams_are_refused_on_run():
    """`streamIn` / `streamOut` bool: only on /stream & gRPC ExecStream; on /run → 400"""
    for name in ("streamIn", "streamOut"):
        answer = server().post({"cmd": [command("/bin/cat", files=[{name: True}])]})
        equal(answer.status, 400, answer)
        holds(isinstance(answer.json, str), answer)


@row("1.2.6 symlink")
def symlink_is_for_copy_in_and_first_there():
    """`symlink` (string): only in copyIn, checked first there"""
    result = server().sh("readlink a; cat a", copyIn={"a": {"symlink": "b", "content": "not me", "src": "/etc/passwd"},
                                                      "b": {"content": "me"}})
    equal((result["status"], result["files"]["stdout"]), ("Accepted", "b\nme"))
    equal(server().post({"cmd": [command("/bin/cat", files=[{"symlink": "b"}])]}).status, 400)


@row("1.2")
def anything_else_is_400():
    """Anything else (`{}`; only `name`; copyIn null) → 400 `file type is not valid for cmd: …`"""
    for fields in ({"files": [{}]}, {"files": [{"name": "x"}]}, {"files": [{"streamIn": False}]},
                   {"copyIn": {"a": None}}, {"copyIn": {"a": {}}}, {"copyIn": {"a": {"name": "x", "max": 3}}},
                   {"copyIn": {"a": {"streamIn": True}}}):
        answer = server().post({"cmd": [command("/bin/true") | fields]})
        equal(answer.status, 400, (fields, answer))
        matches("file type is not valid for cmd: ", answer.json)


if __name__ == "__main__":
    main()
