import sys

input_file, _, feedback = sys.argv[1:4]


def leave(code, message):
    open(feedback + "/judgemessage.txt", "w").write(message)
    sys.exit(code)


task, text = open(input_file).read().split("\n")[:2]
said = sys.stdin.read().split()
if len(said) != 1:
    leave(43, f"one word was expected, not {len(said)}")
if task == "write":
    if set(said[0]) - set("ab"):
        leave(43, "only a and b may be used")
    if len(said[0]) > 8 * len(text):
        leave(43, "too long")
    open(feedback + "/nextpass.in", "w").write(f"read\n{said[0]}\n")
    leave(42, "written")
secret = open(sys.argv[2]).read().strip()
leave(42 if said[0] == secret else 43, "read" if said[0] == secret else f"'{secret}' was read as '{said[0][:40]}'")
