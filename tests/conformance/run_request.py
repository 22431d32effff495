#!/usr/bin/env python3
"""§1.1: the request, and every field of a command."""
import json, os, resource, tempfile

from suite import *

BURN = "while :; do :; done"
SPIN = "import time\nwhile time.process_time() < {}: pass"


def says(result, text, status="Accepted"):
    equal((result["status"], result.get("files", {}).get("stdout")), (status, text), result)


def internal_error(result, words):
    equal((result["status"], result["exitStatus"]), ("Internal Error", 0), result)
    matches(words, result["error"])


# The request.

@row("1.1")
def request_id_is_optional_on_run():
    """requestId?: only meaningful on /ws (and then mandatory)"""
    equal(server().post({"cmd": [command("/bin/true")], "requestId": None}).status, 200)


@row("1.1")
def cmd_is_required():
    """cmd: required, ≥1 (REST 400 "no cmd provided"; /ws accepts [] and answers results:[])"""
    for body in ({}, {"cmd": []}, {"cmd": None}):
        answer = server().post(body)
        equal((answer.status, answer.json), (400, "no cmd provided"))


@row("1.1")
def pipe_mapping_of_one_command_is_dropped():
    """pipeMapping?: only honoured when cmd.length ≥ 2 – with one cmd it is silently dropped and null fds then give
    Internal Error"""
    result = server().run(command("/bin/true"), pipeMapping=[
        {"in": {"index": 7, "fd": 1}, "out": {"index": 9, "fd": 0}}])[0]
    equal(result["status"], "Accepted", result)
    result = server().run(command("/bin/true", files=[None, None]), pipeMapping=[
        {"in": {"index": 0, "fd": 1}, "out": {"index": 0, "fd": 0}}])[0]
    equal(result["status"], "Internal Error", result)


@row("1.1")
def integers_are_integers():
    """all integers are JSON integers parsed to Go uint64: floats `1.5` and negatives → 400; `1e9` is rejected too"""
    for field in ("cpuLimit", "clockLimit", "realCpuLimit", "memoryLimit", "stackLimit", "procLimit", "cpuRateLimit",
                  "copyOutMax"):
        for value in ("1.5", "-1", "1e9", '"5"', "true", "99999999999999999999"):
            answer = server().post('{"cmd":[{"args":["/bin/true"],"%s":%s}]}' % (field, value))
            equal(answer.status, 400, (field, value, answer))
            matches(rf"cmd\[0\]\.{field}: ", answer.json)
    answer = server().post('{"cmd":[{"args":["/bin/true"],"cpuLimit":18446744073709551615}]}')
    equal(answer.json[0]["status"], "Accepted", answer)


@row("1.1")
def null_means_omitted():
    """JSON `null` = omitted"""
    names = ("env", "tty", "realCpuLimit", "clockLimit", "stackLimit", "cpuRateLimit", "cpuSetLimit", "strictMemoryLimit",
             "dataSegmentLimit", "addressSpaceLimit", "copyIn", "copyOut", "copyOutCached", "copyOutMax",
             "copyOutTruncate", "copyOutDir")
    result = server().run(command("/bin/true") | dict.fromkeys(names))[0]
    equal(result["status"], "Accepted", result)


@row("1.1")
def what_follows_the_object_is_ignored():
    """trailing garbage after the object is ignored"""
    for rest in ("}", " more", "\n[", "\0"):
        answer = server().post(json.dumps({"cmd": [command("/bin/true")]}) + rest)
        equal(answer.status, 200, (rest, answer))


# args, env, files, tty

@row("1.1 args")
def args_with_a_slash_is_used_as_it_is():
    """args: argv. `args[0]`: if it contains a `/` it is used as is"""
    says(server().one("/bin/sh", "-c", 'echo "$0|$1|$#"', "a b", ""), "a b||1\n")
    says(server().one("sub/tool", copyIn={"sub/tool": {"content": "#!/bin/sh\necho mine"}}), "mine\n")


@row("1.1 args")
def args_without_a_slash_is_searched_in_the_work_dir_then_in_path():
    """otherwise first `./args[0]` in the work dir if executable, then each dir of the request's PATH (last `PATH=` entry
    wins; `/.env` defaults first)"""
    mine = {"echo": {"content": "#!/bin/sh\necho mine"}}
    says(server().one("echo", copyIn=mine), "mine\n")
    says(server().one("echo", "theirs"), "theirs\n")
    says(server().one("echo", "x", env=["PATH=/nowhere", "PATH=/usr/bin:/bin"]), "x\n")
    other = {"one/tool": {"content": "#!/bin/sh\necho one"}, "two/tool": {"content": "#!/bin/sh\necho two"}}
    says(server().one("tool", env=["PATH=/w/none:/w/two:/w/one"], copyIn=other), "two\n")


@row("1.1 args")
def args_without_path_is_an_internal_error():
    """No PATH → Internal Error `execve: handle: cat: no PATH environment variable provided for look up`"""
    internal_error(server().one("cat", env=[]),
                   "^execve: handle: cat: no PATH environment variable provided for look up$")


@row("1.1 args")
def args_not_found_is_an_internal_error():
    """Not found → Internal Error `execve: handle: X: executable file not found in $PATH`; bad absolute path → Internal
    Error `start: /bin/x: execve: no such file or directory`"""
    internal_error(server().one("nowhere"), r"^execve: handle: nowhere: executable file not found in \$PATH$")
    internal_error(server().one("/bin/nowhere"), r"^start: /bin/nowhere: execve: no such file or directory$")
    internal_error(server().one("/w/plain", copyIn={"plain": {"content": "no program"}}), "^start: /w/plain: execve: ")


@row("1.1 args")
def empty_args_is_an_internal_error():
    """Empty args crashes the container init → Internal Error (here: with a reason, and nothing crashes)"""
    for args in ([], [""], None):
        internal_error(server().one(args=args), "args")
    says(server().one("echo", "alive"), "alive\n")


@row("1.1 args")
def args_may_be_large():
    """§1.3: argv+env of one exec must gob-encode into 32 KiB (better here: 1 MiB works)"""
    says(server().one("/bin/sh", "-c", "echo $#", *(["x" * 99] * 3000), env=["PATH=/bin", "A=" + "y" * 100_000]), "2999\n")


@row("1.1 env")
def env_is_all_the_environment():
    """env: Nothing is inherited from the server"""
    says(server().one("/usr/bin/env", env=["A=1", "B=x y", "C="]), "A=1\nB=x y\nC=\n")
    says(server().one("/usr/bin/env", env=[]), "")


@row("1.1 env")
def env_comes_after_the_lines_of_dot_env():
    """env: appended after lines of container `/.env`"""
    mounts = ("mount:\n- {type: bind, source: /usr, target: /usr, readonly: true}\n"
              "- {type: bind, source: /lib, target: /lib, readonly: true}\n"
              "- {type: bind, source: /lib64, target: /lib64, readonly: true}\n"
              "- {type: bind, source: dotenv, target: /.env, readonly: true}\n"
              "- {type: tmpfs, target: /w, data: 'size=8m,nr_inodes=1k'}\nproc: true\nworkDir: /w\n")
    with own(files={"mount.yaml": mounts, "dotenv": "# a comment\nPATH=/usr/bin\nMODE=server\n"}) as one:
        says(one.one("env", env=["MINE=1", "MODE=mine"]), "PATH=/usr/bin\nMODE=server\nMINE=1\nMODE=mine\n")


@row("1.1 files")
def files_are_the_descriptors():
    """files: fd i of the process = files[i]; any number of fds"""
    files = [{"content": "in"}, {"name": "stdout", "max": 1000}, {"name": "e", "max": 1000}, {"content": "three"},
             {"name": "four", "max": 1000}, *({"content": str(i)} for i in range(5, 40))]
    result = server().python("import os\nos.write(4, os.read(3, 99)); print(os.read(0, 99), os.read(39, 99))", files=files)
    says(result, "b'in' b'39'\n")
    equal(result["files"]["four"], "three")


@row("1.1 files")
def files_null_without_a_pipe_is_an_error():
    """`null` must be filled by pipeMapping, else Internal Error (`bad file descriptor` single / HTTP 500 `null file for
    index/fd: i/j` in a group)"""
    result = server().one("/bin/true", files=[{"content": ""}, None])
    equal(result["status"], "Internal Error", result)
    matches("bad file descriptor|null file", result["error"])
    answer = server().post({"cmd": [command("/bin/true"), command("/bin/true", files=[{"content": ""}, None])]})
    equal((answer.status, answer.json), (500, "null file for index/fd: 1/1"))


@row("1.1 files")
def files_omitted_means_no_descriptors():
    """Omitted files → process starts with no fds at all (echo exits 1)"""
    for files in ([], None):
        result = server().one("/bin/echo", "x", files=files)
        equal((result["status"], result["exitStatus"]), ("Nonzero Exit Status", 1), result)


@row("1.1 tty", full=True)
def tty_is_one_terminal_for_all():
    """tty: one pty is created; every stream/collector/content entry becomes the tty slave; first collector gets all
    output (stdout+stderr merged under the first collector's name); fd 0 becomes controlling tty; needs `TERM` in env"""
    script = ("import os, sys\nprint([os.isatty(i) for i in range(3)], os.environ['TERM'])\nsys.stdout.flush()\n"
              "print('error', file=sys.stderr)\nopen('/dev/tty', 'w').write('direct') if os.path.exists('/dev/tty') else 0\n"
              "print(os.tcgetpgrp(0) == os.getpgrp())")
    result = server().python(script, tty=True, env=["TERM=xterm", "PATH=/usr/bin:/bin"])
    equal(result["status"], "Accepted", result)
    equal(list(result["files"]), ["stdout"], result)
    equal(result["files"]["stdout"].replace("\r\n", "\n").replace("direct", ""),
          "[True, True, True] xterm\nerror\nTrue\n")


@row("1.1 tty", full=True)
def tty_content_is_typed():
    """tty: every content entry becomes the tty slave (its text is typed at the terminal, which echoes it; no end of file
    follows)"""
    files = [{"content": "line\n"}, {"name": "stdout", "max": 1000}, {"name": "stderr", "max": 1000}]
    result = server().sh("read a; echo got $a", tty=True, files=files)
    equal((result["status"], result["files"]), ("Accepted", {"stdout": "line\r\ngot line\r\n"}), result)
    files[0]["content"] = "nobody reads this\n" * 20_000
    result = server().sh("true", tty=True, files=files[:1], clockLimit=30 * S)
    equal(result["status"], "Accepted", result)


@row("1.1 tty", full=True)
def tty_has_no_name_inside():
    """`tty` inside prints "not a tty" because /dev/pts is not mounted"""
    result = server().one("/usr/bin/tty", tty=True)
    equal((result["exitStatus"], result["files"]["stdout"]), (1, "not a tty\r\n"), result)


# Limits.

@row("1.1 cpuLimit", full=True)
def cpu_limit_omitted_is_the_servers_default():
    """cpuLimit 0 → every run is TLE (§12: better, the server's default; as it was with -strict-defaults)"""
    says(server().one("/bin/echo", "x", cpuLimit=None, clockLimit=None), "x\n")
    says(server().one("/bin/echo", "x", cpuLimit=0), "x\n")
    result = server("-strict-defaults").one("/bin/echo", "x", cpuLimit=0)
    equal(result["status"], "Time Limit Exceeded", result)


@row("1.1 cpuLimit", full=True)
def cpu_limit_stops_what_burns():
    """cpuLimit ns: polled every `-time-limit-checker-interval` (better here: at the limit)"""
    result = server().sh(BURN, cpuLimit=200 * MS)
    equal(result["status"], "Time Limit Exceeded", result)
    holds(200 * MS < result["time"] < 300 * MS, result)
    result = server().python(SPIN.format(0.1), cpuLimit=2 * S)
    equal(result["status"], "Accepted", result)
    holds(100 * MS <= result["time"] < 600 * MS, result)


@row("1.1 cpuLimit")
def cpu_limit_is_also_a_resource_limit():
    """also RLIMIT_CPU soft=hard=`floor(cpuLimit/1s)+1` s (§12: better, never before the limit is seen: the kernel's is
    a few seconds above)"""
    for limit, seconds in ((1500 * MS, 2), (2 * S, 3), (300 * MS, 1)):
        soft, hard = server().sh("ulimit -St; ulimit -Ht", cpuLimit=limit)["files"]["stdout"].split()
        holds(seconds <= int(soft) <= int(hard) <= seconds + 3, (limit, soft, hard))


@row("12", full=True)
def cpu_limit_of_whole_seconds_is_told_as_one():
    """correct TLE near whole seconds"""
    result = server().sh(BURN, cpuLimit=1 * S)
    equal((result["status"], result["exitStatus"]), ("Time Limit Exceeded", 9), result)
    holds(1 * S < result["time"] < 1100 * MS, result)


@row("1.1 realCpuLimit", full=True)
def real_cpu_limit_overrides_clock_limit():
    """realCpuLimit: deprecated alias; when >0 it overrides clockLimit"""
    result = server().sh("sleep 5", realCpuLimit=100 * MS, clockLimit=9 * S)
    equal(result["status"], "Time Limit Exceeded", result)
    holds(result["runTime"] < S, result)
    says(server().sh("sleep 0.1; echo x", realCpuLimit=0, clockLimit=9 * S), "x\n")


@row("1.1 clockLimit")
def clock_limit_stops_what_waits():
    """clockLimit: wall-clock limit. May be < cpuLimit"""
    result = server().sh("sleep 5", clockLimit=150 * MS)
    equal(result["status"], "Time Limit Exceeded", result)
    holds(150 * MS <= result["runTime"] < S and result["time"] < 100 * MS, result)


@row("1.1 clockLimit")
def clock_limit_omitted_is_the_cpu_limit():
    """clockLimit 0 → uses cpuLimit as wall limit"""
    for clock in (0, None):
        result = server().sh("sleep 5", cpuLimit=150 * MS, clockLimit=clock)
        equal(result["status"], "Time Limit Exceeded", result)
        holds(150 * MS <= result["runTime"] < S, result)


@row("1.1 memoryLimit", full=True)
def memory_limit_omitted_is_the_servers_default():
    """memoryLimit 0 → MLE always (§12: better, the server's default; as it was with -strict-defaults)"""
    says(server().one("/bin/echo", "x", memoryLimit=None), "x\n")
    result = server("-strict-defaults").one("/bin/echo", "x", memoryLimit=0)
    equal(result["status"], "Memory Limit Exceeded", result)


@row("1.1 memoryLimit", full=True)
def memory_limit_is_kept():
    """memoryLimit: cgroup limit = memoryLimit + extra-memory-limit(16 KiB); verdict MLE iff reported memory >
    memoryLimit"""
    result = server().python("x = b'x' * (200 << 20)", memoryLimit=64 * MiB)
    equal(result["status"], "Memory Limit Exceeded", result)
    holds(64 * MiB < result["memory"] <= 64 * MiB + 64 * KiB, result)
    result = server().python("x = b'x' * (40 << 20)", memoryLimit=64 * MiB)
    equal(result["status"], "Accepted", result)
    holds(40 * MiB < result["memory"] <= 64 * MiB, result)


@row("1.1 stackLimit", full=True)
def stack_limit_is_soft_and_hard_and_clamped():
    """stackLimit: RLIMIT_STACK soft=hard, clamped to memoryLimit+16 KiB (512 MiB with 64 MiB memory → ulimit -s 65552)"""
    show = "ulimit -Ss; ulimit -Hs"
    says(server().sh(show, stackLimit=32 * MiB), "32768\n32768\n")
    says(server().sh(show, stackLimit=512 * MiB, memoryLimit=64 * MiB), "65552\n65552\n")


@row("1.1 stackLimit")
def stack_limit_omitted_is_the_usual_stack():
    """stackLimit 0 → RLIMIT_STACK untouched (inherits server's)"""
    says(server().sh("ulimit -Ss", stackLimit=None), "8192\n")


@row("1.1 stackLimit", full=True)
def stack_limit_omitted_may_be_raised():
    """stackLimit 0 → RLIMIT_STACK untouched (inherits server's): a program may raise it as far as it has memory"""
    says(server().sh("ulimit -Ss 100000 && ulimit -Ss", stackLimit=None, memoryLimit=256 * MiB), "100000\n")


@row("1.1 stackLimit", full=True)
def a_server_with_an_unlimited_stack_passes_it_on():
    """stackLimit 0 → RLIMIT_STACK untouched (inherits server's); Hydro starts its sandbox with `ulimit -s unlimited`"""
    before = resource.getrlimit(resource.RLIMIT_STACK)
    if before[1] != resource.RLIM_INFINITY:
        raise Skipped("this machine has a hard limit on stacks")
    if sanitizer() == "thread":
        raise Skipped("the thread sanitizer starts a program with an unlimited stack again, with a limit")
    resource.setrlimit(resource.RLIMIT_STACK, (before[1], before[1]))
    try:
        generous = own()
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)
    with generous as started:
        kib = int(started.sh("ulimit -Ss", stackLimit=None, memoryLimit=256 * MiB)["files"]["stdout"])
        holds(256 * 1024 <= kib < 272 * 1024, kib)


@row("1.1 procLimit", full=True)
def proc_limit_omitted_is_the_servers_default():
    """procLimit 0 → pids.max = 0: the program itself starts but every fork/thread fails EAGAIN (§12: better, the server's
    default; as it was with -strict-defaults)"""
    says(server().sh("/bin/echo x | cat", procLimit=None), "x\n")
    fork = "import os\ntry: os.fork() or os._exit(0)\nexcept BlockingIOError: print('EAGAIN')"
    says(server("-strict-defaults").python(fork, procLimit=0), "EAGAIN\n")


@row("1.1 procLimit", full=True)
def proc_limit_counts_threads():
    """procLimit: pids.max (threads count). `1` = no fork/threads"""
    thread = ("import threading\nready = threading.Event()\ncount = 1\ntry:\n  for i in range(20):\n"
              "    threading.Thread(target=ready.wait).start(); count += 1\nexcept RuntimeError: pass\n"
              "ready.set(); print(count)")
    says(server().python(thread, procLimit=1), "1\n")
    says(server().python(thread, procLimit=5), "5\n")


@row("1.1 cpuRateLimit", full=True)
def cpu_rate_limit_needs_its_flag():
    """cpuRateLimit 1000 = 1 CPU: only when server has `-enable-cpu-rate`; silently ignored otherwise;
    quota=period*rate/1000"""
    script = SPIN.format(0.3)
    result = server("-enable-cpu-rate").python(script, cpuRateLimit=250)
    holds(result["status"] == "Accepted" and result["runTime"] > 2 * result["time"], result)
    result = server().python(script, cpuRateLimit=10)  # would be 100 times slower; no load of this machine is
    holds(result["status"] == "Accepted" and result["runTime"] < 50 * result["time"], result)


@row("1.1 cpuSetLimit", full=True)
def cpu_set_limit_pins():
    """cpuSetLimit: cpulist string → cpuset.cpus; `""` → worker's cpuset from `-cpuset`"""
    show = "grep Cpus_allowed_list /proc/self/status | cut -f2"
    says(server().sh(show, cpuSetLimit="0"), "0\n")
    if os.cpu_count() > 1:
        says(server().sh(show, cpuSetLimit="1"), "1\n")
        says(server("-cpuset", "1").sh(show, cpuSetLimit=""), "1\n")


@row("1.1 cpuSetLimit", full=True)
def cpu_set_limit_invalid_is_an_internal_error():
    """invalid → Internal Error with the cgroup path leaked in the text (here: no path)"""
    for wrong in ("x", "0-", "5000", "1-0"):
        result = server().one("/bin/true", cpuSetLimit=wrong)
        equal(result["status"], "Internal Error", (wrong, result))
        holds("/sys/fs" not in result["error"] and result["error"], result)


@row("1.1 dataSegmentLimit", full=True)
def data_segment_limit_and_its_old_name():
    """dataSegmentLimit: RLIMIT_DATA = memoryLimit+16 KiB; strictMemoryLimit: deprecated alias of dataSegmentLimit"""
    for name in ("dataSegmentLimit", "strictMemoryLimit"):
        says(server().sh("ulimit -Sd; ulimit -Hd; ulimit -v", memoryLimit=64 * MiB, **{name: True}),
             "65552\n65552\nunlimited\n")
    says(server().sh("ulimit -d", dataSegmentLimit=False), "unlimited\n")


@row("1.1 addressSpaceLimit", full=True)
def address_space_limit_is_set():
    """addressSpaceLimit: RLIMIT_AS = memoryLimit+16 KiB"""
    says(server().sh("ulimit -Sv; ulimit -Hv; ulimit -d", memoryLimit=64 * MiB, addressSpaceLimit=True),
         "65552\n65552\nunlimited\n")


# Files out.

@row("1.1 copyOut")
def copy_out_takes_relative_and_absolute_names():
    """copyOut: names relative to work dir or absolute; trailing `?` = optional. Result in `files`"""
    result = server().sh("echo a > a; mkdir d; echo b > d/b; echo c > /tmp/c", copyOut=["a", "d/b", "/tmp/c", "none?", "a?"])
    equal(result["status"], "Accepted", result)
    equal({name: result["files"].get(name) for name in ("a", "d/b", "/tmp/c")}, {"a": "a\n", "d/b": "b\n", "/tmp/c": "c\n"})
    holds("none" not in result["files"] and "none?" not in result["files"] and "fileError" not in result, result)


@row("1.1 copyOut")
def copy_out_of_what_is_missing_is_a_file_error():
    """copyOut without `?` of a missing file → File Error / CopyOutOpen"""
    result = server().one("/bin/true", copyOut=["none"])
    equal(result["status"], "File Error", result)
    equal([(e["name"], e["type"]) for e in result["fileError"]], [("none", "CopyOutOpen")])
    equal(result["error"], result["fileError"][0]["message"])


@row("1.1 copyOut")
def copy_out_of_what_cannot_be_opened_is_a_file_error():
    """copyOut of what cannot be opened, whatever its name → File Error / CopyOutOpen after the run; with `?` what does not
    exist is absent"""
    names = ["d/", "f/", "none/", "", "/", "d/..", "x" * 256, "d/" + "x" * 256, "d/?", "y" * 256 + "?"]
    result = server().sh("mkdir d; echo x > f; echo ran", copyOut=names)
    equal((result["status"], result["files"]["stdout"]), ("File Error", "ran\n"), result)
    equal({(e["name"], e["type"]) for e in result["fileError"]}, {(n.removesuffix("?"), "CopyOutOpen") for n in names})
    result = server().sh("echo ran", copyOut=["?", "none/?"], copyOutCached=["none/a?"])
    equal((result["status"], result["files"], "fileError" in result), ("Accepted", {"stdout": "ran\n", "stderr": ""}, False))


@row("1.1 copyOutCached")
def copy_out_cached_gives_ids():
    """copyOutCached: same syntax; file stays in the store, id in `fileIds`"""
    content = "x" * 100_000
    result = server().sh(f"head -c 100000 /dev/zero | tr '\\0' x > big; echo s > s", copyOutCached=["big", "s", "none?"])
    equal(sorted(result["fileIds"]), ["big", "s"], result)
    equal(server().get(result["fileIds"]["big"]), content.encode())
    equal(server().get(result["fileIds"]["s"]), b"s\n")
    equal(server().ask("GET", "/file").json[result["fileIds"]["big"]], "big")
    for fid in result["fileIds"].values():
        equal(server().ask("DELETE", f"/file/{fid}").status, 200)


@row("1.1 copyOutCached")
def copy_out_cached_of_a_collector_moves_it():
    """Names equal to a collector name (e.g. "stdout") are allowed and move that collector's content to the store instead
    of `files`"""
    for pipe in (False, True):
        files = [{"content": ""}, {"name": "stdout", "max": 99, "pipe": pipe}, {"name": "stderr", "max": 99, "pipe": pipe}]
        result = server().sh("echo out; echo err >&2", files=files, copyOutCached=["stdout"])
        equal((result["files"], list(result["fileIds"])), ({"stderr": "err\n"}, ["stdout"]), result)
        fid = result["fileIds"]["stdout"]
        equal(server().get(fid), b"out\n")
        server().ask("DELETE", f"/file/{fid}")


@row("1.1 copyOutMax")
def copy_out_max_limits_each_file():
    """copyOutMax bytes: per file; larger → File Error, type `CopyOutSizeExceeded`"""
    result = server().sh("printf 12345 > a; printf 123456 > b", copyOut=["a", "b"], copyOutCached=["b"], copyOutMax=5)
    equal(result["status"], "File Error", result)
    equal(result["files"]["a"], "12345")
    equal({(e["name"], e["type"]) for e in result["fileError"]}, {("b", "CopyOutSizeExceeded")})
    holds("b" not in result["files"] and "fileIds" not in result, result)


@row("1.1 copyOutMax")
def copy_out_max_omitted_is_the_servers():
    """copyOutMax 0 → server `-copy-out-limit` (256 MiB)"""
    one = server("-copy-out-limit", "1k")
    result = one.sh("head -c 1025 /dev/zero > a", copyOut=["a"])
    equal([e["type"] for e in result["fileError"]], ["CopyOutSizeExceeded"], result)
    equal(one.sh("head -c 1024 /dev/zero > a", copyOut=["a"])["status"], "Accepted")
    result = server().sh("head -c 20000000 /dev/zero | tr '\\0' x > a", copyOut=["a"])
    equal((result["status"], len(result["files"]["a"])), ("Accepted", 20_000_000))


@row("1.1 copyOutTruncate")
def copy_out_truncate_gives_the_beginning_and_the_error():
    """copyOutTruncate: if over copyOutMax, return the first copyOutMax bytes and still File Error/CopyOutSizeExceeded"""
    result = server().sh("printf 123456 > a", copyOut=["a"], copyOutMax=4, copyOutTruncate=True)
    equal((result["status"], result["files"]["a"]), ("File Error", "1234"), result)
    equal([e["type"] for e in result["fileError"]], ["CopyOutSizeExceeded"])
    result = server().sh("printf 123456 > a", copyOutCached=["a"], copyOutMax=4, copyOutTruncate=True)
    equal(server().get(result["fileIds"]["a"]), b"1234")
    server().ask("DELETE", "/file/" + result["fileIds"]["a"])


@row("1.1 copyOutDir")
def copy_out_dir_is_ignored():
    """copyOutDir: deprecated and ignored since v1.12"""
    with tempfile.TemporaryDirectory() as place:
        result = server().sh("echo x > a", copyOut=["a"], copyOutDir=place)
        equal((result["status"], result["files"]["a"], os.listdir(place)), ("Accepted", "x\n", []))


if __name__ == "__main__":
    main()
