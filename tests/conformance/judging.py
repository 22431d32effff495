#!/usr/bin/env python3
"""The judging interface (/v1) of a real server, with real programs in real boxes. `seed-checklist.md`: F18, F20–F29, C-24."""
import contextlib, hashlib, io, json, os, pathlib, re, socket, tarfile, tempfile, threading, zipfile

from suite import *
from websocket import WebSocket

SUM = "#include <bits/stdc++.h>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
SPIN = "while True: pass\n"


def problem(count=2, **more):
    return {"type": "batch", "limits": {"cpuTimeMs": 2000, "memoryMB": 128},
            "tests": [{"testId": str(i + 1), "input": f"{i} {i}\n", "answer": f"{2 * i}\n"} for i in range(count)]} | more


def submit(language, source, **more):
    body = {"language": language, "wait": True, "problem": problem(), "source": source} | more
    return server().ask("POST", "/v1/submissions", json.dumps({k: v for k, v in body.items() if v is not None}))


def judged(language, source, **more):
    answer = submit(language, source, **more)
    equal(answer.status, 200, answer)
    return answer.json


def verdicts(result):
    return [test["verdict"] for test in result["tests"]]


@row("v1", full=True)
def a_right_solution():
    """F26–F29: JudgeResult with compile, tests, summary and timestamps"""
    result = judged("cpp", SUM, submissionId="right")
    equal((result["submissionId"], result["status"], result["verdict"], result["score"]), ("right", "Finished", "AC", 100))
    equal(sorted(result), sorted(["submissionId", "status", "verdict", "message", "score", "language", "compile", "tests", "subtasks",
                                  "summary", "timestamps"]))
    equal((result["compile"]["ok"], result["compile"]["exitCode"]), (True, 0))
    test = result["tests"][0]
    for field in ("testId", "verdict", "timeMs", "memoryKB", "outputKB", "exitCode", "stdout", "stderr", "score", "subtaskId"):
        holds(field in test, field)
    equal(result["summary"]["failedTestId"], "")
    holds(result["timestamps"]["receivedAt"] <= result["timestamps"]["finishedAt"], result["timestamps"])


INTERACTOR = """import sys
print(open(sys.argv[1]).read().split()[0], flush=True)
sys.exit(0 if sys.stdin.readline().strip() == "1" else 1)
"""


@row("v1", full=True)
def an_interactive_problem():
    """F22: a submission talks with the problem's interactor; `dialogue` tells what was said"""
    talk = problem(1, type="interactive", interactor={"language": "python3", "source": INTERACTOR, "protocol": "testlib"})
    right = judged("python3", "print(int(input()) + 1)", problem=talk, dialogue=True)
    equal((right["verdict"], verdicts(right)), ("AC", ["AC"]), right)
    said = right["tests"][0]["interaction"]["dialogue"]
    equal([(event["from"], event["text"]) for event in said["events"]], [("interactor", "0\n"), ("solution", "1\n")], said)
    equal((said["bytes"], said["truncated"]), (4, False))
    wrong = judged("python3", "print(5)", problem=talk)
    equal((wrong["verdict"], "dialogue" in wrong["tests"][0]["interaction"]), ("WA", False), wrong)
    silent = judged("python3", "input(); input()", problem=talk)
    equal(silent["verdict"], "ILE", silent)
    holds("both sides wait for input since" in silent["tests"][0]["message"], silent["tests"][0])
    holds(submit("python3", "pass", problem=problem(1, type="interactive")).status == 400, "no interactor")


@row("v1", full=True)
def every_verdict():
    """AC, WA, TLE, MLE, OLE, RE and CE are told apart"""
    cases = {"WA": "print(-1)", "RE": "raise SystemExit(3)", "MLE": "x = b'x' * (400 << 20)\nprint(len(x))",
             "OLE": "while True: print('x' * 65536)", "TLE": SPIN}
    for wanted, source in cases.items():
        limits = {"cpuTimeMs": 1000, "memoryMB": 64, "outputMB": 1}
        result = judged("python3", source, problem=problem(1, limits=limits))
        equal((result["verdict"], verdicts(result)), (wanted, [wanted]), source)
    result = judged("cpp", "int main() { return nothing; }")
    equal((result["verdict"], verdicts(result)), ("CE", ["SKIPPED", "SKIPPED"]), result)
    holds("nothing" in result["compile"]["log"], result["compile"])


@row("v1", full=True)
def an_interpreted_language_compiles_nothing():
    """F18: `compile` is null"""
    equal(judged("python3", "print(sum(map(int, input().split())))")["compile"], None)


@row("v1", full=True)
def files_instead_of_streams():
    """F20: `fileio` with both names"""
    source = "open('sum.out', 'w').write(str(sum(map(int, open('sum.in').read().split()))))"
    result = judged("python3", source, problem=problem(ioMode="fileio", inputFileName="sum.in", outputFileName="sum.out"))
    equal(result["verdict"], "AC", result)


@row("v1", full=True)
def a_checker_program():
    """F21: a program of the problem judges the output; when it is broken, that is nobody's fault but its own"""
    checker = {"language": "python3", "protocol": "exitcode", "source":
               "import sys\nsys.exit(0 if open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split() else 1)"}
    equal(judged("python3", "print(sum(map(int, input().split())))", problem=problem(checker=checker))["verdict"], "AC")
    equal(judged("python3", "print(7)", problem=problem(checker=checker))["verdict"], "WA")
    broken = {"language": "cpp", "source": "this is no program", "protocol": "testlib"}
    result = judged("python3", "print(7)", problem=problem(checker=broken))
    equal((result["status"], result["verdict"]), ("Finished", "JE"), result)
    holds("does not compile" in result["message"], result)


@row("v1", full=True)
def kept_files_and_problems():
    """A problem is put once, with files of the store, and judged by its id"""
    file = server().add("1.in", b"20 22\n")
    tests = [{"input": {"fileId": file}, "answer": "42"}]
    equal(server().ask("PUT", "/v1/problems/kept", json.dumps({"tests": tests})).status, 201)
    server().ask("DELETE", f"/file/{file}")  # the problem holds what it needs
    result = judged("python3", "print(sum(map(int, input().split())))", problem=None, problemId="kept")
    equal(result["verdict"], "AC", result)
    equal(server().ask("DELETE", "/v1/problems/kept").status, 204)


def packed(folder, files):
    """A zip of `files`, below `folder`"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(folder + name, text)
    return out.getvalue()


@row("v1", full=True)
def problems_as_packages():
    """A problem's directory is put once as a zip or a tar, and judged by its id"""
    description = """checker = { source = "check.py", protocol = "exitcode" }
                     limits = { cpuTimeMs = 2000 }
                     [[tests]]
                     pattern = "data/*.in" """
    check = "import sys\nsys.exit(0 if open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split() else 1)"
    large = "1 " * 100_000 + "\n"
    files = {"problem.toml": description, "check.py": check, "data/1.in": "20 22\n", "data/1.ans": "42\n",
             "data/10.in": large, "data/10.ans": "100000\n", "data/2.in": "1 1\n", "data/2.ans": "2\n", "readme.pdf": "%PDF"}
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:xz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo("./sum/" + name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    for body, headers in ((packed("", files), None), (packed("sum/", files), {"Content-Type": "application/zip"}), (tar.getvalue(), None)):
        answer = server().ask("PUT", "/v1/problems/packed", body, headers)
        holds(answer.status in (200, 201), answer)
        equal((answer.json["tests"], answer.json["digest"]), (3, hashlib.sha256(body).hexdigest()), answer)
        result = judged("python3", "print(sum(map(int, input().split())))", problem=None, problemId="packed")
        equal((result["verdict"], [test["testId"] for test in result["tests"]]), ("AC", ["1", "2", "10"]), result)
    equal(judged("python3", "print(42)", problem=None, problemId="packed")["verdict"], "WA")
    meta = {"tasks": [{"taskScore": 100, "memoryLimit": 65536, "timeLimit": 1000, "caseCount": 1}]}
    noj = packed("", {"meta.json": json.dumps(meta), "testcase/0000.in": "1 2\n", "testcase/0000.out": "3\n"})
    equal(server().ask("PUT", "/v1/problems/noj", noj).status, 201)
    result = judged("python3", "print(sum(map(int, input().split())) + 1)", problem=None, problemId="noj")
    equal((result["verdict"], result["summary"]["worst"]), ("WA", "WA"), result)
    crashed = judged("python3", "import os; os.abort()", problem=None, problemId="noj")
    equal(crashed["verdict"], judged("python3", "import os; os.abort()", problem=None, problemId="noj", policy="noj")["verdict"])


def peak_of_daemons():
    """MiB that the daemon of this server ever had"""
    own = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and children_of(int(pid)) == server().process.pid]
    peaks = [int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) for pid in own]
    return max(peaks) / 1024


def children_of(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return -1


@row("v1", full=True)
def packages_that_grow():
    """Small packages that would become large: the same file in ten thousand tests, chains of subtasks, long lists, one large file"""
    def toml(tests, more=""):
        return f"{more}tests = [{','.join(tests)}]\n"
    same = '{input="a",answer="a"}'
    file = "x" * 64_000
    answer = server().ask("PUT", "/v1/problems/grown", packed("", {"problem.toml": toml([same] * 9_000), "a": file}))
    equal((answer.status, answer.json["tests"]), (201, 9_000), answer)
    # Files that nobody needs, of which one has hundreds of megabytes.
    noise = packed("", {"problem.toml": toml([same]), "a": "1"} | {f"n/{i}": os.urandom(66_000) for i in range(300)} | {"large": b"\0" * (300 << 20)})
    equal(server().ask("PUT", "/v1/problems/noise", noise).status, 201)
    # What the unpacker wrote, 320 MiB in a file, is mapped for a while, and counts; no byte of it may be in memory besides.
    holds(sanitizer() or peak_of_daemons() < 450, f"{peak_of_daemons():.0f} MiB")
    chain = "".join(f'[[subtasks]]\nid = "{i}"\nscore = 1\ndependsOn = ["{i + 1}"]\n' for i in range(20_000))
    many = "".join(f'[[tests]]\npattern = "t/*.in"\n' for _ in range(400))
    for body, words in ((packed("", {"problem.toml": toml([same] * 40_000), "a": file}), "more than 10000 tests"),
                        (packed("", {"problem.toml": toml([same]) + chain, "a": "1"}), "more than 10000 subtasks"),
                        (packed("", {"problem.toml": many} | {f"t/{i}.{e}": "1" for i in range(500) for e in ("in", "ans")}), "more than 10000 tests"),
                        (packed("", {"problem.toml": many * 3, "t/1.in": "1", "t/1.ans": "1"}), "more than 1000 patterns")):
        answer = server().ask("PUT", "/v1/problems/broken", body)
        equal(answer.status, 400, (words, answer))
        holds(words in answer.json["error"]["message"], (words, answer))
    for name in ("grown", "noise"):
        equal(server().ask("DELETE", f"/v1/problems/{name}").status, 204)


@row("v1", full=True)
def packages_that_are_none():
    """Hostile and broken packages are refused in a sentence that names the place, and nothing is kept"""
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w") as archive:
        entry = tarfile.TarInfo("problem.toml")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/shadow"
        archive.addfile(entry)
    bomb = packed("", {"problem.toml": "", "zeros": b"\0" * (1 << 28)})
    test = '[[tests]]\ninput = "%s"\nanswer = "1.ans"\n'
    for body, words in ((b"PK\3\4 nonsense", "damaged"), (packed("", {"a": "b"}), "neither a problem.toml nor a meta.json"),
                        (packed("../", {"problem.toml": ""}), "plain relative path"), (link.getvalue(), "symbolic link"),
                        (bomb, "packed suspiciously well"), (packed("", {"problem.toml": "tests = 7"}), "problem.toml:1:"),
                        (packed("", {"problem.toml": test % "/etc/passwd"}), "/etc/passwd"),
                        (packed("", {"problem.toml": test % "../../../etc/passwd"}), "etc/passwd"),
                        (packed("", {"problem.toml": test % "1.in"}), "1.in"),
                        (packed("", {"problem.toml": 'checker = { source = "c.x", language = "klingon" }', "c.x": ""}), "klingon")):
        answer = server().ask("PUT", "/v1/problems/broken", body, {"Content-Type": "application/zip"})
        equal(answer.status, 400, (words, answer))
        holds(words in answer.json["error"]["message"], (words, answer))
        holds("root:" not in answer.json["error"]["message"], answer)
    equal(server().ask("GET", "/v1/problems/broken").status, 404)


@row("v1", full=True)
def an_archive_in_a_form():
    """A project as a zip in a form, made by its Makefile"""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Makefile", "a.out: main.cpp\n\tg++ -O1 -o a.out main.cpp\n")
        archive.writestr("main.cpp", SUM)
    request = json.dumps({"language": "cpp", "wait": True, "problem": problem(buildStrategy="makeNormal")})
    body = (b"--edge\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n" + request.encode() +
            b"\r\n--edge\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a.zip\"\r\n\r\n" + packed.getvalue() +
            b"\r\n--edge--\r\n")
    answer = server().ask("POST", "/v1/submissions", body, {"Content-Type": "multipart/form-data; boundary=edge"})
    equal((answer.status, answer.json["verdict"]), (200, "AC"), answer)


@row("v1", full=True)
def the_same_source_is_compiled_once():
    """F32: a resubmission is not compiled again"""
    source = SUM + "// " + os.urandom(8).hex()
    first, second = judged("cpp", source), judged("cpp", source)
    equal((first["compile"].get("cached", False), second["compile"].get("cached", False)), (False, True))
    equal((first["verdict"], second["verdict"]), ("AC", "AC"))


@row("v1", full=True)
def killing_a_task():
    """F24: dies at once while it runs, waits or compiles; others are unharmed"""
    slow = problem(1, limits={"cpuTimeMs": 60000, "wallTimeMs": 60000, "memoryMB": 128})
    equal(submit("python3", SPIN, submissionId="victim", wait=False, problem=slow).status, 202)
    until(lambda: server().counts()[0] > 0, "it runs")
    bystander = []
    other = threading.Thread(target=lambda: bystander.append(judged("cpp", SUM)))
    other.start()
    equal(server().ask("DELETE", "/v1/submissions/victim").status, 204)
    ended = until(lambda: (r := server().ask("GET", "/v1/submissions/victim").json)["status"] == "Failed" and r, "it is over")
    equal((ended["verdict"], ended["message"]), ("SKIPPED", "cancelled"))
    other.join()
    equal(bystander[0]["verdict"], "AC", bystander)
    bomb = "template<int N> struct T { T<N+1> a; T<N+2> b; };\nT<0> t;\nint main() {}\n"
    holds(judged("cpp", bomb)["verdict"] == "CE", "a bomb is a compile error")


def running():
    """The names of all processes of the server and below it"""
    names = []
    for pid in clients.family(server().process.pid):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/comm") as comm:
            names.append(comm.read().strip())
    return names


@row("v1", full=True)
def killing_in_every_phase():
    """F24: whatever it is at, compiling, running or being checked, it is over at once; nothing is left, and others are unharmed"""
    # Loops within loops: each is short enough for the compiler, which then does tens of millions of steps.
    counts = ("constexpr long g(long n) { long s = 0; for (long i = 0; i < 200000; ++i) s += i % n; return s; }\n"
              "constexpr long f(long n) { long s = 0; for (long i = 0; i < 200000; ++i) s += g(n + i); return s; }\n")
    long_to_compile = counts + "".join(f"static_assert(f({n}) != 1);\n" for n in range(2, 30)) + "int main() {}\n"
    plain = "#include <stdio.h>\nint main(void) { long a, b; scanf(\"%ld%ld\", &a, &b); printf(\"%ld\\n\", a + b); }\n"
    slow = problem(1, limits={"cpuTimeMs": 60000, "wallTimeMs": 60000, "memoryMB": 128})
    checked = problem(1, checker={"language": "python3", "source": SPIN, "protocol": "exitcode"})
    bystanders = {"python3": ("cpp", SUM), "cc1plus": ("python3", "print(sum(map(int, input().split())))")}
    for phase, language, source, what, sign in (("compiling", "cpp", long_to_compile, problem(1), "cc1plus"),
                                                ("runs", "python3", SPIN, slow, "python3"),
                                                ("is_checked", "c", plain, checked, "python3")):
        equal(submit(language, source, submissionId=phase, wait=False, problem=what).status, 202)
        until(lambda: sign in running(), f"it {phase}")
        others = []
        other = threading.Thread(target=lambda: others.append(judged(*bystanders[sign])))
        other.start()
        equal(server().ask("DELETE", f"/v1/submissions/{phase}").status, 204)
        ended = until(lambda: (r := server().ask("GET", f"/v1/submissions/{phase}").json)["status"] == "Failed" and r, phase)
        equal((ended["verdict"], ended["message"]), ("SKIPPED", "cancelled"), phase)
        until(lambda: sign not in running(), f"nothing is left of what {phase}")
        other.join()
        equal(others[0]["verdict"], "AC", others)


TEACHER = """n = open("testcase.in").read().split()[0]
print(n, flush=True)
said = input().split()
open("Check_Result", "w").write("STATUS: %s\\nMESSAGE: %s\\n" % ("AC" if said[0] == n else "WA", " ".join(said)))
"""


@row("v1", full=True)
def a_teacher_of_normal_oj():
    """`"protocol":"noj"`: the word is the teacher's Check_Result, and the student is Normal-OJ's, who may write nothing"""
    talk = problem(1, type="interactive", interactor={"language": "python3", "source": TEACHER, "protocol": "noj"})
    right = judged("python3", "import os\nprint(input(), os.getuid(), os.getgid(), flush=True)", problem=talk, policy="noj")
    equal((right["verdict"], right["tests"][0]["message"]), ("AC", "0 1451 1450"), right)
    wrong = judged("python3", "print(int(input()) + 1)", problem=talk, policy="noj")
    equal((wrong["verdict"], wrong["tests"][0]["message"]), ("WA", "1"), wrong)
    writes = judged("python3", "n = input()\nopen('left', 'w').write('x')\nprint(n)", problem=talk, policy="noj")
    equal(writes["verdict"], "RE", writes)
    answer = submit("python3", "print(1)", problem=talk | {"interactor": {"language": "python3", "source": TEACHER, "protocol": "nosuch"}})
    equal(answer.status, 400, answer)
    holds("testlib, icpc and noj" in answer.json["error"]["message"], answer)


@row("v1", full=True)
def a_client_that_goes():
    """A submission without a name ends with the connection that waits for it"""
    slow = problem(1, limits={"cpuTimeMs": 60000, "wallTimeMs": 60000, "memoryMB": 128})
    body = json.dumps({"language": "python3", "source": SPIN, "wait": True, "problem": slow}).encode()
    with socket.create_connection(("127.0.0.1", server().http)) as line:
        line.sendall(b"POST /v1/submissions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        until(lambda: server().counts()[0] > 0, "it runs")
    until(lambda: server().counts() == (0, 0), "it is over")


@row("v1", full=True)
def events_on_both_doors():
    """Server-sent events and a WebSocket tell the same, in the same order, and end with the result"""
    judged("cpp", SUM, submissionId="told")
    answer = server().ask("GET", "/v1/submissions/told/events")
    equal(answer.headers["Content-Type"], "text/event-stream")
    told = [json.loads(line[6:]) for line in answer.body.decode().splitlines() if line.startswith("data: ")]
    equal([each["event"] for each in told], ["queued", "begun", "compiled", "test", "test", "result"])
    equal(told[-1]["result"]["verdict"], "AC")
    with WebSocket(server().http, "/v1/submissions/told/events") as feed:
        equal([json.loads(feed.receive()) for _ in told], told)


@row("v1", full=True)
def a_dialogue_is_watched_while_it_is_spoken():
    """Every remark is an event with side, time and bytes, before anybody has ended"""
    talk = problem(1, type="interactive", limits={"cpuTimeMs": 60000, "wallTimeMs": 60000},
                   interactor={"language": "python3", "source": INTERACTOR + "sys.stdin.read()", "protocol": "testlib"})
    spins = "n = int(input())\nprint(n + 1, flush=True)\nwhile True: pass"
    equal(submit("python3", spins, problem=talk, dialogue=True, wait=False, submissionId="live").status, 202)
    with WebSocket(server().http, "/v1/submissions/live/events") as feed:
        told = [json.loads(feed.receive()) for _ in range(4)]
        equal([each["event"] for each in told], ["queued", "begun", "said", "said"])
        equal([(each["said"]["testId"], each["said"]["from"], each["said"]["text"]) for each in told[2:]],
              [("1", "interactor", "0\n"), ("1", "solution", "1\n")])
        holds(told[2]["said"]["atUs"] <= told[3]["said"]["atUs"], told)
        equal(server().ask("GET", "/v1/submissions/live").json["status"], "Running")
        equal(server().ask("DELETE", "/v1/submissions/live").status, 204)
        equal(json.loads(feed.receive())["event"], "test")
        equal(json.loads(feed.receive())["event"], "result")
    judged("python3", spins, problem=talk | {"limits": {"cpuTimeMs": 1000}}, dialogue=True, submissionId="again")
    again = server().ask("GET", "/v1/submissions/again/events").body.decode()
    told = [json.loads(line[6:]) for line in again.splitlines() if line.startswith("data: ")]
    equal([each["event"] for each in told], ["queued", "begun", "said", "said", "test", "result"], "it is told again to who comes later")
    equal([each["said"]["text"] for each in told[2:4]], ["0\n", "1\n"])
    listens = problem(3, type="interactive", interactor={"language": "python3", "source": "import sys\nsys.stdin.read()", "protocol": "testlib"})
    chatty = judged("python3", "for i in range(800): print(i, 'x' * 60, flush=True)", problem=listens, dialogue=True, submissionId="chatty")
    again = server().ask("GET", "/v1/submissions/chatty/events").body.decode()
    holds(len(again) > 64 * 1024, "more than is sent at a time")
    told = [json.loads(line[6:]) for line in again.splitlines() if line.startswith("data: ")]
    for test in chatty["tests"]:
        equal([each["said"]["text"] for each in told if each["event"] == "said" and each["said"]["testId"] == test["testId"]],
              [each["text"] for each in test["interaction"]["dialogue"]["events"]])
    equal(told[-1]["event"], "result")
    judged("python3", spins, problem=talk | {"limits": {"cpuTimeMs": 100}}, submissionId="mute")
    mute = server().ask("GET", "/v1/submissions/mute/events").body.decode()
    holds("event: said" not in mute and "event: result" in mute, mute)


@row("v1", full=True)
def policies_read_the_same_facts():
    """One program that exits with 3 is RE here, RTE at rbx"""
    for policy, letters in (("assay", "RE"), ("noj", "RE"), ("fuzoj", "RE"), ("rbx", "RTE")):
        equal(judged("python3", "raise SystemExit(3)", policy=policy, stop="none",
                     problem=problem(1, tests=[{"input": "", "answer": "", "score": 100}]))["verdict"], letters, policy)


@row("v1", full=True)
def bad_input():
    """Every mistake is a 400 with the place and the reason, and nothing is run"""
    cases = [
        ({"language": "klingon"}, "klingon"),
        ({"policy": "none"}, "policy"),
        ({"extraFlags": ["-fplugin=/tmp/x.so"]}, "-fplugin"),
        ({"extraFlags": ["@/etc/passwd"]}, "@/etc/passwd"),
        ({"source": {"path": "/etc/shadow"}}, r"\$\.source: .*-src-prefix"),
        ({"source": {"fileId": "NOSUCHFILE"}}, r"\$\.source: no file"),
        ({"problem": problem(0)}, r"\$\.problem: "),
        ({"problem": problem(tests=[{"testId": "a", "input": "", "answer": ""}] * 2)}, r"\$\.problem: .*'?a'?"),
        ({"problem": problem(subtasks=[{"id": "a", "dependsOn": ["b"]}, {"id": "b", "dependsOn": ["a"]}])}, r"\$\.problem: "),
        ({"problem": problem(tests=[{"input": "", "answer": "", "score": 1e308}])}, r"\$\.problem\.tests\[0\]\.score"),
        ({"problem": problem(limits={"cpuTimeMs": 10**30})}, r"\$\.problem\.limits\.cpuTimeMs"),
        ({"sources": [{"name": "../x.cpp", "content": ""}], "source": None}, r"\.\."),
        ({"sources": [{"name": "a\nb.cpp", "content": ""}, {"name": "c.cpp", "content": ""}], "source": None}, "."),
        ({"submissionId": "a/b"}, "submissionId"),
        ({"webhook": "http://127.0.0.1/"}, r"\$\.webhook"),
    ]
    before = server().counts()
    for change, wanted in cases:
        answer = submit(**{"language": "cpp", "source": SUM} | change)
        equal(answer.status, 400, (change, answer))
        matches(wanted, answer.json["error"]["message"])
    equal(server().counts(), before)


def named(document, name):
    return document["components"]["schemas"][name]


def fits(document, schema, value, place="$"):
    """As much of JSON Schema as the document uses for answers."""
    if "$ref" in schema:
        return fits(document, named(document, schema["$ref"].split("/")[-1]), value, place)
    if "oneOf" in schema:
        wrong = []
        for each in schema["oneOf"]:
            try:
                return fits(document, each, value, place)
            except AssertionError as error:
                wrong.append(str(error))
        raise AssertionError(f"{place}: none of {wrong}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    python = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    holds(not kinds or any(isinstance(value, python[each]) for each in kinds), f"{place}: {value!r} is no {kinds}")
    holds("enum" not in schema or value in schema["enum"], f"{place}: {value!r} is none of {schema.get('enum')}")
    if isinstance(value, dict):
        holds(set(schema.get("required", [])) <= set(value), f"{place}: lacks {set(schema.get('required', [])) - set(value)}")
        for key, each in value.items():
            holds(schema.get("additionalProperties") is not False or key in schema["properties"], f"{place}.{key} is not described")
            if key in schema.get("properties", {}):
                fits(document, schema["properties"][key], each, f"{place}.{key}")
    if isinstance(value, list) and "items" in schema:
        for each in value:
            fits(document, schema["items"], each, f"{place}[]")


@row("v1", full=True)
def the_description_is_true():
    """/openapi.json: what it says of answers holds for real ones, and every field of a request that it names is known"""
    document = server().ask("GET", "/openapi.json").json
    for result in (judged("cpp", SUM, facts=True), judged("cpp", "int"), judged("python3", "print(0", lint=True),
                   judged("python3", SPIN, problem=problem(1, limits={"cpuTimeMs": 100}), softTimeLimit=2, submissionId="described")):
        fits(document, named(document, "JudgeResult"), result)
    for line in server().ask("GET", "/v1/submissions/described/events").body.decode().splitlines():
        if line.startswith("data: "):
            fits(document, named(document, "JudgingEvent"), json.loads(line[6:]))
    for language in server().ask("GET", "/v1/languages").json:
        fits(document, named(document, "Language"), language)
    equal(server().ask("PUT", "/v1/problems/described", json.dumps(problem())).status, 201)
    fits(document, {"type": "array", "items": named(document, "ProblemInfo")}, server().ask("GET", "/v1/problems").json)
    fits(document, named(document, "Failure"), server().ask("GET", "/v1/submissions/none").json)
    for name, around in (("Submission", "%s"), ("Problem", '{"problem":%s}'), ("Test", '{"problem":{"tests":[%s]}}'),
                         ("Subtask", '{"problem":{"subtasks":[%s]}}'), ("Limits", '{"limits":%s}'), ("Repeats", '{"repeats":%s}'),
                         ("Grader", '{"problem":{"graders":[%s]}}'), ("Scorer", '{"problem":{"scorer":%s}}'),
                         ("SourceFile", '{"sources":[%s]}')):
        for field in named(document, name)["properties"]:
            answer = server().ask("POST", "/v1/submissions", around % ('{"%s":[[[]]]}' % field))
            equal(answer.status, 400, answer)
            holds("unknown field" not in answer.json["error"]["message"], (name, answer))
        answer = server().ask("POST", "/v1/submissions", around % '{"nonsense":1}')
        holds("unknown field" in answer.json["error"]["message"], (name, answer))


@row("v1", full=True)
def secrets_stay_secret():
    """`#include "/etc/shadow"`, `/dev/zero` and a log of a gigabyte: a compile error in bounded time, and no word of the file"""
    result = judged("cpp", '#include "/etc/shadow"\nint main() {}')
    equal(result["verdict"], "CE")
    holds("root:" not in json.dumps(result), "a secret was told")
    equal(judged("c", '#include "/dev/zero"\nint main(void) { return 0; }')["verdict"], "CE")
    # Each file includes itself twice: 2^15 warnings with all that led to them.
    loud = "#if __INCLUDE_LEVEL__ < 15\n#warning " + "loud " * 40 + "\n#include __FILE__\n#include __FILE__\n#else\nint x = y;\n#endif\n"
    result = judged("cpp", loud)
    equal(result["verdict"], "CE")
    log = result["compile"]["log"]
    holds("#warning" in log and len(log) < 80 * 1024, len(log))
    whole = re.search(r"\.\.\. (\d+) of (\d+) bytes left out \.\.\.", log)
    holds(whole and int(whole[2]) > 1 << 20, log[:200])


HUNT = """import os, re, sys
tops = [name for name in os.listdir("/") if not re.match("usr|proc|s?bin|lib", name)]
places = [os.path.join(at, name) for top in tops for at, _, names in os.walk("/" + top) for name in names]
for pid in ["self", *filter(str.isdigit, os.listdir("/proc"))]:
    places += [f"/proc/{pid}/{name}" for name in ("environ", "cmdline", "mountinfo", "fd/0", "fd/3", "fd/4")]
for place in filter(os.path.isfile, places):
    try:
        text = os.fsencode(place) + open(place, "rb").read(1 << 20)
    except OSError:
        continue
    for word in re.findall(rb"canary[0-9a-f]{16}", text):
        print("found", word.decode(), file=sys.stderr)
print("looked", file=sys.stderr)
"""


def below(directory):
    return b"".join(path.read_bytes() for path in pathlib.Path(directory).rglob("*") if path.is_file())


@row("v1", full=True)
def a_canary_is_in_no_answer():
    """Whoever looks for secrets, as solution, checker, interactor or while it is compiled, finds what it was given: neither the
    result, its events, nor the store and the cache have a word of the host's"""
    words = {name: f"canary{os.urandom(8).hex()}" for name in ("host", "environment", "answer", "input", "other")}
    given = [{"input": words["input"], "answer": words["answer"]}]
    hunter = {"language": "python3", "source": HUNT, "protocol": "testlib"}
    with tempfile.NamedTemporaryFile("w+") as canary, own(
            "-parallelism=4", "-dir={directory}/store", "-compile-cache={directory}/cache", environment={"CANARY": words["environment"]}) as judge:
        canary.write(words["host"])
        canary.flush()
        os.chmod(canary.name, 0o644)
        before = os.stat(canary.name)
        reads = f'#if __has_include("{canary.name}")\n#include "{canary.name}"\n#endif\n'
        tries = (("python3", HUNT, {}, {"input"}), ("python3", "print(1)", {"checker": hunter}, {"input", "answer"}),
                 ("python3", HUNT, {"type": "interactive", "interactor": hunter}, {"input", "answer"}),
                 ("c", reads + "int main(void) { return 0; }", {}, set()), ("c", f"#include \"{canary.name}\"\n", {}, set()))
        other = {"language": "python3", "source": f"# {words['other']}\n{SPIN}", "submissionId": "other",
                 "problem": problem(1, limits={"cpuTimeMs": 60000, "wallTimeMs": 60000})}
        equal(judge.ask("POST", "/v1/submissions", json.dumps(other)).status, 202)
        for number, (language, source, more, wanted) in enumerate(tries):
            body = {"language": language, "source": source, "wait": True, "dialogue": True, "facts": True,
                    "submissionId": str(number), "problem": problem(tests=given, limits={"cpuTimeMs": 10000}, **more)}
            answer = judge.ask("POST", "/v1/submissions", json.dumps(body))
            equal(answer.status, 200, answer)
            told = answer.body + judge.ask("GET", f"/v1/submissions/{number}/events").body
            found = {name for name, word in words.items() if b"found " + word.encode() in told}
            equal(found, wanted, told)
            holds(not any(words[name].encode() in told for name in ("host", "environment", "other")), told)
        equal(judge.ask("DELETE", "/v1/submissions/other").status, 204)
        kept = below(judge.directory)
        equal([name for name in ("host", "environment") if words[name].encode() in kept], [])
        canary.seek(0)
        equal((canary.read(), os.stat(canary.name).st_mtime_ns), (words["host"], before.st_mtime_ns))


@row("v1", full=True)
def strange_output():
    """NUL, broken UTF-8 and escape codes of a program are data, and its JSON is whole"""
    result = judged("python3", "import sys\nsys.stdout.buffer.write(b'a\\x00\\xff\\x1b[2J\\n' * 1000)", facts=True)
    equal(result["verdict"], "WA")
    holds("\x00" in result["tests"][0]["stdout"] and "\ufffd" in result["tests"][0]["stdout"], result["tests"][0]["stdout"][:20])
    equal(result["tests"][0]["facts"]["end"], "exited")


if __name__ == "__main__":
    main()
