# Process 1 never says anything.
import sys, time
mine = int(input())
if sys.argv[1] == "1":
    time.sleep(3600)
print("tell", mine, flush=True)
print("sum", mine + int(input()), flush=True)
