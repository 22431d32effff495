import sys

n, q, *numbers = map(int, sys.stdin.read().split())
sums = [0]
for x in numbers[:n]:
    sums.append(sums[-1] + x)
queries = numbers[n:]
for left, right in zip(queries[::2], queries[1::2]):
    print(sums[right] - sums[left - 1])
