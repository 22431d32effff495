import sys

from gap import largest_gap

print(largest_gap([int(word) for word in sys.stdin.read().split()[1:]]))
