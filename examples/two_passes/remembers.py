# What one pass leaves in its work directory is not there in the next.
import os
task, text = input(), input()
if task == "write":
    open("memory", "w").write(text)
    open("/tmp/memory", "w").write(text)
    print("ab")
else:
    print([open(name).read() for name in ("memory", "/tmp/memory") if os.path.exists(name)] or "forgotten")
