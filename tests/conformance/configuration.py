#!/usr/bin/env python3
"""§4: flags, ES_ variables, mount.yaml, signals and metrics, each through a process of its own."""
import json, os, pathlib, re, shutil, signal, socket, subprocess, tempfile, time

from suite import *
from websocket import WebSocket

MOUNTS = """
mount:
- {type: bind, source: /usr, target: /usr, readonly: true}
- {type: bind, source: /bin, target: /bin, readonly: true}
- {type: bind, source: /lib, target: /lib, readonly: true}
- {type: bind, source: /lib64, target: /lib64, readonly: true}
- {type: bind, source: /dev/null, target: /dev/null}
"""
DOMAIN = "python3 -c 'import ctypes; b = ctypes.create_string_buffer(99); ctypes.CDLL(None).getdomainname(b, 99); " \
         "print(b.value.decode())'"
BOX = MOUNTS + "- {type: tmpfs, target: /w, data: 'size=8m,nr_inodes=4k'}\nproc: true\nworkDir: /w\n"


def said(*options, script, environment=None, files=None, **fields):
    """What a program says in a server with these settings."""
    with own(*options, environment=environment, files=files) as one:
        result = one.sh(script, **fields)
        equal(result["status"], "Accepted", result)
        return result["files"]["stdout"]


def listening(port):
    """The local addresses that are listened on."""
    found = set()
    for name, size in (("tcp", 8), ("tcp6", 32)):
        for line in pathlib.Path("/proc/net/" + name).read_text().splitlines()[1:]:
            fields = line.split()
            address, local = fields[1].split(":")
            if int(local, 16) == port and fields[3] == "0A":
                found.add((name, address))
    return found


# Where a setting comes from.

@row("4", full=True)
def flags_win_over_variables_over_defaults():
    """Priority: struct defaults < environment (`ES_…`) < flags"""
    environment = {"ES_PARALLELISM": "3", "ES_OPEN_FILE_LIMIT": "100"}
    with own("-parallelism", "2", environment=environment) as one:
        equal(one.ready()["workers"], 2)
        equal(one.sh("ulimit -n")["files"]["stdout"], "100\n")


@row("4")
def flags_are_written_in_many_ways():
    """Booleans: `-x` or `-x=true`"""
    for options in (["-enable-metrics"], ["-enable-metrics=true"], ["--enable-metrics"], ["-enable-metrics=1"]):
        with own(*options, "-monitor-addr=127.0.0.1:{monitor}") as one:
            equal(ask(one.monitor, "GET", "/metrics").status, 200, options)
    code, text = ended("-enable-metrics=maybe")
    holds(code != 0 and "enable-metrics" in text, text)


@row("4", full=True)
def sizes_have_suffixes():
    """Sizes accept `b,k,m,g` suffix (power of two)"""
    for text, blocks in (("2m", 4096), ("512k", 1024), ("1048576", 2048), ("1048576b", 2048), ("1g", 2097152)):
        equal(said("-output-limit", text, script="ulimit -f"), f"{blocks}\n", text)
    code, text = ended("-output-limit", "5x")
    holds(code != 0 and "output-limit" in text, text)


@row("4")
def durations_are_gos():
    """Durations in Go syntax"""
    for text in ("30m", "1h15m30.918s", "500ms", "0"):
        with own("-file-timeout", text) as one:
            equal(one.ask("GET", "/version").status, 200)
    code, text = ended("-file-timeout", "5 minutes")
    holds(code != 0 and "file-timeout" in text, text)


@row("4")
def every_flag_and_variable_is_known():
    """the table of flags: each `-flag` and its `ES_` variable is accepted"""
    table = {"http-addr": "127.0.0.1:{http}", "enable-grpc": "false", "grpc-addr": "127.0.0.1:{grpc}", "grpc-msg-size": "64m",
             "monitor-addr": "127.0.0.1:{monitor}", "enable-metrics": "false", "enable-debug": "false", "auth-token": "",
             "release": "true", "silent": "false", "parallelism": "2", "pre-fork": "1", "cpuset": "0",
             "container-cred-start": "10000", "container-init-path": "/nowhere", "cgroup-prefix": "gojudge",
             "no-fallback": "false", "net-share": "false", "mount-conf": "mount.yaml", "seccomp-conf": "seccomp.yaml",
             "tmp-fs-param": "size=128m,nr_inodes=4k", "dir": "", "file-timeout": "30m", "src-prefix": "/usr",
             "time-limit-checker-interval": "100ms", "output-limit": "256m", "copy-out-limit": "256m",
             "open-file-limit": "256", "extra-memory-limit": "16k", "enable-cpu-rate": "false", "cpu-cfs-period": "100ms",
             "force-gc-target": "20m", "force-gc-interval": "5s"}
    with own(*(f"-{name}={value}" for name, value in table.items())) as one:
        equal(one.run(command("/bin/true"))[0]["status"], "Accepted")
    variables = {"ES_" + name.upper().replace("-", "_"): value for name, value in table.items()}
    with own(environment=variables, address=False) as one:
        equal(one.run(command("/bin/true"))[0]["status"], "Accepted")
        matches("changes nothing here", one.text())
    code, text = ended("-no-such-flag")
    holds(code != 0 and "no-such-flag" in text, text)


@row("4", full=True)
def defaults_are_go_judges():
    """the table of flags: defaults"""
    code, text = ended("-help")
    equal(code, 0)
    for name, value in (("http-addr", "localhost:5050"), ("grpc-addr", "localhost:5051"), ("grpc-msg-size", "64m"),
                        ("monitor-addr", "localhost:5052"), ("pre-fork", "1"), ("cgroup-prefix", "gojudge"),
                        ("mount-conf", "mount.yaml"), ("seccomp-conf", "seccomp.yaml"),
                        ("tmp-fs-param", "size=128m,nr_inodes=4k"), ("file-timeout", "0s"),
                        ("time-limit-checker-interval", "100ms"), ("output-limit", "256m"), ("copy-out-limit", "256m"),
                        ("open-file-limit", "256"), ("extra-memory-limit", "16k"), ("cpu-cfs-period", "100ms"),
                        ("force-gc-target", "20m"), ("force-gc-interval", "5s"), ("queue-limit", "512")):
        matches(rf"(?m)^  -{name} .*\({re.escape(value)}\)$", text)
    equal(server().ready()["workers"], len(os.sched_getaffinity(0)), "parallelism NumCPU")


# The doors.

@row("4 -http-addr")
def localhost_binds_both_families():
    """"localhost" binds every loopback address (v4 and v6)"""
    with own("-http-addr", "localhost:{http}", address=False) as one:
        found = listening(one.http)
        holds(("tcp", "0100007F") in found, found)
        if pathlib.Path("/proc/net/if_inet6").exists() and "lo" in pathlib.Path("/proc/net/if_inet6").read_text():
            equal(ask(one.http, "GET", "/version", host="::1").status, 200)


@row("4 -http-addr")
def no_host_binds_everywhere():
    """`:5050`: every address"""
    with own("-http-addr", ":{http}", address=False) as one:
        holds({("tcp6", "0" * 32), ("tcp", "00000000")} & listening(one.http), listening(one.http))


def in_network_of_its_own(*around):
    """The words around assayd, so that it has the default ports for itself."""
    return ["unshare", "--net", *around, "sh", "-c", 'ip link set lo up 2>/dev/null; exec "$0" "$@"']


@row("4 -http-addr", full=True)
def default_addresses():
    """`-http-addr` `localhost:5050`, `-grpc-addr` `localhost:5051`, `-monitor-addr` `localhost:5052`"""
    if not shutil.which("ip"):
        raise Skipped("there is no ip to bring a loopback up with")
    with own("-enable-metrics", "-enable-grpc", address=False, ready=False, around=in_network_of_its_own()) as one:
        until(lambda: '"ready"' in one.text() or one.process.poll() is not None, "it is ready")
        one.remember()
        found = re.findall(r'"address":"([^"]+)"', one.text())
        holds({"127.0.0.1:5050"} <= set(found) and any(":5051" in each for each in found), (found, one.text()))
        seen = "".join(pathlib.Path(f"/proc/{one.process.pid}/net/{kind}").read_text() for kind in ("tcp", "tcp6"))
        holds(all(f"0100007F:{port:04X}" in seen for port in (5050, 5051, 5052)), seen)


@row("4 -http-addr", full=True)
def pid_1_listens_everywhere_and_logs_json():
    """`:5050` if PID 1; -release true if PID 1"""
    around = ["unshare", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"]
    with own("-log-format", "text", address=False, ready=False, around=around) as one:
        until(lambda: "HTTP is served" in one.text() or one.process.poll() is not None, "it is ready")
        one.remember()
        first = one.text().splitlines()[0]
        equal(json.loads(first)["level"] in ("info", "warning"), True, first)
        matches(r'"address":"\[::\]:5050"|"address":"0.0.0.0:5050"', one.text())
        child = min(pid for pid in one.family if pid != one.process.pid)
        os.kill(child, signal.SIGTERM)
        one.process.wait(timeout=20)


@row("4 -enable-grpc")
def grpc_is_served_only_when_asked_for():
    """`-enable-grpc` false; `-grpc-addr`"""
    with own("-enable-grpc", "-grpc-addr", "127.0.0.1:{grpc}") as one:
        socket.create_connection(("127.0.0.1", one.grpc), 5).close()
    with own("-grpc-addr", "127.0.0.1:{grpc}") as one:
        equal(listening(one.grpc), set())


@row("4 -enable-debug")
def enable_debug():
    """`-enable-debug`: pprof + debug log (bodies) (here: a line per request, no bodies, no profiles)"""
    with own("-enable-debug", "-monitor-addr", "127.0.0.1:{monitor}", "-auth-token", "hidden one") as one:
        one.ask("GET", "/file", headers={"Authorization": "Bearer hidden one"})
        until(lambda: re.search(r'GET.*route.*/file', one.text()), "the request is logged")
        holds("hidden one" not in one.text(), "the token is in the log")
        equal(ask(one.monitor, "GET", "/healthz").status, 200)
    with own("-enable-debug", "-release", "-monitor-addr", "127.0.0.1:{monitor}") as one:
        one.ask("GET", "/version", headers={"X-Request-Id": 'a"b'})
        until(lambda: "requestId" in one.text(), "the request is logged")
        logged = [json.loads(line)["request"] for line in one.text().splitlines() if '"msg":"request"' in line]
        equal([(each["method"], each["route"], each["status"]) for each in logged if each.get("requestId") == 'a"b'],
              [("GET", "/version", 200)])


@row("4 -auth-token")
def auth_token_by_variable():
    """`-auth-token` ES_AUTH_TOKEN: logged in clear at start (not here)"""
    with own(environment={"ES_AUTH_TOKEN": "from the environment"}) as one:
        equal(one.ask("GET", "/file").status, 401)
        equal(one.ask("GET", "/file", headers={"Authorization": "Bearer from the environment"}).status, 200)
        holds("from the environment" not in one.text(), "the token is in the log")


@row("4 -release -silent")
def release_and_silent():
    """`-release`: JSON production log; `-silent`"""
    with own("-release", "-log-format", "text") as one:
        for line in one.text().splitlines():
            holds({"time", "level", "msg"} <= set(json.loads(line)), line)
    with own("-silent") as one:
        equal(one.text(), "")


@row("4")
def a_failed_bind_is_an_error_even_in_silence():
    """A failed bind does not give a non-zero-looking error in -silent mode: server logs and shuts down (better here: it says
    so and exits with 1)"""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, text = ended("-silent", "-http-addr", "127.0.0.1:%d" % taken.getsockname()[1])
    equal(code, 1, text)
    matches("cannot listen on", text)


# Work.

@row("4 -cpuset", full=True)
def cpuset_is_one_worker_per_element():
    """`-cpuset`: comma list; one worker loop per element, each pinned; overrides -parallelism"""
    with own("-cpuset", "0,0,0", "-parallelism", "7") as one:
        equal(one.ready()["workers"], 3)
        equal(one.sh("grep Cpus_allowed_list /proc/self/status | cut -f2")["files"]["stdout"], "0\n")
    if os.cpu_count() > 1:
        with own("-cpuset", "0-1") as one:
            equal(one.ready()["workers"], 1)
            equal(one.sh("grep Cpus_allowed_list /proc/self/status | cut -f2")["files"]["stdout"], "0-1\n")


@row("4 -cpuset")
def cpuset_with_a_core_that_is_not_there_is_refused():
    """`-cpuset` with a core that this process may not use (go-judge: every run is an Internal Error; here it does not start)"""
    absent = max(os.sched_getaffinity(0)) + 1
    for cores in (str(absent), f"0,{absent}", f"0-{absent}"):
        code, text = ended("-http-addr", "127.0.0.1:0", "-cpuset", cores)
        equal(code, 1, text)
        matches(f"-cpuset: .* {absent} cannot be used by this process; it may use ", text)


@row("4 -pre-fork", full=True)
def pre_fork_makes_boxes_at_the_start():
    """`-pre-fork` 1: containers built at start"""
    with own("-pre-fork", "5", "-parallelism", "5") as one:
        few = len(clients.family(one.process.pid))
    with own("-pre-fork", "0", "-parallelism", "5") as one:
        holds(len(clients.family(one.process.pid)) < few, "more boxes, more processes")
        equal(one.run(command("/bin/true"))[0]["status"], "Accepted")


@row("4 -container-cred-start -container-init-path -cgroup-prefix -seccomp-conf -time-limit-checker-interval "
     "-cpu-cfs-period -force-gc-target -force-gc-interval")
def settings_without_a_meaning_here_are_accepted_and_named():
    """container-cred-start 0 = off, container-init-path, cgroup-prefix, seccomp-conf, time-limit-checker-interval,
    cpu-cfs-period, force-gc-target/-interval (here: accepted, and a warning says that they change nothing and why)"""
    options = {"container-cred-start": "10000", "container-init-path": "/x", "cgroup-prefix": "other",
               "seccomp-conf": "other.yaml", "time-limit-checker-interval": "50ms", "cpu-cfs-period": "50ms",
               "force-gc-target": "1m", "force-gc-interval": "1s"}
    with own(*(f"-{name}={value}" for name, value in options.items())) as one:
        for name in options:
            matches(f"-{name} changes nothing here", one.text())


@row("4 -no-fallback")
def no_fallback_forbids_degraded_boxes():
    """`-no-fallback`: exit instead of rlimit/rusage mode"""
    code, text = ended("-no-fallback", "-allow-degraded")
    holds(code != 0 and "no-fallback" in text, text)
    if not DEGRADED:
        with own("-no-fallback") as one:
            equal(one.ask("GET", "/version").status, 200)


@row("4 -net-share", full=True)
def net_share_gives_the_hosts_network():
    """`-net-share` false: share host network"""
    connect = "import socket\ntry: socket.create_connection(('127.0.0.1', %d), 2); print('reached')\n" \
              "except OSError as e: print('alone')"
    for options, word in (([], "alone\n"), (["-net-share"], "reached\n")):
        with own(*options) as one:
            equal(one.python(connect % one.http)["files"]["stdout"], word, options)


# What programs see.

@row("4 mount.yaml", full=True)
def masks_follow_the_links_of_the_box():
    """maskPath: what is there is hidden, also where a part of the path is a link (as /bin is with a merged /usr); a link that
    leads out of the box is followed within it"""
    text = MOUNTS + """
- {type: bind, source: links, target: /links, readonly: true}
- {type: tmpfs, target: /w, data: 'size=3m,nr_inodes=4k'}
workDir: /w
maskPath: [/bin/perl, /lib/apt, /links/to-dpkg, /links/up, /links/nowhere]
"""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        os.mkdir(place + "/links", 0o755)
        for name, target in (("to-dpkg", "/usr/lib/dpkg"), ("up", "../../../../usr/lib/git-core"), ("nowhere", "/no/such/file")):
            os.symlink(target, f"{place}/links/{name}")
        with own("-mount-conf", "other.yaml", files={"other.yaml": text.replace(
                "source: links", f"source: {place}/links")}) as one:
            result = one.sh("wc -c < /usr/bin/perl; for each in /usr/lib/apt /usr/lib/dpkg /usr/lib/git-core; do ls $each | wc -l; done; "
                            "ls /usr/lib | wc -l")
            hidden = [int(each) for each in result["files"]["stdout"].split()]
            equal(hidden[:4], [0, 0, 0, 0], result)
            holds(hidden[4] > 5, result)


@row("4 mount.yaml", full=True)
def mount_file_is_read():
    """mount.yaml: `mount:` list of `{type: bind|tmpfs, source, target, readonly, data}` (relative source = relative to cwd;
    bind sources that do not exist are dropped silently), `proc`, `symLink`, `maskPath`, `workDir`, `hostName`, `domainName`,
    `uid`, `gid`"""
    text = MOUNTS + """
- {type: bind, source: data, target: /data, readonly: true}
- {type: bind, source: /nowhere/at/all, target: /none}
- {type: tmpfs, target: /work, data: 'size=3m,nr_inodes=4k'}
- {type: tmpfs, target: /scratch, data: 'size=2m,nr_inodes=4k'}
proc: true
symLink: [{linkPath: /dev/mine, target: /dev/null}]
maskPath: [/usr/share]
workDir: /work
hostName: a-host
domainName: a-domain
uid: 1536
gid: 1537
"""
    with own("-mount-conf", "other.yaml", files={"other.yaml": text, "data": "of the server"}) as one:
        script = (f"pwd; id -u; id -g; hostname; {DOMAIN}; cat /data; echo; readlink /dev/mine; "
                  "ls /usr/share | wc -l; test -e /none || echo dropped; df -k --output=size /work /scratch | tail -2; "
                  "touch /data 2>/dev/null || echo ro; touch /scratch/x && echo rw; test -e /dev/stdin || echo own links")
        result = one.sh(script)
        equal([each.strip() for each in result["files"]["stdout"].split("\n")], [
            "/work", "1536", "1537", "a-host", "a-domain", "of the server", "/dev/null", "0", "dropped", "3072", "2048",
            "ro", "rw", "own links", ""], result)
        found = one.ask("GET", "/config").json["runnerConfig"]
        equal((found["workDir"], found["hostName"], found["domainName"], found["uid"], found["gid"]),
              ("/work", "a-host", "a-domain", 1536, 1537))
        equal((found["symbolicLink"], found["maskedPaths"]), ([{"LinkPath": "/dev/mine", "Target": "/dev/null"}], ["/usr/share"]))


@row("4 mount.yaml", full=True)
def mount_file_defaults():
    """Omitted symLink/maskPath → defaults; /.env in the container: `K=V` lines, `#` comments, prepended to every process's
    env"""
    with own(files={"mount.yaml": BOX}) as one:
        equal(one.sh("readlink /dev/fd /dev/stdin /dev/stdout /dev/stderr")["files"]["stdout"],
              "/proc/self/fd\n/proc/self/fd/0\n/proc/self/fd/1\n/proc/self/fd/2\n")
        holds("/proc/kcore" in one.ask("GET", "/config").json["runnerConfig"]["maskedPaths"], "masked")


@row("4 mount.yaml")
def mount_file_with_a_mistake_is_refused():
    """(a mount file that cannot be understood: the place and the reason)"""
    place = tempfile.mkdtemp(prefix="assay-conformance-")
    try:
        for text, words in (("mount: 5", "list"), ("mount: [{type: nfs, target: /x}]", "neither bind nor tmpfs"), ("a: [", ":"),
                            ("mount:\n- {type: bind, source: /, target: /host}", r"mount\.yaml: mount \(line 2\): '/'"),
                            ("mount:\n- {type: tmpfs, target: /w}\n- {type: bind, source: /usr, target: /w/x}",
                             r"mount\.yaml: mount \(line 3\): '/w/x' lies in the tmpfs '/w'"),
                            ("mount:\n- {type: tmpfs, target: /proc}\nproc: true", r"mount\.yaml: line 2: '/proc' is taken")):
            pathlib.Path(place, "mount.yaml").write_text(text)
            code, told = ended("-http-addr", "127.0.0.1:0", "-mount-conf", place + "/mount.yaml")
            holds(code != 0, told)
            matches(words, told)
    finally:
        shutil.rmtree(place)


@row("4 mount.yaml", full=True)
def mount_file_below_a_directory_of_roots():
    """mount.yaml: relative source = relative to cwd (also below a directory that only root may enter: small files are copies,
    and for directories it says what is in the way)"""
    if os.geteuid() != 0:
        raise Skipped("only root's boxes have less rights than the server")
    place = tempfile.mkdtemp(prefix="assay-conformance-")
    os.chmod(place, 0o700)
    try:
        here = pathlib.Path(place, "judge")
        here.mkdir()
        here.chmod(0o755)
        for name, text in (("passwd", "me:x:1000:1000::/w:/bin/sh\n"), ("dotenv", "FROM=file\n"), ("binary", "\0\1\0")):
            (here / name).write_text(text)
        (here / "data").mkdir()
        (here / "big").write_bytes(bytes(2 << 20))
        links = f"- {{type: bind, source: {here}/passwd, target: /etc/passwd, readonly: true}}\n" \
                f"- {{type: bind, source: {here}/binary, target: /etc/binary}}\n" \
                f"- {{type: bind, source: {here}/dotenv, target: /.env, readonly: true}}\n" \
                "- {type: bind, source: /nowhere/at/all, target: /none}\n"
        with own(files={"mount.yaml": BOX.replace("proc: true", links + "proc: true")}) as one:
            script = "whoami; echo $FROM; od -An -tu1 /etc/binary; echo x 2>/dev/null >> /etc/passwd || echo ro"
            result = one.sh(script)
            equal(result["files"]["stdout"].split(), ["me", "file", "0", "1", "0", "ro"], result)
            equal([each["Source"] for each in one.ask("GET", "/config").json["runnerConfig"]["mount"]
                   if each["Target"] == "etc/passwd"], [f"{here}/passwd"])
            holds("/none" not in one.text(), one.text())
        for name in ("data", "big"):
            wrong = BOX.replace("proc: true", f"- {{type: bind, source: {here}/{name}, target: /x, readonly: true}}\nproc: true")
            (here / "mount.yaml").write_text(wrong)
            code, told = ended("-http-addr", "127.0.0.1:0", "-mount-conf", f"{here}/mount.yaml")
            equal(code, 1, told)
            matches(rf"mount\.yaml: mount \(line 9\): '{here}/{name}' cannot be shown .* may enter '{place}': .*chmod a\+x", told)
    finally:
        shutil.rmtree(place)


untested("4", "mount.yaml: `procrw`, `initCmd`", "assayd keeps /proc read-only and runs no set-up command; it says so at the "
         "start (tests/config/box_test.cc)")
untested("4", "seccomp.yaml (elastic/go-seccomp-bpf Policy)", "only with go-judge's build tag `seccomp`, not in its release "
         "builds; assayd has filters of its own beside the profiles, and -seccomp-conf says that it changes nothing")


@row("4 default mounts", full=True)
def default_mounts():
    """Without mount.yaml: host/domain name `executor_server`, uid/gid 1000, workDir `/w`; ro binds /bin /lib /lib64 /usr
    /etc/ld.so.cache /etc/alternatives …; rw binds /dev/{null,urandom,random,zero,full}; tmpfs /w and /tmp
    (nosuid,noatime,nodev); /proc ro,nosuid,nodev,noexec. Root is read-only"""
    script = (f"pwd; id -u; id -g; hostname; {DOMAIN}; echo $(ls /dev); touch /x 2>/dev/null || echo ro; "
              "touch /usr/x 2>/dev/null || echo ro; echo x > /dev/null && echo rw; touch /w/x /tmp/x && echo rw; "
              "test -e /etc/passwd || echo no passwd; test -e /etc/ld.so.cache && echo cache; test -e /home || echo no home")
    lines = server().sh(script)["files"]["stdout"].split("\n")
    equal(lines[:5], ["/w", "1000", "1000", "executor_server", "executor_server"])
    equal(lines[6:], ["ro", "ro", "rw", "rw", "no passwd", "cache", "no home", ""])
    equal(set(lines[5].split()), {"fd", "full", "null", "random", "stderr", "stdin", "stdout", "urandom", "zero"})
    mounts = server().sh("cat /proc/self/mountinfo")["files"]["stdout"]
    flags = {line.split()[4]: set(line.split()[5].split(",")) for line in mounts.splitlines()}
    for place, wanted in (("/w", {"nosuid", "nodev"}), ("/tmp", {"nosuid", "nodev"}), ("/usr", {"ro", "nosuid"}),
                          ("/proc", {"ro", "nosuid", "nodev", "noexec"}), ("/", {"ro"})):
        holds(wanted <= flags[place], (place, flags[place]))


@row("4 default mounts", full=True)
def masked_paths_are_empty():
    """Masked: /sys/firmware, …, /proc/{acpi,asound,kcore,keys,latency_stats,timer_list,timer_stats,sched_debug,scsi}"""
    masked = ["/proc/" + name for name in ("acpi", "asound", "kcore", "keys", "latency_stats", "timer_list", "timer_stats",
                                           "sched_debug", "scsi")]
    for path in masked:
        result = server().sh(f"if test -d {path}; then ls {path}; else head -c 10 {path} 2>/dev/null; fi; true")
        equal(result["files"]["stdout"], "", path)


@row("4 -tmp-fs-param", full=True)
def tmp_fs_param_sizes_the_places():
    """`-tmp-fs-param` `size=128m,nr_inodes=4k`: only without mount.yaml"""
    show = "df -k --output=size /w | tail -1"
    equal(int(said("-tmp-fs-param", "size=16m,nr_inodes=1k", script=show)), 16 * 1024)
    equal(int(server().sh(show)["files"]["stdout"]), 128 * 1024)
    equal(int(said("-tmp-fs-param", "size=16m", script=show, files={"mount.yaml": BOX})), 8 * 1024)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    equal(int(said("-tmp-fs-param", "size=5%", script=show)) // 1024, memory // 20 // 1024 // 1024)


# Files and limits.

@row("4 -dir")
def dir_is_kept():
    """`-dir` "" → store; default dir is removed on exit (a named one is not)"""
    with own("-dir", "{directory}/a/store") as one:
        equal(one.ask("GET", "/config").json["fileStorePath"], one.directory + "/a/store")
        one.add("x", b"x")
        one.process.send_signal(signal.SIGTERM)
        one.process.wait(timeout=20)
        holds(os.path.isdir(one.directory + "/a/store"), "it is gone")


@row("4 -file-timeout")
def file_timeout_removes_what_nobody_uses():
    """`-file-timeout` 0 (never): TTL, refreshed on Get, checked every 15 s"""
    with own("-file-timeout", "2s") as one:
        old, used = one.add("old", b"x"), one.add("used", b"y")
        def looked_at():
            one.get(used)
            return list(one.ask("GET", "/file").json) == [used]
        until(looked_at, "the one that nobody gets goes", 40)


@row("4 -src-prefix")
def src_prefix_limits_src():
    """`-src-prefix` [] = any host path allowed (a comma list; see cmd_file.src_must_be_inside_the_prefix)"""
    with own("-src-prefix", "/usr/bin,/bin") as one:
        equal(one.post({"cmd": [command("/bin/cat", files=[{"src": "/etc/passwd"}])]}).status, 400)
        equal(one.sh("test -s a", copyIn={"a": {"src": "/usr/bin/env"}})["status"], "Accepted")
    equal(server().sh("test -s a", copyIn={"a": {"src": "/etc/passwd"}})["status"], "Accepted")


@row("4 rlimits", full=True)
def limits_of_the_program():
    """`-output-limit` 256m RLIMIT_FSIZE; `-open-file-limit` 256 RLIMIT_NOFILE; Default rlimits of the program: CORE 0, STACK,
    AS/DATA unlimited unless asked; NPROC untouched"""
    show = "ulimit -Hf; ulimit -Sf; ulimit -Hn; ulimit -Sn; ulimit -Hc; ulimit -v; ulimit -d"
    equal(server().sh(show)["files"]["stdout"].split(), ["524288", "524288", "256", "256", "0", "unlimited", "unlimited"])
    equal(said("-output-limit", "1m", "-open-file-limit", "64", script=show).split()[:4], ["2048", "2048", "64", "64"])


@row("4 rlimits", full=True)
def surroundings_of_the_program():
    """umask 0000, new session (setsid), cwd=/w, fds only those in `files`"""
    script = "import os\nm = os.umask(0)\nprint(oct(m), os.getsid(0) == os.getpid(), os.getcwd(), sorted(map(int, os.listdir('/proc/self/fd')))[:-1])"
    equal(server().python(script)["files"]["stdout"], "0o0 True /w [0, 1, 2]\n")


@row("4 -copy-out-limit")
def copy_out_limit_is_the_servers():
    """`-copy-out-limit` 256m"""
    with own(environment={"ES_COPY_OUT_LIMIT": "1k"}) as one:
        equal([e["type"] for e in one.sh("head -c 2000 /dev/zero > a", copyOut=["a"])["fileError"]], ["CopyOutSizeExceeded"])


@row("4 -extra-memory-limit", full=True)
def extra_memory_limit_lies_above():
    """`-extra-memory-limit` 16k: cgroup limit = memoryLimit + it"""
    with own("-extra-memory-limit", "32m") as one:
        result = one.python("x = b'x' * (80 << 20)", memoryLimit=64 * MiB)
        equal((result["status"], result["exitStatus"]), ("Memory Limit Exceeded", 0), result)
        holds(result["memory"] > 80 * MiB, result)


@row("4 -version")
def version_is_printed():
    """`-version`: print and exit"""
    code, text = ended("-version")
    equal(code, 0)
    matches(r"v?\d+\.\d+", text)


# Signals.

@row("4 signals")
def signals_stop_gracefully():
    """SIGINT/SIGTERM → graceful stop within 3 s"""
    for each in (signal.SIGINT, signal.SIGTERM):
        with own() as one:
            one.remember()
            began = time.monotonic()
            one.process.send_signal(each)
            equal(one.process.wait(timeout=10), 0)
            holds(time.monotonic() - began < 3, each)
    with own() as one, WebSocket(one.http, "/ws"):
        one.remember()
        began = time.monotonic()
        one.process.send_signal(signal.SIGTERM)
        equal(one.process.wait(timeout=10), 0)
        holds(time.monotonic() - began < 4.5, "a client that does not answer does not keep it")


@row("4 signals")
def pm2_keeps_its_server():
    """(SIGTERM ignored when env shows PM2: PM2_HOME, PM2_JSON_PROCESSING or NODE_APP_INSTANCE)"""
    for name in ("PM2_HOME", "PM2_JSON_PROCESSING", "NODE_APP_INSTANCE"):
        with own(environment={name: "x"}) as one:
            one.remember()
            one.process.send_signal(signal.SIGTERM)
            for _ in range(3):
                equal(one.run(command("/bin/true"))[0]["status"], "Accepted")
            one.process.send_signal(signal.SIGINT)
            equal(one.process.wait(timeout=10), 0)


# Metrics.

NAMES = ["go_judge_exec_error_count", "go_judge_exec_time_seconds", "go_judge_exec_memory_bytes", "go_judge_file_size_bytes",
         "go_judge_file_current_bytes_count", "go_judge_file_current_bytes_sum", "go_judge_environment_count",
         "go_judge_environment_current_count", "go_judge_worker_queue_count", "go_judge_worker_running_count",
         "gin_requests_total", "gin_request_duration_seconds", "gin_request_size_bytes", "gin_response_size_bytes"]


def scrape(one):
    return ask(one.monitor, "GET", "/metrics").body.decode()


class metered(own):
    def __init__(self):
        super().__init__("-enable-metrics", "-enable-grpc", "-grpc-addr", "127.0.0.1:{grpc}", "-monitor-addr",
                         "127.0.0.1:{monitor}")


@row("4 metrics")
def metrics_have_go_judges_names():
    """Metrics (namespace `go_judge`): exec_error_count, exec_time_seconds{status}, exec_memory_bytes{status}, file_size_bytes,
    file_current_bytes_count, file_current_bytes_sum, environment_count, environment_current_count, worker_queue_count,
    worker_running_count; plus gin_requests_total, gin_request_duration_seconds, gin_request_size_bytes,
    gin_response_size_bytes (labels code,method,url), process collectors"""
    with metered() as one:
        one.add("a", b"12345")
        one.sh("true"), one.sh("exit 1"), one.ask("GET", "/nothing")
        counted = r'gin_requests_total\{code="200",method="POST",url="/run"\} 2'
        text = scrape(one)
        end = time.monotonic() + 10  # an exchange is counted when its last byte is gone: the client may be first
        while not re.search("(?m)^" + counted, text) and time.monotonic() < end:
            text = scrape(one)
        equal([name for name in NAMES if f"# TYPE {name} " not in text], [], "missing")
        for line in (r'go_judge_exec_time_seconds_count\{status="Accepted"\} 1', r"go_judge_file_current_bytes_count 1",
                     r'go_judge_exec_memory_bytes_count\{status="Nonzero Exit Status"\} 1', r"go_judge_file_current_bytes_sum 5",
                     r"go_judge_file_size_bytes_count 1", counted,
                     r"process_resident_memory_bytes \d", r"go_judge_worker_running_count 0",
                     r"go_judge_environment_current_count 0$"):
            matches("(?m)^" + line, text)
        one.sh("echo 1 > f; echo 22 > g", copyOutCached=["f", "g"])
        matches("(?m)^go_judge_file_size_bytes_count 3$", scrape(one))
        matches("(?m)^go_judge_file_size_bytes_sum 10$", scrape(one))


@row("4 metrics")
def metrics_have_go_judges_buckets():
    """histograms; time buckets 1 ms…100 s, memory 4 KiB…4 GiB ×2"""
    with metered() as one:
        one.sh("true")
        text = scrape(one)
        bounds = lambda name: [float(b) for b in re.findall(rf'(?m)^{name}_bucket{{[^}}]*le="([^"]+)"', text) if b != "+Inf"]
        time_bounds, memory_bounds = bounds("go_judge_exec_time_seconds"), bounds("go_judge_exec_memory_bytes")
        equal((time_bounds[0], time_bounds[-1]), (0.001, 100))
        equal(memory_bounds, [4096 * 2**i for i in range(21)])


@row("4 metrics", full=True)
def metrics_of_cgroups():
    """`go_judge_cgroup_{cpu_seconds,memory_bytes,memory_max_bytes}{type="all"|"controller"|"containers"}`"""
    with metered() as one:
        text = scrape(one)
        equal([f"{name} {kind}" for name in ("cpu_seconds", "memory_bytes", "memory_max_bytes")
               for kind in ("all", "controller", "containers") if f'go_judge_cgroup_{name}{{type="{kind}"}}' not in text], [])


@row("4 metrics")
def metrics_of_grpc():
    """`grpc_server_*` (when gRPC)"""
    with metered() as one:
        matches("(?m)^grpc_server_", scrape(one))


untested("4", "Go collectors of /metrics; Grafana dashboard 23188", "of the Go runtime; the dashboard shows the names above")


if __name__ == "__main__":
    main()
