import sys

print("01", flush=True)
while sys.argv[1] == "1":
    pass
