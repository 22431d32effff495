#!/usr/bin/env python3
"""§3: gRPC by its field numbers. What needs a client that talks while it listens is in tests/clients/grpc*.mjs."""
import protobuf
from protobuf import decode, encode, text_map
from suite import *

OK, INVALID_ARGUMENT, NOT_FOUND, EXHAUSTED, UNIMPLEMENTED, INTERNAL, UNAUTHENTICATED = 0, 3, 5, 8, 12, 13, 16
OPTIONS = ("-enable-grpc", "-grpc-addr", "127.0.0.1:{grpc}", "-grpc-msg-size", "1m")


def call(method, *messages, one=None, **more):
    return protobuf.call((one or server(*OPTIONS)).grpc, method, *messages, **more)


def memory(text):
    return [(2, [(1, text)])]


def collector(name, most=1000, pipe=False):
    return [(4, [(1, name), (2, most), (3, pipe)])]


def cmd(*args, files=None, more=()):
    return [*((1, each) for each in args), (2, "PATH=/usr/bin:/bin"),
            *((3, each) for each in files or (memory(""), collector("stdout"), collector("stderr"))),
            (4, 10 * S), (5, 20 * S), (6, 256 * MiB), (7, 50), *more]


def execute(*cmds, more=(), one=None):
    status, why, answers = call("Exec", encode((1, "mine"), *((2, each) for each in cmds), *more), one=one)
    equal((status, why), (OK, ""))
    return answers[0], [decode(each) for each in answers[0].get(2, [])]


def files_of(result):
    return text_map(result.get(6, []))


@row("3 messages")
def request_and_response_numbers():
    """`Request{requestID=1; repeated CmdType cmd=2; pipeMapping=3}`; `CmdType{args=1,env=2,files=3,cpuTimeLimit=4,
    clockTimeLimit=5,memoryLimit=6,procLimit=7…}`; `Response{requestID=1; results=2; error=3}`; `Result{status=1, exitStatus=2
    int32, error=3, time=4, memory=5, files=6 map<string,bytes>, fileIDs=7, runTime=8, fileError=9, procPeak=10}`"""
    response, (one, two) = execute(cmd("/bin/sh", "-c", "printf 'out\\377'; echo err >&2"), cmd("/bin/sh", "-c", "exit 3"))
    equal(response[1], [b"mine"])
    equal((one[1], one.get(2), files_of(one)), ([1], None, {"stdout": b"out\xff", "stderr": b"err\n"}))
    holds(one[4][0] > 0 and one[8][0] > 0 and 3 not in one and 9 not in one, one)
    equal((two[1], two[2]), ([8], [3]))


@row("3 messages")
def file_kinds_have_their_numbers():
    """`File{oneof: local=1 LocalFile{src=1}, memory=2 MemoryFile{content=1}, cached=3 CachedFile{fileID=1}, pipe=4
    PipeCollector{name=1,max=2,pipe=3}, streamIn=5, streamOut=6}`; copyIn=8 map<string,File>, copyOut=9, copyOutCached=10
    (CmdCopyOutFile{name=1,optional=2}), symlinks=18"""
    fid = server(*OPTIONS).add("a", b"stored")
    copy = [(8, [(1, "m"), (2, memory("memory"))]), (8, [(1, "c"), (2, [(3, [(1, fid)])])]),
            (8, [(1, "l"), (2, [(1, [(1, "/usr/bin/env")])])]), (18, [(1, "link"), (2, "m")]),
            (9, [(1, "kept")]), (9, [(1, "none"), (2, True)]), (10, [(1, "kept")])]
    _, (one,) = execute(cmd("/bin/sh", "-c", "cat m c link; test -s l && echo k > kept; cat /dev/stdin",
                            files=[[(3, [(1, fid)])], collector("stdout", pipe=True), collector("stderr")], more=copy))
    equal((one[1], files_of(one)["stdout"]), ([1], b"memorystoredmemorystored"), one)
    ids = text_map(one[7])
    equal(server(*OPTIONS).get(ids["kept"].decode()), b"k\n")
    for each in (fid, ids["kept"].decode()):
        server(*OPTIONS).ask("DELETE", f"/file/{each}")


@row("3 messages", full=True)
def limits_have_their_numbers():
    """stackLimit=12, tty=13, copyOutMax=14, cpuRateLimit=15, dataSegmentLimit=16, cpuSetLimit=17, addressSpaceLimit=19,
    copyOutTruncate=20, copyOutDir=11 (ignored)"""
    show = "ulimit -s; ulimit -d; ulimit -v; grep Cpus_allowed_list /proc/self/status | cut -f2; printf 12345 > a"
    _, (one,) = execute(cmd("/bin/sh", "-c", show, more=[
        (12, 32 * MiB), (14, 3), (16, True), (17, "0"), (19, True), (20, True), (11, "/tmp"), (15, 500), (9, [(1, "a")])]))
    equal(files_of(one), {"stdout": b"32768\n262160\n262160\n0\n", "stderr": b"", "a": b"123"}, one)
    equal((one[1], decode(one[9][0])[2]), ([7], [5]), "File Error, CopyOutSizeExceeded")
    _, (one,) = execute(cmd("/usr/bin/tty", more=[(13, True)]))
    equal(files_of(one), {"stdout": b"not a tty\r\n"})


@row("3 messages")
def pipes_have_their_numbers():
    """`PipeMap{in=1,out=2 PipeIndex{index=1,fd=2 int32}, proxy=3,name=4,max=5 uint64,disableZeroCopy=6}`; unset oneof = null.
    (unary `Exec` drops disableZeroCopy: not here)"""
    null = b""
    pipe = (3, [(1, [(1, 0), (2, 1)]), (2, [(1, 1), (2, 0)]), (3, True), (4, "talk"), (5, 4), (6, True)])
    _, results = execute(cmd("/bin/echo", "through", files=[memory(""), null, collector("e")]),
                         cmd("/bin/cat", files=[null, collector("stdout"), collector("e")]), more=[pipe])
    equal((files_of(results[0])["talk"], files_of(results[1])["stdout"]), (b"thro", b"through\n"))


@row("3 StatusType", full=True)
def statuses_have_their_numbers():
    """Accepted1 MemoryLimitExceeded4 TimeLimitExceeded5 OutputLimitExceeded6 FileError7 NonZeroExitStatus8 Signalled9
    DangerousSyscall10 InternalError13"""
    shell_of = lambda script, **more: cmd("/bin/sh", "-c", script, **more)
    results = execute(
        shell_of("true"), cmd("/usr/bin/python3", "-c", "x = b'x' * (300 << 20)"), shell_of("sleep 9", more=[(5, 50 * MS)]),
        shell_of("echo long", files=[memory(""), collector("o", 1)]), shell_of("true", more=[(9, [(1, "none")])]),
        shell_of("exit 1"), shell_of("kill -SEGV $$"), shell_of("kill -SYS $$"), cmd("/nowhere"))[1]
    equal([r[1][0] for r in results], [1, 4, 5, 6, 7, 8, 9, 10, 13])
    matches("no such file", results[8][3][0].decode())


@row("3 ErrorType")
def file_errors_have_their_numbers():
    """`FileError{name=1,type=2,message=3}` ErrorType CopyInOpenFile0 CopyInCreateFile1 CopyInCopyContent2 CopyOutOpen3
    CopyOutSizeExceeded5 CollectSizeExceeded8 Symlink9"""
    local = lambda path: [(1, [(1, path)])]
    put = lambda *entries: [(8, [(1, name), (2, file)]) for name, file in entries]
    results = execute(
        cmd("/bin/true", more=put(("a", local("/nowhere")))), cmd("/bin/true", more=put(("a", memory("")), ("a/b", memory("")))),
        cmd("/bin/true", more=put(("a", local("/usr")))), cmd("/bin/true", more=[(9, [(1, "none")])]),
        cmd("/bin/sh", "-c", "echo x > a", more=[(9, [(1, "a")]), (14, 1)]),
        cmd("/bin/echo", "x", files=[memory(""), collector("o", 1)]),
        cmd("/bin/true", more=[*put(("a", memory(""))), (18, [(1, "./a"), (2, "b")])]))[1]
    errors = [decode(r[9][0]) for r in results]
    equal([e.get(2, [0])[0] for e in errors], [0, 1, 2, 3, 5, 8, 9])
    holds(all(e[1][0] and e[3][0] for e in errors), errors)


@row("3 ExecStream")
def stream_messages_have_their_numbers():
    """`StreamRequest{oneof execRequest=1, execInput=2 Input{index=1,content=2,fd=3}, execResize=3, execCancel=4}`,
    `StreamResponse{oneof execResponse=1, execOutput=2 Output{index=1,content=2,fd=3}}`"""
    request = [(1, "mine"), (2, cmd("/bin/sh", "-c", "read a; echo got $a >&1", files=[[(5, b"")], [(6, b"")], collector("e")]))]
    status, why, answers = call("ExecStream", encode((1, request)), encode((2, [(1, 0), (2, b"text\n"), (3, 0)])))
    equal((status, why), (OK, ""))
    output = [decode(a[2][0]) for a in answers if 2 in a]
    equal((b"".join(o[2][0] for o in output), {o[3][0] for o in output}), (b"got text\n", {1}))
    last = decode(answers[-1][1][0])
    equal((last[1], decode(last[2][0])[1]), ([b"mine"], [1]))


@row("3 files")
def files_have_their_numbers():
    """`FileList(Empty) → FileListType{map<string,string> fileIDs=1}` · `FileGet(FileID{fileID=1}) → FileContent{name=1,
    content=2}` · `FileAdd(FileContent) → FileID` · `FileDelete(FileID) → Empty`"""
    status, _, (added,) = call("FileAdd", encode((1, "name"), (2, b"\xff\x00")))
    fid = added[1][0]
    matches("^[A-Z2-7]{8,}$", fid.decode())
    equal(text_map(call("FileList", b"")[2][0][1]), {fid.decode(): b"name"})
    equal(call("FileGet", encode((1, fid)))[2], [{1: [b"name"], 2: [b"\xff\x00"]}])
    equal(call("FileDelete", encode((1, fid))), (OK, "", [{}]))
    for method in ("FileGet", "FileDelete"):
        equal(call(method, encode((1, fid)))[0], NOT_FOUND)


@row("3 errors")
def errors_have_their_codes():
    """Errors: InvalidArgument (convert), Internal (run), NotFound (file), Unauthenticated"""
    equal(call("Exec", encode((2, cmd("cat", files=[[(5, b"")]]))))[0], INVALID_ARGUMENT)
    status, why, _ = call("Exec", encode((2, cmd("cat", files=[[(3, [(1, "AAAAAAAA")])]]))))
    equal((status, why), (INTERNAL, 'file does not exists with id: "AAAAAAAA"'))
    equal(call("Nothing", b"")[0], UNIMPLEMENTED)


@row("3 errors")
def zero_commands_are_refused():
    """gRPC requests with zero cmd are not rejected (better here)"""
    equal(call("Exec", encode((1, "x")))[0], INVALID_ARGUMENT)


@row("3")
def token_in_any_case():
    """Auth: metadata `authorization: bearer <token>` (scheme case-insensitive here)"""
    one = server(*OPTIONS, "-auth-token", "secret one")
    for said, status in (([], UNAUTHENTICATED), (["authorization: bearer secret one"], OK), (["authorization: Bearer secret one"], OK),
                         (["authorization: bearer other"], UNAUTHENTICATED), (["authorization: secret one"], UNAUTHENTICATED)):
        equal(call("FileList", b"", one=one, headers=said)[0], status, said)


@row("3")
def messages_have_a_largest_size():
    """max receive `-grpc-msg-size` 64m"""
    equal(call("FileAdd", encode((1, "a"), (2, b"x" * (2 * MiB))))[0], EXHAUSTED)
    equal(call("FileList", b"")[0], OK)


@row("3")
def health_is_answered():
    """No reflection, no health service, no TLS (better here: both; reflection is in tests/clients/grpc.mjs)"""
    status, _, answers = call("/grpc.health.v1.Health/Check", b"")
    equal((status, answers), (OK, [{1: [1]}]))


untested("3", "ExecStream while both sides talk: resize, cancel, end of input; copyOutTruncate is kept",
         "needs a client that sends and listens at once: tests/clients/grpc_streams.mjs (ctest clients.grpc)")
untested("3", "Also shipped: go-judge-shell, go-judge-grpc-proxy, go-judge-init, go-judge-ffi",
         "programs of their own beside the server: no part of its interface")
untested("3", "edition 2023, go_package, file names", "source level; api/executor.proto has package pb and the numbers above")


if __name__ == "__main__":
    main()
