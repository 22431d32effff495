#!/usr/bin/env python3
"""The map from the rows of the reference to their tests, made from the tests themselves.

usage: rows.py            prints it (rows.md)
       rows.py --check    fails when rows.md is not what the tests say, or a test stands for no row
"""
import importlib, pathlib, sys

import suite

FILES = ["rest_routes", "run_request", "cmd_file", "copy_in", "result", "pipes", "ws", "stream", "grpc", "configuration",
         "store_and_worker", "hydro_needs"]
HEAD = """# Rows of the API reference and their tests

Made by `tests/conformance/rows.py` from the tests' own words; `ctest -R conformance.rows` fails when it is out of date.
§ is the section of the go-judge API reference. "better here" marks what the reference calls a defect: the test then shows the
better behaviour.

"""


def cell(text):
    return text.replace("|", "\\|")


def table():
    lines = []
    for file in FILES:
        suite.rows.clear()
        suite.not_tested.clear()
        module = importlib.import_module(file)
        lines += [f"## {file}.py", "", " ".join(module.__doc__.split()), "", "| § | row | test |", "|---|---|---|"]
        lines += [f"| {cell(each.section)} | {cell(each.text)} | `{file}.{each.name}` |" for each in suite.rows]
        lines += [f"| {cell(section)} | {cell(text)} | none: {cell(why)} |" for section, text, why in suite.not_tested]
        lines.append("")
        names = [each.name for each in suite.rows]
        if len(set(names)) != len(names) or not all(each.text for each in suite.rows):
            sys.exit(f"{file}: a name occurs twice, or a test has no row")
    return HEAD + "\n".join(lines)


if __name__ == "__main__":
    made = table()
    if sys.argv[1:] != ["--check"]:
        print(made, end="")
    elif pathlib.Path(__file__).with_name("rows.md").read_text() != made:
        sys.exit("rows.md is out of date: tests/conformance/rows.py > tests/conformance/rows.md")
