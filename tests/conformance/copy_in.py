#!/usr/bin/env python3
"""§1.3: copyIn, symlinks, and how they fail."""
import os, tempfile

from suite import *


def put(files, script="true", one=None, **fields):
    return (one or server()).sh(script, copyIn=files, **fields)


def text(content="x"):
    return {"content": content}


def file_error(result, kind, name=None, words="."):
    """Nothing is run, and the first error says why."""
    equal((result["status"], result["exitStatus"], result["time"], result["memory"], result["runTime"]),
          ("File Error", 0, 0, 0, 0), result)
    first = result["fileError"][0]
    equal((first["type"], result["error"]), (kind, first["message"]), result)
    if name:
        equal(first["name"], name)
    matches(words, result["error"])


@row("1.3")
def collectors_then_files_then_symlinks_then_exec():
    """Order: collectors opened → copyIn → symlinks → exec"""
    result = put({"a/link": {"symlink": "../b"}, "b": text("of b")}, "cat a/link; ls")
    equal(result["files"]["stdout"], "of ba\nb\nstderr\nstdout\n", result)


@row("1.3")
def copy_in_makes_parents_and_modes():
    """Parent directories are created with mode 0777; files are created 0777 (umask 0)"""
    result = put({"d/e/f": text(), "g": text(), "/tmp/h/i": text()}, "stat -c '%a %n' d d/e d/e/f g /tmp/h /tmp/h/i")
    equal(result["files"]["stdout"], "777 d\n777 d/e\n777 d/e/f\n777 g\n777 /tmp/h\n777 /tmp/h/i\n", result)


@row("1.3")
def copy_in_can_be_changed_by_the_program():
    """owned by container root (here by the program's own user: with 0777 it may do the same with them)"""
    result = put({"d/f": text()}, "echo more >> d/f && rm d/f && touch d/new && rmdir d 2>/dev/null; ls d")
    equal((result["status"], result["files"]["stdout"]), ("Accepted", "new\n"), result)


@row("1.3")
def copy_in_truncates_what_exists():
    """O_CREAT|O_WRONLY|O_TRUNC: a regular file that exists is overwritten"""
    result = put({"stdout": text("first ")}, "cat stdout; echo then")
    equal(result["status"], "Accepted", result)
    holds(result["files"]["stdout"].startswith("first ") or "then" in result["files"]["stdout"], result)
    result = put({"a": text("a long one"), "./a": text("a long one")}, "cat a")
    equal(result["files"]["stdout"], "a long one", result)


@row("1.3")
def copy_in_takes_absolute_names():
    """Absolute destinations allowed anywhere writable (`/tmp/x`)"""
    equal(put({"/tmp/x": text("there"), "/w/y": text("here")}, "cat /tmp/x y")["files"]["stdout"], "therehere")


@row("1.3", full=True)
def copy_in_to_the_root_fails():
    """`../a` is accepted and lands wherever the container allows (root is read-only)"""
    file_error(put({"../a": text()}), "CopyInCreateFile", words="(?i)read-only|permission")
    file_error(put({"/a": text()}), "CopyInCreateFile", words="(?i)read-only|permission")
    file_error(put({"/usr/a": text()}), "CopyInCreateFile", words="(?i)read-only|permission")
    equal(put({"../tmp/x": text("up")}, "cat /tmp/x")["files"]["stdout"], "up")
    equal(put({"d/../e": text("e")}, "cat e")["files"]["stdout"], "e")


@row("1.3", full=True)
def copy_in_over_what_is_no_regular_file_fails():
    """Destination that exists and is not a regular file (dir, symlink, fifo) → error"""
    file_error(put({"/tmp": text()}), "CopyInCreateFile", "/tmp")
    file_error(put({"/dev/stdout": text()}), "CopyInCreateFile")
    file_error(put({"d/f": text(), "d": text()}), "CopyInCreateFile")


@row("1.3 CopyInOpenFile")
def host_file_missing():
    """host file missing → `CopyInOpenFile`"""
    file_error(put({"a": {"src": "/nowhere/at/all"}}), "CopyInOpenFile", "a", "/nowhere/at/all")
    result = server().one("/bin/cat", files=[{"src": "/nowhere/at/all"}, {"name": "stdout", "max": 9}])
    holds(result["status"] in ("File Error", "Internal Error") and result["error"], result)


@row("1.3 CopyInCopyContent")
def host_file_is_a_directory():
    """src is a directory → `CopyInCopyContent`"""
    file_error(put({"a": {"src": "/usr"}}), "CopyInCopyContent", "a", "(?i)is a directory")


@row("1.3 CopyInCopyContent", full=True)
def tmpfs_is_full():
    """tmpfs full → `CopyInCopyContent` "no space left on device" """
    with own("-tmp-fs-param", "size=1m,nr_inodes=1k") as one:
        file_error(put({"a": text("x" * 2 * MiB)}, one=one), "CopyInCopyContent", "a", "(?i)no space left on device")
        equal(put({"a": text("x" * 500_000)}, one=one)["status"], "Accepted", "and the next one has room again")


@row("1.3 CopyInCreateFile")
def open_or_mkdir_fails():
    """open/mkdir failure → `CopyInCreateFile`"""
    file_error(put({"a": text(), "a/b": text()}), "CopyInCreateFile")
    for name in ("", "..", ".", "/", "d/", "d/..", "x" * 256, "d/" + "x" * 256, "d/" * 2100 + "f"):
        file_error(put({name: text()}), "CopyInCreateFile", name)


@row("1.3 Symlink")
def symlink_exists():
    """symlink exists → `Symlink`"""
    file_error(put({"a": text(), "./a": {"symlink": "b"}}), "Symlink")
    file_error(put({"d/": {"symlink": "b"}}), "Symlink", "d/")


untested("1.3", "`CopyInCreateDir` exists as a string but is never produced", "never produced, here neither")


@row("1.3", full=True)
def more_than_253_files():
    """one request cannot have more than 253 copyIn files (§12: better, >253 files)"""
    result = put({f"d{i % 7}/f{i}": text(str(i)) for i in range(2000)}, "cat d*/* | wc -c")
    equal((result["status"], result["files"]["stdout"].strip()), ("Accepted", str(sum(len(str(i)) for i in range(2000)))))


@row("1.3")
def failure_leaves_the_server_well():
    """Failures: nothing is run (time/memory/runTime 0); after them the next request runs"""
    put({"a": {"src": "/nowhere"}}, "touch /tmp/ran")
    result = put({"a": text("fine")}, "cat a; ls /tmp")
    equal(result["files"]["stdout"], "fine", result)


if __name__ == "__main__":
    main()
