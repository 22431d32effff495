#!/usr/bin/env python3
"""§11: what Hydro's judge asks of the server; and the rows of §12 that no other file has. The whole of Hydro's dialogue is
also a client of its own: tests/clients/hydro.mjs."""
import json, re

from suite import *
from websocket import WebSocket

AGENT = {"User-Agent": "hydrojudge"}
SUM = "#include <cstdio>\nint main() { long a, b; if (scanf(\"%ld %ld\", &a, &b) != 2) return 1; printf(\"%ld\\n\", a + b); }\n"
KNOWN = ["Time Limit Exceeded", "Memory Limit Exceeded", "Output Limit Exceeded", "Accepted", "Nonzero Exit Status",
         "Internal Error", "File Error", "Signalled"]


def proc(*args, time=2000, memory=256, strict=False, stdin=None, **more):
    """One command as Hydro fills it in."""
    return {"args": list(args), "env": ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/w"],
            "files": [stdin or {"content": ""}, {"name": "stdout", "max": 64 * KiB}, {"name": "stderr", "max": 64 * KiB}],
            "cpuLimit": time * MS, "clockLimit": 3 * time * MS, "memoryLimit": memory * MiB, "strictMemoryLimit": strict,
            "addressSpaceLimit": False, "stackLimit": memory * MiB if strict else 0, "procLimit": 32,
            "copyOutMax": 64 * MiB, "copyIn": {}, "copyOut": [], "copyOutCached": [], **more}


def run(*commands, **request):
    answer = server().ask("POST", "/run", json.dumps({"cmd": list(commands), **request}),
                          {"Content-Type": "application/json"} | AGENT)
    equal(answer.status, 200, answer)
    return answer.json


@row("11")
def version_can_be_compared():
    """`GET /version` `buildVersion` must split on `v` into semver (compared ≥1.6.10, ≥1.8.6) and `copyOutOptional:true`"""
    found = server().ask("GET", "/version", headers=AGENT).json
    numbers = tuple(map(int, found["buildVersion"].split("v")[1].split(".")))
    holds(len(numbers) == 3 and numbers >= (1, 8, 6), found)
    equal(found["copyOutOptional"], True)


@row("11", full=True)
def config_tells_of_cgroups():
    """`GET /config` `runnerConfig.cgroupType` (0/1/2), `runnerConfig.cgroupControllers` containing `"memory"`, top-level
    `fixSymlinkEscape:true` (else it reports an error)"""
    found = server().ask("GET", "/config", headers=AGENT).json
    holds(found["runnerConfig"]["cgroupType"] in (1, 2), found)
    holds("memory" in found["runnerConfig"]["cgroupControllers"], found)
    equal(found["fixSymlinkEscape"], True)


@row("11", full=True)
def compile_run_and_forget():
    """Uses POST /run, GET/DELETE /file/:id, GET /file, User-Agent only, no auth. Sends: args, env, files[3]
    (content|src|fileId, collectors `stdout`/`stderr` with `max`), cpuLimit, clockLimit=3×cpuLimit, memoryLimit,
    strictMemoryLimit, addressSpaceLimit, stackLimit (=memory when strict, else 0), procLimit, copyOutMax, copyIn, copyOut with
    `?`, copyOutCached incl. "stdout","stderr" """
    built = run(proc("g++", "foo.cc", "-o", "foo", time=20000, memory=1024, copyIn={"foo.cc": {"content": SUM}},
                     copyOut=["message?"], copyOutCached=["foo"]))[0]
    equal(built["status"], "Accepted", built)
    program = {"foo": {"fileId": built["fileIds"]["foo"]}}
    fid = server().add("1.in", b"40 2\n")
    for strict in (False, True):
        for stdin in ({"content": "40 2\n"}, {"fileId": fid}):
            result = run(proc("foo", stdin=stdin, strict=strict, copyIn=program))[0]
            equal((result["status"], result["files"]["stdout"]), ("Accepted", "42\n"), result)
    result = run(proc("foo", stdin={"content": "1 2"}, copyIn=program, copyOutCached=["stdout", "stderr"]))[0]
    equal((server().get(result["fileIds"]["stdout"]), server().get(result["fileIds"]["stderr"])), (b"3\n", b""))
    ids = [fid, built["fileIds"]["foo"], *result["fileIds"].values()]
    equal(sorted(server().ask("GET", "/file", headers=AGENT).json), sorted(ids))
    for each in ids:
        equal(server().ask("DELETE", f"/file/{each}", headers=AGENT).status, 200)


@row("11")
def interaction_through_relayed_pipes():
    """pipeMapping with proxy (config `pipe_proxy`), name, max, and null in files"""
    def one(script):
        return proc("/bin/sh", "-c", script) | {"files": [None, None, {"name": "stderr", "max": 4096}]}
    results = run(one("echo ask; read a; echo $a >&2"), one("read q; echo $q answered"), pipeMapping=[
        {"in": {"index": 0, "fd": 1}, "out": {"index": 1, "fd": 0}, "proxy": True, "name": "stdout", "max": 64},
        {"in": {"index": 1, "fd": 1}, "out": {"index": 0, "fd": 0}, "proxy": True, "name": "stdout", "max": 64}])
    equal([r["status"] for r in results], ["Accepted"] * 2, results)
    equal([r["files"]["stdout"] for r in results], ["ask\n", "ask answered\n"])
    equal(results[0]["files"]["stderr"], "ask answered\n")


@row("11", full=True)
def statuses_are_spelled_as_hydro_knows_them():
    """It re-derives TLE/MLE from time/memory itself; any unknown status string maps to Accepted, so status spelling must be
    exact"""
    found = [run(each)[0] for each in (
        proc("/bin/sh", "-c", "while :; do :; done", time=100),
        proc("/usr/bin/python3", "-c", "x = b'x' * (200 << 20)", memory=64),
        proc("/bin/sh", "-c", "head -c 100000 /dev/zero"), proc("/bin/true"), proc("/bin/false"), proc("/nowhere"),
        proc("/bin/true", copyOut=["none"]), proc("/bin/sh", "-c", "kill -SEGV $$"))]
    equal([each["status"] for each in found], KNOWN)
    holds(found[0]["time"] > 100 * MS and found[1]["memory"] > 64 * MiB, found[:2])


@row("11")
def what_fails_is_not_2xx():
    """Error statuses: any non-2xx → "Sandbox Error" system error"""
    equal(server().post({"cmd": []}, AGENT).status, 400)
    equal(server().post({"cmd": [proc("cat", stdin={"fileId": "AAAAAAAA"})]}, AGENT).status, 500)


@row("11", full=True)
def stream_serves_a_terminal():
    """/stream (not /ws)"""
    files = [{"streamIn": True}, {"streamOut": True}, {"streamOut": True}]
    with WebSocket(server().http, "/stream", headers=AGENT) as socket:
        socket.send(b"\x01" + json.dumps({"cmd": [proc("/bin/sh", "-c", "read a; echo hi $a") | {
            "files": files, "tty": True, "env": ["TERM=xterm-256color", "PATH=/usr/bin:/bin"]}]}).encode())
        socket.send(b"\x03\x00you\n")
        seen = b""
        while (frame := socket.receive())[0] == 2:
            seen += frame[2:]
        equal(json.loads(frame[1:])["results"][0]["status"], "Accepted")
        matches("hi you\r\n", seen.decode())


# §12: rows of the checklist that are not already rows above.

@row("12")
def numbers_are_integers():
    """ns and bytes integers; omit-empty rules"""
    text = server().post({"cmd": [command("/bin/true")]}).body.decode()
    for name in ("time", "memory", "runTime", "exitStatus"):
        matches(rf'"{name}":\d+[,}}]', text)
    holds("null" not in text and "{}" not in text and "[]" not in text, text)


@row("12")
def run_time_faults_are_200():
    """200 + status Internal Error/File Error for run-time faults"""
    for fields, status in (({"args": ["/nowhere"]}, "Internal Error"), ({"copyIn": {"a": {"src": "/nowhere"}}}, "File Error")):
        answer = server().post({"cmd": [command("/bin/true") | fields]})
        equal((answer.status, answer.json[0]["status"]), (200, status))


@row("12", full=True)
def dev_stdin_links_work():
    """/dev/stdin-style symlinks"""
    result = server().sh("cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; ls /dev/fd/ | head -1",
                         files=[{"content": "in\n"}, {"name": "o", "max": 99, "pipe": True}, {"name": "e", "max": 99, "pipe": True}])
    equal(result["files"], {"o": "in\nout\n0\n", "e": "err\n"}, result)


CHECKLIST = {
    "Exact field/status/fileError spellings": "result.every_status_has_its_word, copy_in.*",
    "array (not object) answer from /run": "rest_routes.run_answers_an_array_in_order_without_the_id",
    "JSON-string error bodies with 400/500": "rest_routes.run_says_400_with_a_json_string, run_says_500_with_a_json_string",
    "max+1 bytes on OLE": "cmd_file.collector_over_max_gives_one_byte_more",
    "`?` optional suffix": "run_request.copy_out_takes_relative_and_absolute_names",
    "collectors as regular files in the work dir by default and same-name sharing":
        "cmd_file.collector_is_a_file_in_the_work_dir, collectors_of_one_name_share",
    "copyIn 0777 and mkdir -p; symlink after copyIn": "copy_in.copy_in_makes_parents_and_modes, "
                                                      "collectors_then_files_then_symlinks_then_exec",
    "PATH lookup in request env with cwd first": "run_request.args_without_a_slash_is_searched_in_the_work_dir_then_in_path",
    "work dir /w, /tmp, default mounts, mount.yaml parsing, `/.env`": "configuration.default_mounts, mount_file_is_read, "
                                                                     "run_request.env_comes_after_the_lines_of_dot_env",
    "copyOutCached of collectors": "run_request.copy_out_cached_of_a_collector_moves_it",
    "MLE > TLE precedence": "result.verdict_of_memory_wins_over_time",
    "cancel semantics on /ws": "ws.cancel_kills_what_runs, cancel_of_what_waits_is_an_error",
    "/stream framing": "stream.*",
    "pb package & field numbers": "grpc.*, tests/clients/grpc.mjs",
    "ES_* variables and flags": "configuration.every_flag_and_variable_is_known, defaults_are_go_judges",
    "/version+/config feature flags": "rest_routes.version_has_its_fields, config_has_features_store_and_runner",
    "metrics names": "configuration.metrics_have_go_judges_names",
    "treat omitted limits as server defaults": "run_request.cpu_limit_omitted_is_the_servers_default, memory_…, proc_…",
    ">253 files, >32 KiB argv": "copy_in.more_than_253_files, run_request.args_may_be_large",
}
for words, where in CHECKLIST.items():
    untested("12", words, f"a summary of rows above: {where}")


if __name__ == "__main__":
    main()
