#!/usr/bin/env python3
"""§1: the routes of the REST API, their answers and failures, and the token."""
import http.client, json, os, pathlib, shutil, tempfile, urllib.parse

from suite import *

TOKEN = "a token, with a space"
FEATURES = ["copyOutOptional", "pipeProxy", "symlink", "addressSpaceLimit", "stream", "procPeak", "copyOutTruncate",
            "pipeProxyZeroCopy", "fixSymlinkEscape"]
JSON_TYPE = "application/json; charset=utf-8"


@row("1")
def unknown_route_or_wrong_method_is_404():
    """Unknown route or wrong method: 404, body `404 page not found`, text/plain (GET /run is 404, not 405)"""
    for method, path in (("GET", "/nothing"), ("GET", "/run"), ("PUT", "/file"), ("POST", "/version"),
                         ("DELETE", "/file"), ("GET", "/file/a/b"), ("GET", "/")):
        answer = server().ask(method, path)
        equal((answer.status, answer.body), (404, b"404 page not found"), f"{method} {path}")
        holds(answer.headers["Content-Type"].startswith("text/plain"), answer.headers)


@row("1")
def all_json_responses_have_one_content_type():
    """All JSON responses: `Content-Type: application/json; charset=utf-8`"""
    wanted = [server().ask("GET", path) for path in ("/file", "/version", "/config")]
    wanted.append(server().ask("POST", "/file", *multipart("a", b"a")))
    server().ask("DELETE", "/file/" + wanted[-1].json)
    wanted.append(server().post({"cmd": [command("/bin/true")]}))
    wanted.append(server().post({"cmd": []}))
    wanted.append(server().post({"cmd": [command("cat", files=[{"fileId": "NOTTHERE"}])]}))
    equal([each.status for each in wanted], [200, 200, 200, 200, 200, 400, 500])
    for each in wanted:
        equal(each.headers["Content-Type"], JSON_TYPE, each)


@row("1")
def html_characters_are_escaped_and_run_ends_with_a_newline():
    r"""Go's encoder escapes `<`,`>`,`&` as `\u003c` etc. and appends `\n` on /run"""
    answer = server().post({"cmd": [command("/bin/echo", "<a>&\u2028")]})
    holds(rb"\u003ca\u003e\u0026\u2028\n" in answer.body, answer)
    holds(answer.body.endswith(b"]\n"), answer)


@row("1")
def request_content_type_is_not_checked():
    """Request Content-Type is not checked (text/plain body works)"""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = server().post({"cmd": [command("/bin/true")]}, {"Content-Type": kind})
        equal((answer.status, answer.json[0]["status"]), (200, "Accepted"), kind)


@row("1")
def unknown_fields_are_ignored():
    """Unknown JSON fields are ignored"""
    answer = server().post({"new": {"a": [1]}, "cmd": [command("/bin/true", newer=None) | {"what": [{"x": 1.5}]}]})
    equal(answer.json[0]["status"], "Accepted", answer)


@row("1")
def field_names_match_in_any_case():
    """Field names are matched case-insensitively (Go encoding/json)"""
    answer = server().post({"CMD": [{"ARGS": ["/bin/echo", "hi"], "Files": [
        {"CONTENT": ""}, {"Name": "out", "MAX": 100}], "cpulimit": S, "MemoryLIMIT": 64 * MiB, "PROCLIMIT": 5}]})
    equal(answer.json[0]["files"], {"out": "hi\n"}, answer)


@row("1")
def run_answers_an_array_in_order_without_the_id():
    """/run POST: 200, JSON array `Result[]` (one per cmd, same order; `requestId` is NOT echoed)"""
    answer = server().post({"requestId": "mine", "cmd": [shell(f"sleep 0.0{5 - i}; echo {i}") for i in range(4)]})
    equal([each["files"]["stdout"] for each in answer.json], [f"{i}\n" for i in range(4)])
    holds(b"requestId" not in answer.body and b"mine" not in answer.body, answer)


@row("1")
def run_says_400_with_a_json_string():
    """/run: 400 with a JSON string body (parse error text, `"no cmd provided"`, bad file kind, src outside prefix)"""
    prefix = tempfile.gettempdir()
    with own("-src-prefix", prefix) as one:
        for body, words in (("{", "."), ("", "."), ("[1]", "."), ('{"cmd":[{"args":1}]}', r"cmd\[0\].args"),
                            ('{"cmd":[]}', "^no cmd provided$"), ("{}", "^no cmd provided$"),
                            ({"cmd": [command("cat", files=[{}])]}, "file type is not valid for cmd"),
                            ({"cmd": [command("cat", files=[{"src": "/etc/passwd"}])]},
                             rf"file \(/etc/passwd\) does not under \(\[{prefix}\]\)")):
            answer = one.post(body)
            equal(answer.status, 400, (body, answer))
            holds(isinstance(answer.json, str), answer)
            matches(words, answer.json)


@row("1")
def run_says_500_with_a_json_string():
    """/run: 500 with JSON string (unknown fileId, pipe mapping errors); the three of the worker are in
    store_and_worker"""
    pair = [command("cat", files=[{"content": ""}, None, None]), command("cat", files=[None, None, None])]
    for body in ({"cmd": [command("cat", files=[{"fileId": "AAAAAAAA"}])]},
                 {"cmd": pair, "pipeMapping": [{"in": {"index": 5, "fd": 1}, "out": {"index": 1, "fd": 0}}]}):
        answer = server().post(body)
        equal(answer.status, 500, answer)
        holds(isinstance(answer.json, str), answer)


@row("1")
def file_list_is_an_object_sorted_by_id():
    """/file GET: 200 object `{fileId: originalName}` (Go map → alphabetical keys)"""
    equal(server().ask("GET", "/file").body, b"{}")
    ids = {server().add(f"name {i}", b"x"): f"name {i}" for i in range(6)}
    found = json.loads(server().ask("GET", "/file").body, object_pairs_hook=list)
    equal(found, sorted(ids.items()), "sorted")
    for each in ids:
        server().ask("DELETE", f"/file/{each}")
    equal(server().ask("GET", "/file").json, {})


@row("1")
def file_list_shows_no_file_in_flight():
    """/file GET: name is `""` for files that are in the directory but were never registered, e.g. in-flight temporaries
    (better here: what has no id is not listed)"""
    with server_running("sleep 0.3; echo done > out", copyOutCached=["out", "stdout"]) as finish:
        equal(server().ask("GET", "/file").json, {}, "while it runs")
        ids = finish()["fileIds"]
    equal(server().ask("GET", "/file").json, {ids["out"]: "out", ids["stdout"]: "stdout"})
    for each in ids.values():
        server().ask("DELETE", f"/file/{each}")


class server_running:
    """A request on the shared server that runs meanwhile; finish() gives its result."""

    def __init__(self, script, **fields):
        self.connection = http.client.HTTPConnection("127.0.0.1", server().http, timeout=60)
        self.connection.request("POST", "/run", json.dumps({"cmd": [shell(script, **fields)]}))

    def __enter__(self):
        until(lambda: server().counts()[0] == 1, "it runs")
        return lambda: json.loads(self.connection.getresponse().read())[0]

    def __exit__(self, *_):
        self.connection.close()


@row("1")
def file_post_keeps_the_part_named_file():
    """/file POST: multipart/form-data, part name `file` (filename kept as original name); 200 JSON string fileId, e.g.
    `"QBUACPBI"`"""
    content = bytes(range(256)) * 500
    fid = server().add("my file.bin", content)
    matches("^[A-Z2-7]{8,}$", fid)
    equal(server().ask("GET", "/file").json, {fid: "my file.bin"})
    equal(server().get(fid), content)
    equal(server().ask("DELETE", f"/file/{fid}").status, 200)


@row("1")
def file_post_without_the_part_is_400_empty():
    """/file POST: 400 empty body if part missing"""
    for body, headers in (multipart("a", b"x", field="other"), (b"plain", {"Content-Type": "text/plain"}), (b"", {})):
        answer = server().ask("POST", "/file", body, headers)
        equal((answer.status, answer.body), (400, b""), headers)


@row("1")
def file_post_that_cannot_be_kept_is_500_empty():
    """/file POST: 500 empty body"""
    with own("-dir", "{directory}/store") as one:
        shutil.rmtree(one.directory + "/store")
        pathlib.Path(one.directory, "store").touch()  # as good as a broken disk
        answer = one.ask("POST", "/file", *multipart("a", b"x" * 300000))
        equal((answer.status, answer.body), (500, b""))


@row("1")
def file_get_sends_bytes_with_type_and_name():
    """/file/:fid GET: 200 raw bytes, `Content-Type` from extension of original name (may be empty),
    `Content-Disposition: attachment; filename="<name>"`"""
    for name, kind in (("a.txt", "text/plain; charset=utf-8"), ("a.json", "application/json"),
                       ("a.html", "text/html; charset=utf-8"), ("noextension", None), ('q"uote.png', "image/png")):
        fid = server().add(name.replace('"', "%22"), b"\x00\xff<bytes>")
        answer = server().ask("GET", f"/file/{fid}")
        equal((answer.status, answer.body), (200, b"\x00\xff<bytes>"))
        if '"' not in name:
            equal(answer.headers["Content-Disposition"], f'attachment; filename="{name}"')
        if kind is None:
            holds(answer.headers.get("Content-Type", "") in ("", "application/octet-stream"), answer.headers)
        else:
            equal(answer.headers["Content-Type"], kind, name)
        server().ask("DELETE", f"/file/{fid}")


@row("1")
def file_get_names_what_is_not_ascii():
    """/file/:fid GET: RFC 5987 `filename*=UTF-8''` for non-ASCII"""
    name = "größe 文.txt"
    fid = server().add(name, b"x")
    said = server().ask("GET", f"/file/{fid}").headers["Content-Disposition"]
    matches(r"^attachment; filename\*=UTF-8''", said)
    equal(urllib.parse.unquote(said.split("''")[1]), name)
    server().ask("DELETE", f"/file/{fid}")


@row("1")
def file_get_knows_ranges_and_dates():
    """/file/:fid GET: Range/If-Modified-Since work (http.ServeFile, `Accept-Ranges: bytes`, `Last-Modified`)"""
    fid = server().add("a", b"0123456789")
    get = lambda **headers: server().ask("GET", f"/file/{fid}", headers={k.replace("_", "-"): v for k, v in headers.items()})
    whole = get()
    equal(whole.headers["Accept-Ranges"], "bytes")
    for wanted, part, said in (("bytes=2-4", b"234", "bytes 2-4/10"), ("bytes=7-", b"789", "bytes 7-9/10"),
                               ("bytes=-2", b"89", "bytes 8-9/10")):
        answer = get(Range=wanted)
        equal((answer.status, answer.body, answer.headers["Content-Range"]), (206, part, said))
    answer = get(Range="bytes=20-")
    equal((answer.status, answer.headers["Content-Range"]), (416, "bytes */10"))
    answer = get(If_Modified_Since=whole.headers["Last-Modified"])
    equal((answer.status, answer.body), (304, b""))
    equal(get(If_Modified_Since="Mon, 01 Jan 2001 00:00:00 GMT").status, 200)
    head = server().ask("HEAD", f"/file/{fid}")
    holds(head.status in (200, 404) and head.body == b"", head)
    server().ask("DELETE", f"/file/{fid}")


@row("1")
def file_get_of_an_unknown_id_is_404_empty():
    """/file/:fid GET: 404 empty body"""
    for fid in ("AAAAAAAA", "x", "..", "%2e%2e", "A" * 5000):
        answer = server().ask("GET", f"/file/{fid}")
        equal((answer.status, answer.body), (404, b""), fid[:40])


@row("1")
def file_delete_is_200_empty_then_404_empty():
    """/file/:fid DELETE: 200 empty body; 404 empty body"""
    fid = server().add("a", b"x")
    for status in (200, 404):
        answer = server().ask("DELETE", f"/file/{fid}")
        equal((answer.status, answer.body), (status, b""))
    equal(server().ask("GET", f"/file/{fid}").status, 404)


@row("1")
def ws_and_stream_are_upgrades():
    """/ws, /stream: GET upgrade"""
    for path in ("/ws", "/stream"):
        answer = server().ask("GET", path, headers={
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
        equal(answer.status, 101, path)
        equal(answer.headers["Sec-WebSocket-Accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "RFC 6455's own example")
        equal(server().ask("GET", path).status, 400, "no upgrade")


@row("1")
def version_has_its_fields():
    """/version GET: 200 `{"buildVersion":"v1.12.2","goVersion":…,"platform":"amd64","os":"linux",` and the nine feature
    booleans, all true"""
    answer = server().ask("GET", "/version")
    found = json.loads(answer.body, object_pairs_hook=list)
    equal([name for name, _ in found][:13], ["buildVersion", "goVersion", "platform", "os", *FEATURES])
    equal(found[0][1], "v1.12.2")
    equal(found[2:4], [("platform", {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]), ("os", "linux")])
    equal([value for _, value in found[4:13]], [True] * 9)
    holds(isinstance(found[1][1], str), found[1])


@row("1")
def config_has_features_store_and_runner():
    """/config GET: 200: the same nine feature booleans + `"fileStorePath"` (string) + `"runnerConfig"` object"""
    found = server().ask("GET", "/config").json
    equal({name: found[name] for name in FEATURES}, dict.fromkeys(FEATURES, True))
    holds(os.path.isdir(found["fileStorePath"]), found["fileStorePath"])
    holds(isinstance(found["runnerConfig"], dict), found)
    equal(sorted(found), sorted([*FEATURES, "fileStorePath", "runnerConfig"]))


@row("1")
def runner_config_has_its_keys():
    """`runnerConfig` keys (Linux): `cgroupType` (0 none, 1 v1, 2 v2), `cgroupControllers` (names among
    cpu,cpuacct,cpuset,memory,pids), `mount` (array of `{Source,Target,FsType,Data,Flags}`), `symbolicLink` (array
    `{LinkPath,Target}`), `maskedPaths`, `hostName`, `domainName`, `workDir`, `uid`, `gid`"""
    found = server().ask("GET", "/config").json["runnerConfig"]
    equal(sorted(set(found) - {"clone3"}), sorted([
        "cgroupType", "cgroupControllers", "mount", "symbolicLink", "maskedPaths", "hostName", "domainName", "workDir",
        "uid", "gid"]))
    holds(found["cgroupType"] in (0, 1, 2), found)
    holds(set(found["cgroupControllers"]) <= {"cpu", "cpuacct", "cpuset", "memory", "pids"}, found)
    for mount in found["mount"]:
        equal(sorted(mount), ["Data", "Flags", "FsType", "Source", "Target"])
        holds(isinstance(mount["Flags"], int), mount)
    for link in found["symbolicLink"]:
        equal(sorted(link), ["LinkPath", "Target"])
    equal((found["hostName"], found["domainName"], found["workDir"], found["uid"], found["gid"]),
          ("executor_server", "executor_server", "/w", 1000, 1000))
    read_only = {m["Target"] for m in found["mount"] if m["Source"] == "/usr" and m["Flags"] & 1 and m["Flags"] & 0x1000}
    equal(read_only, {"usr"}, "MS_RDONLY | MS_BIND, relative to the root that is built")


@row("1")
def metrics_are_on_the_monitor_address_only_when_enabled():
    """/metrics GET on `-monitor-addr`, only with `-enable-metrics`: Prometheus text, no auth"""
    with own("-enable-metrics", "-monitor-addr", "127.0.0.1:{monitor}", "-auth-token", TOKEN) as one:
        answer = ask(one.monitor, "GET", "/metrics")
        equal(answer.status, 200, answer)
        matches("^text/plain", answer.headers["Content-Type"])
        matches("# TYPE go_judge_worker_running_count gauge", answer.body.decode())
        equal(one.ask("GET", "/metrics", headers={"Authorization": "Bearer " + TOKEN}).status, 404, "not on the API's")
    equal(server().ask("GET", "/metrics").status, 404)


untested("1", "/debug/pprof/* GET on `-monitor-addr`, only with `-enable-debug`: Go pprof",
         "profiles of the Go runtime; assayd has none. That -enable-debug opens the monitor address and logs requests is "
         "configuration.enable_debug")


@row("1")
def token_guards_everything_but_version_and_config():
    """Order of registration: `/version`, `/config` (never need auth) → auth middleware (if `-auth-token`) → everything
    else (including 404s, which then become 401 without token)"""
    one = server("-auth-token", TOKEN)
    for path in ("/version", "/config"):
        equal(one.ask("GET", path).status, 200, path)
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    for method, path in (("POST", "/run"), ("GET", "/file"), ("POST", "/file"), ("GET", "/file/AAAAAAAA"),
                         ("DELETE", "/file/AAAAAAAA"), ("GET", "/ws"), ("GET", "/stream"), ("GET", "/nothing")):
        answer = one.ask(method, path, headers=upgrade if path in ("/ws", "/stream") else {})
        equal((answer.status, answer.body), (401, b""), f"{method} {path}")


@row("1")
def token_is_bearer_with_a_capital():
    """Auth: header `Authorization: Bearer <token>`, exact case-sensitive "Bearer " prefix (lower-case `bearer` → 401),
    failure 401 empty body. Applies to /run, /file*, /ws, /stream"""
    one = server("-auth-token", TOKEN)
    said = lambda text: one.ask("GET", "/file", headers={"Authorization": text})
    equal(said("Bearer " + TOKEN).status, 200)
    for wrong in ("bearer " + TOKEN, "BEARER " + TOKEN, TOKEN, "Bearer  " + TOKEN, "Bearer " + TOKEN + "x",
                  "Bearer " + TOKEN[:-1], "Bearer ", "Basic " + TOKEN):
        answer = said(wrong)
        equal((answer.status, answer.body), (401, b""), wrong)
    equal(one.ask("GET", "/nothing", headers={"Authorization": "Bearer " + TOKEN}).status, 404)
    answer = one.post({"cmd": [command("/bin/true")]}, {"Authorization": "Bearer " + TOKEN})
    equal(answer.json[0]["status"], "Accepted")


@row("1")
def token_is_compared_in_constant_time_and_never_logged():
    """plain `==` compare (not constant time) (better here; that it is constant is a test of transport); the token is
    logged in clear at start (not here)"""
    one = server("-auth-token", TOKEN)
    one.ask("GET", "/file", headers={"Authorization": "Bearer " + TOKEN})
    holds(TOKEN not in one.text(), "the token is in the log")


@row("1")
def body_size_is_limited_and_there_is_no_cors():
    """No TLS, no CORS, no per-route rights, no request size limit (better here: `-max-body`)"""
    with own("-max-body", "10k") as one:
        answer = one.post({"cmd": [command("/bin/true")], "padding": "x" * 20000})
        equal(answer.status, 413, answer)
        answer = one.ask("GET", "/version", headers={"Origin": "http://elsewhere.example"})
        holds("Access-Control-Allow-Origin" not in answer.headers, answer.headers)
        equal(one.run(command("/bin/true"))[0]["status"], "Accepted")


if __name__ == "__main__":
    main()
