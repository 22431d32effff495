"""Submissions that are more than an interpreter and a comparison: a compiler, a checker, a dialogue. Each kind is a function
of a number that gives (wish, verdict)."""
from restart import LIMITS, TESTS

# Each source says its number, so that nothing of it was compiled before.
SUM = '#include <stdio.h>\nint main(void) {{ int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b{more}); }} /* {number} */\n'
CHECKER = """#include <stdio.h>
int main(int count, char** names) {{
  int said = 0, right = 0;
  fscanf(fopen(names[2], "r"), "%d", &said);
  fscanf(fopen(names[3], "r"), "%d", &right);
  fprintf(stderr, said == right ? "ok" : "wrong answer");
  return said != right;
}} /* {number} */
"""
INTERACTOR = """import sys
a, b = map(int, open(sys.argv[1]).read().split())
for turn in range(50):
    print(a + turn, b, flush=True)
    if int(input()) != a + turn + b: sys.exit(1)
print(0, 0, flush=True)
"""
PARTNER = "while (pair := input()) != '0 0':\n    a, b = map(int, pair.split())\n    print(a + b{more}, flush=True)\n"


def compiled(verdict):
    more = {"AC": "", "WA": " + 1"}[verdict]
    return lambda number: ({"language": "c", "source": SUM.format(more=more, number=number),
                            "problem": {"limits": LIMITS, "tests": TESTS}}, verdict)


def not_compiling(number):
    return {"language": "cpp", "source": f"int main() {{ return {number}; }}", "problem": {"limits": LIMITS, "tests": TESTS}}, "CE"


def checked(verdict):
    more = {"AC": "", "WA": " + 1"}[verdict]
    return lambda number: ({"language": "python", "source": f"a, b = map(int, input().split()); print(a + b{more})",
                            "problem": {"limits": LIMITS, "tests": TESTS,
                                        "checker": {"language": "c", "source": CHECKER.format(number=number)}}}, verdict)


def in_dialogue(verdict):
    more = {"AC": "", "WA": " + 1"}[verdict]
    return lambda number: ({"language": "python", "source": PARTNER.format(more=more),
                            "problem": {"type": "interactive", "limits": LIMITS, "tests": TESTS,
                                        "interactor": {"language": "python3", "source": INTERACTOR, "protocol": "testlib"}}}, verdict)


OTHERS = [not_compiling, *(kind(verdict) for kind in (compiled, checked, in_dialogue) for verdict in ("AC", "AC", "WA"))]
