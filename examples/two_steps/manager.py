import sys

text = open(sys.argv[1]).read().strip()
written = sys.stdin.read().strip()
if set(written) - set("01"):
    sys.stderr.write("wrong answer there is more than 0 and 1 in what was written")
    sys.exit(1)
if len(written) > 5 * len(text):
    sys.stderr.write(f"wrong answer {len(written)} digits for {len(text)} letters")
    sys.exit(1)
print(written)
