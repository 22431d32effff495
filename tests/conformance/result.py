#!/usr/bin/env python3
"""§1.4: the result, its words, and the verdict."""
import json, os, re, signal, tempfile

from suite import *

BURN = "while :; do :; done"
BIG = "x = b'x' * (200 << 20)"


def ends(result, status, exit_status):
    equal((result["status"], result["exitStatus"]), (status, exit_status), result)


@row("1.4")
def result_has_its_fields_in_order():
    """status: string; exitStatus: int; error?: string; time: ns; memory: bytes; runTime: ns; procPeak?: int; files?;
    fileIds?; fileError?: [{name, type, message?}]"""
    result = server().run(shell("sleep 0.05; echo x; exit 3", copyOut=["none"], copyOutCached=["stdout"]))[0]
    equal([name for name in result if name != "procPeak"],
          ["status", "exitStatus", "time", "memory", "runTime", "files", "fileIds", "fileError"])
    for name in ("exitStatus", "time", "memory", "runTime"):
        holds(type(result[name]) is int, result)
    equal(sorted(result["fileError"][0]), ["message", "name", "type"])
    holds(50 * MS <= result["runTime"] < 5 * S and 0 < result["time"] < S, result)
    server().ask("DELETE", "/file/" + result["fileIds"]["stdout"])
    failed = server().one("/nowhere")
    equal([name for name in failed][:3], ["status", "exitStatus", "error"])


@row("1.4")
def empty_things_are_omitted():
    """empty maps/arrays are omitted; procPeak omitted when 0"""
    result = server().one("/bin/true", files=[{"content": ""}])
    equal(sorted(set(result) - {"procPeak"}), ["exitStatus", "memory", "runTime", "status", "time"])
    holds(result.get("procPeak", 1) > 0, result)


@row("1.4 procPeak", full=True)
def proc_peak_counts_processes():
    """procPeak (where the kernel has pids.peak)"""
    result = server().sh("for i in 1 2 3 4; do sleep 0.05 & done; wait")
    holds(result.get("procPeak", 5) == 5, result)


@row("1.4 files")
def invalid_utf8_is_replaced():
    """`files` values are Go strings → invalid UTF-8 bytes are lossily replaced by U+FFFD in JSON; use copyOutCached + GET
    /file for exact bytes"""
    script = r"printf 'a\377\300\200\355\240\200\303\244z' | tee b"
    result = server().sh(script, copyOut=["b"], copyOutCached=["b"])
    equal(result["files"]["stdout"], "a" + "\ufffd" * 6 + "äz")
    equal(server().get(result["fileIds"]["b"]), b"a\xff\xc0\x80\xed\xa0\x80\xc3\xa4z")
    server().ask("DELETE", "/file/" + result["fileIds"]["b"])


@row("12")
def binary_comes_as_base64_when_asked_for():
    """base64/`encoding` opt-in for binary"""
    answer = server().post({"encoding": "base64", "cmd": [shell(r"printf '\377\000'")]})
    equal((answer.json[0]["files"]["stdout"], answer.json[0]["encoding"]), ("/wA=", "base64"))


@row("1.4 time", full=True)
def time_is_cpu_of_all_processes():
    """`time` = cgroup CPU (user+sys of all processes). `runTime` = wall from the exec-ack to the reply"""
    burn = "/usr/bin/python3 -c 'import time\nwhile time.process_time() < 0.1: pass'"
    result = server().sh(f"{burn} & {burn} & wait; sleep 0.1")
    holds(200 * MS <= result["time"] < S and result["runTime"] >= 200 * MS, result)
    result = server().sh("sleep 0.2")
    holds(result["time"] < 50 * MS and 200 * MS <= result["runTime"] < S, result)


@row("1.4 exitStatus")
def exit_status_is_the_code_or_the_signal():
    """`exitStatus` = exit code, or the signal number when signalled. No separate signal field"""
    ends(server().sh("exit 255"), "Nonzero Exit Status", 255)
    for name in ("SEGV", "ABRT", "TERM", "FPE"):
        result = server().sh(f"kill -{name} $$")
        ends(result, "Signalled", getattr(signal, "SIG" + name))
        holds("signal" not in result, result)


@row("1.4 status strings", full=True)
def every_status_has_its_word():
    """Status strings: `Accepted`, `Memory Limit Exceeded`, `Time Limit Exceeded`, `Output Limit Exceeded`, `File Error`,
    `Nonzero Exit Status`, `Signalled`, `Dangerous Syscall`, `Internal Error`"""
    found = [
        server().one("/bin/true"), server().python(BIG, memoryLimit=64 * MiB), server().sh(BURN, cpuLimit=50 * MS),
        server().sh("echo 123456789", files=[{"content": ""}, {"name": "o", "max": 3}]),
        server().one("/bin/true", copyOut=["none"]), server().one("/bin/false"), server().sh("kill -SEGV $$"),
        server().sh("kill -SYS $$"), server().one("/nowhere")]
    equal([each["status"] for each in found], [
        "Accepted", "Memory Limit Exceeded", "Time Limit Exceeded", "Output Limit Exceeded", "File Error",
        "Nonzero Exit Status", "Signalled", "Dangerous Syscall", "Internal Error"])


untested("1.4", "`Invalid`, `Wrong Answer`, `Partially Correct`, `Judgement Failed`, `Invalid Interaction`",
         "never produced by /run, here neither; their numbers are in tests/wire and tests/grpc")
untested("1.4", "fileError types `CopyOutNotRegularFile`, `CopyOutCreateFile`, `CopyOutCopyContent`",
         "need a store or a box that fails while it is used; the words are a test of tests/wire. The other types are in "
         "copy_in, cmd_file and run_request")


@row("1.4 fileError", full=True)
def copy_out_of_what_is_no_regular_file():
    """In practice a copyOut of a dir/symlink/fifo now yields `CopyOutOpen` "X is not a regular file" """
    result = server().sh("mkdir d; ln -s /etc/passwd l; mkfifo f; ln -s d dl; echo x > d/x",
                         copyOut=["d", "l", "f", "/dev/null"])
    equal(result["status"], "File Error", result)
    equal([(e["name"], e["type"], e["message"]) for e in result["fileError"]],
          [(name, "CopyOutOpen", f"{name} is not a regular file") for name in ("d", "l", "f", "/dev/null")])
    equal(result["error"], "d is not a regular file")


@row("1.4 fileError", full=True)
def links_of_a_program_do_not_lead_out():
    """fixSymlinkEscape: what a program linked is never followed to the host"""
    with tempfile.NamedTemporaryFile() as secret:
        secret.write(b"secret")
        secret.flush()
        os.chmod(secret.name, 0o666)  # only the box is in the way of a write

        def look():
            seen = os.stat(secret.name)
            return seen.st_ino, seen.st_mode, seen.st_uid, seen.st_gid, seen.st_nlink, seen.st_size, seen.st_mtime_ns

        before = look()
        result = server().sh(f"ln -s {secret.name} a; echo evil > a; chmod 600 a; ln -s / r; rm -f stdout; ln -s {secret.name} stdout",
                             copyOut=["a", f"r{secret.name}", "/proc/1/root/etc/passwd?"])
        holds("secret" not in json.dumps(result.get("files")), result)
        secret.seek(0)
        equal(secret.read(), b"secret")
        equal(look(), before, "it was touched")


# The verdict.

@row("1.4 verdict 1")
def verdict_of_exit_codes():
    """wait status: exit 0 → Accepted; exit≠0 → Nonzero Exit Status"""
    ends(server().sh("exit 0"), "Accepted", 0)
    ends(server().sh("exit 1"), "Nonzero Exit Status", 1)


@row("1.4 verdict 1", full=True)
def verdict_of_signals():
    """SIGXCPU or SIGKILL → Time Limit Exceeded; SIGXFSZ → Output Limit Exceeded; SIGSYS → Dangerous Syscall; other signal
    → Signalled; runner failure → Internal Error"""
    result = server().sh("kill -XCPU $$", cpuLimit=S)
    holds((result["status"], result["exitStatus"]) in (("Time Limit Exceeded", 24), ("Signalled", 24)), result)
    ends(server().sh("kill -XFSZ $$"), "Output Limit Exceeded", 25)
    ends(server().sh("kill -SYS $$"), "Dangerous Syscall", 31)
    ends(server().sh("kill -USR1 $$"), "Signalled", 10)
    ends(server().sh(BURN, cpuLimit=50 * MS), "Time Limit Exceeded", 9)
    equal(server().one("/nowhere")["status"], "Internal Error")


@row("1.4 verdict 2")
def verdict_looks_at_files_only_when_all_was_well():
    """only if it was Accepted with no error: a collect error → Output Limit Exceeded / File Error with `error`; else any
    fileError → File Error with `error` = first message. (So a Nonzero Exit program keeps its status even if copyOut failed;
    fileError is still attached.)"""
    files = [{"content": ""}, {"name": "o", "max": 3}]
    result = server().sh("echo 123456789", files=files, copyOut=["none"])
    ends(result, "Output Limit Exceeded", 0)
    holds(result["error"], result)
    equal({e["type"] for e in result["fileError"]}, {"CollectSizeExceeded", "CopyOutOpen"})
    result = server().one("/bin/true", copyOut=["n1", "n2"])
    ends(result, "File Error", 0)
    equal(result["error"], result["fileError"][0]["message"])
    result = server().sh("exit 4", copyOut=["none"])
    ends(result, "Nonzero Exit Status", 4)
    equal(([e["type"] for e in result["fileError"]], result.get("error")), (["CopyOutOpen"], None))


@row("1.4 verdict 3", full=True)
def verdict_of_memory_wins_over_time():
    """`time > cpuLimit` → Time Limit Exceeded; then `memory > memoryLimit` → Memory Limit Exceeded (MLE wins over TLE)"""
    result = server().python("x = [b'x' * 4096 for i in range(10**9)]", memoryLimit=48 * MiB, cpuLimit=10 * MS)
    holds(result["status"] in ("Memory Limit Exceeded", "Time Limit Exceeded"), result)
    equal(result["status"] == "Memory Limit Exceeded", result["memory"] > 48 * MiB, result)
    strict = server("-strict-defaults").one("/bin/true", cpuLimit=0, memoryLimit=0, clockLimit=S)
    holds(strict["time"] > 0 and strict["memory"] > 0, strict)
    equal(strict["status"], "Memory Limit Exceeded", strict)


@row("1.4 verdict 3", full=True)
def verdict_of_memory_needs_no_failure():
    """This applies even with exit code 0 (e.g. child OOM-killed, parent exits 0 → MLE exitStatus 0)"""
    result = server().sh(f'/usr/bin/python3 -c "{BIG}"; exit 0', memoryLimit=64 * MiB)
    ends(result, "Memory Limit Exceeded", 0)


@row("1.4 verdict 4", full=True)
def verdict_of_who_kills_itself():
    """"un-TLE": if status is TLE and exitStatus≠0 and time<cpuLimit and runTime<clockLimit → Signalled (cancelled or
    self-SIGKILLed). With clockLimit omitted a program that SIGKILLs itself is reported TLE (better here: Signalled)"""
    ends(server().sh("kill -KILL $$"), "Signalled", 9)
    ends(server().sh("kill -KILL $$", clockLimit=None), "Signalled", 9)


@row("12", full=True)
def failed_static_allocation_is_mle():
    """MLE for failed static allocation (of what it touches; see below)"""
    source = "#include <string.h>\nstatic char big[600 << 20]; int main(int c, char**v) { memset(big, c, sizeof big); return big[9] - c; }"
    built = server().one("/usr/bin/gcc", "a.c", "-o", "a", copyIn={"a.c": {"content": source}}, copyOutCached=["a"])
    equal(built["status"], "Accepted", built)
    fid = built["fileIds"]["a"]
    result = server().one("a", copyIn={"a": {"fileId": fid}}, memoryLimit=64 * MiB)
    server().ask("DELETE", f"/file/{fid}")
    equal(result["status"], "Memory Limit Exceeded", result)


untested("12", "MLE for failed static allocation, when `addressSpaceLimit` forbids the program's own segments",
         "not done: the kernel ends such a program with SIGSEGV before its first instruction, and the answer is Signalled 11")


if __name__ == "__main__":
    main()
