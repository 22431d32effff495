"""Problems as Normal-OJ's back end would have them, and archives as students would not."""
import io, json, pathlib, shutil, struct, zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
ADD_C = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'
CHECKER = """import sys
text = open(sys.argv[2]).read().strip()
far = abs(float(text) - float(open(sys.argv[3]).read())) > 1e-6
print("STATUS:", "WA" if far else "AC")
print("MESSAGE:", text + (" is too far off" if far else " is close enough"))
"""


def zipped(*files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return out.getvalue()


def project(source=ADD_C):
    return zipped(("Makefile", "a.out: sub/program.c\n\tgcc -O2 -o a.out sub/program.c\n"), ("sub/program.c", source))


def linked(name, to):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o120777 << 16
    entry.create_system = 3
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, to)
        archive.writestr("Makefile", "")
    return out.getvalue()


def patched(archive, old, new, first=True):
    at = archive.index(old) if first else archive.rindex(old)
    return archive[:at] + new + archive[at + len(old):]


def lying_bomb():
    """A hundred megabytes of zeros that are said to be ten bytes."""
    honest = zipped(("Makefile", "a.out:\n"), ("main.c", b"\0" * 100_000_000))
    return honest.replace(struct.pack("<I", 100_000_000), struct.pack("<I", 10))


def hostile_zips():
    """{name: (archive, problem, the answer where the door refuses it)}; what the door lets in must come to a CE."""
    invalid, link = "Invalid path in zip", "Symlinks are not allowed in submission archive"
    unread = "the archive is no zip that can be read"
    good = zipped(("main.c", "int main(void) { return 0; }\n"))
    tower = [(f"{i}.c", b"\0" * 1_000_000) for i in range(70)]
    return {
        "traversal": (zipped(("Makefile", ""), ("../../etc/cron.d/x", "")), 4, invalid),
        "sibling": (zipped(("Makefile", ""), ("../4-evil/x", "")), 4, invalid),
        "absolute": (zipped(("Makefile", ""), ("/tmp/x", "")), 4, invalid),
        "backslashes": (zipped(("Makefile", ""), ("..\\x", "")), 4, invalid),
        "link": (linked("sub", "/etc"), 4, link),
        "link called main": (linked("main.c", "/etc/passwd"), 1, link),
        "another name inside": (patched(good, b"main.c", b"../x.c"), 1, unread),
        "cut off": (good[:-10], 1, unread),
        "no zip": (b"not a zip", 1, unread),
        "a tar": (b"main.c" + b"\0" * 1018, 1, unread),
        "bomb": (zipped(("Makefile", ""), *tower), 4, "the archive has more than 67108864 bytes in it"),
        "bomb that lies": (lying_bomb(), 4, ""),
        "too many files": (zipped(("Makefile", ""), *((f"f{i}", "") for i in range(2001))), 4,
                           "the archive has more than 2000 files"),
        "too large": (zipped(("main.c", "x")) + b"\0" * (16 << 20), 1, "the archive has more than 16777216 bytes"),
        "make that leaves": (zipped(("Makefile", "a.out:\n\tcp /etc/shadow a.out\n")), 4, ""),
        "make that never ends": (zipped(("Makefile", "a.out:\n\tsleep 1000\n")), 4, ""),
    }


def write_problem(directory, meta, cases):
    (directory / "testcase").mkdir(parents=True)
    (directory / "meta.json").write_text(json.dumps(meta))
    for name, (given, answer) in cases.items():
        (directory / "testcase" / f"{name}.in").write_text(given)
        (directory / "testcase" / f"{name}.out").write_text(answer)


def problems_in(directory):
    """1: a sum, with a public case; 2 and 6: squares with a teacher, as code and as zip; 3: functionOnly; 4: a project;
    5: with a checker; 7: broken; 8: the sum, quickly."""
    task = {"taskScore": 50, "memoryLimit": 65536, "timeLimit": 5000, "caseCount": 1}
    whole = task | {"taskScore": 100}
    cases = {"0000": ("1 2\n", "3\n"), "0100": ("30 4\n", "34\n")}
    write_problem(directory / "1", {"language": 2, "tasks": [task, task]}, cases)
    write_problem(directory / "1/public", {"language": 2, "tasks": [whole]}, {"0000": ("999 1\n", "1000\n")})
    shutil.copytree(ROOT / "examples/noj_square", directory / "2")
    one = {"0000": cases["0000"]}
    write_problem(directory / "3", {"language": 0, "executionMode": "functionOnly", "tasks": [whole]}, one)
    main = ADD_C.replace("int main", '#include "function.h"\nint main').replace("a + b", "add(a, b)")
    make = "a.out: main.c function.h\n\tgcc -o a.out main.c\n"
    (directory / "3/makefile.zip").write_bytes(zipped(("Makefile", make), ("main.c", main)))
    write_problem(directory / "4", {"language": 0, "acceptedFormat": "zip", "tasks": [whole]}, one)
    write_problem(directory / "5", {"language": 2, "customChecker": True, "tasks": [whole]}, {"0000": ("", "0.3\n")})
    (directory / "5/custom_checker.py").write_text(CHECKER)
    shutil.copytree(ROOT / "examples/noj_square", directory / "6")
    meta = json.loads((directory / "6/meta.json").read_text()) | {"acceptedFormat": "zip"}
    (directory / "6/meta.json").write_text(json.dumps(meta))
    (directory / "7").mkdir()
    (directory / "7/meta.json").write_text("{")
    write_problem(directory / "8", {"language": 1, "tasks": [whole | {"timeLimit": 500}]}, one)
    for path in [directory, *directory.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
