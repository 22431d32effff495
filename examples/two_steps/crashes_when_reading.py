import sys

assert sys.argv[1] == "0"
print("01")
