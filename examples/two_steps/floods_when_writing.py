import sys

while sys.argv[1] == "0":
    print("01" * 1000)
