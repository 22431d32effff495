import sys

while True:
    sys.stdout.write("? 1\n" * 10000)
