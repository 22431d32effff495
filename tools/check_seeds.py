#!/usr/bin/env python3
"""check_seeds.py: docs/SEEDS.md has every row once, every row has a test or a word why not, and every test exists."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent
EXPECTED = [f"F{n:02}" for n in range(1, 33)] + [f"R{n:02}" for n in range(1, 25)] + [f"C-{n}" for n in range(1, 36)]
EXPECTED += [f"N{n:02}" for n in range(1, 26)]
EXPECTED += [f"T{n:02}" for n in range(1, 13)]
EXCUSES = ("in work", "not done")


def tests_there_are():
    names = set()
    for path in root.glob("tests/**/*.cc"):
        names |= {f"{suite}.{name}" for suite, name in
                  re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", path.read_text(), re.M)}
    cmake = (root / "tests/CMakeLists.txt").read_text()
    names |= set(re.findall(r"add_test\(NAME ([\w.]+)", cmake))
    for folder in ("load", "conformance", "clients", "judging"):
        names |= {f"{folder}.{path.stem}" for path in root.glob(f"tests/{folder}/*.py")}
        names |= {f"{folder}.{path.stem}.{name}" for path in root.glob(f"tests/{folder}/*.py")
                  for name in re.findall(r"^def (\w+)", path.read_text(), re.M)}
    return names


def main():
    known, wrong, rows = tests_there_are(), [], {}
    for line in (root / "docs/SEEDS.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[0] in ("row", "what") or set(cells[0]) == {"-"}:
            continue
        named = re.findall(r"`([^`]+)`", cells[-1])
        wrong += [f"{cells[0]}: there is no test '{name}'" for name in named if name not in known]
        if not named and not any(excuse in cells[-1] for excuse in EXCUSES):
            wrong.append(f"{cells[0]}: neither a test nor one of: {', '.join(EXCUSES)}")
        if len(cells) == 3:
            rows[cells[0]] = rows.get(cells[0], 0) + 1
    wrong += [f"{row}: is there {rows.get(row, 0)} times" for row in EXPECTED if rows.get(row) != 1]
    wrong += [f"{row}: is no row of the checklist" for row in rows if row not in EXPECTED]
    print("\n".join(wrong) if wrong else f"seeds ok: {len(rows)} rows")
    return 1 if wrong else 0


sys.exit(main())
