# Process 1 tells its number and leaves.
import sys
mine = int(input())
print("tell", mine, flush=True)
if sys.argv[1] == "0":
    print("sum", mine + int(input()), flush=True)
