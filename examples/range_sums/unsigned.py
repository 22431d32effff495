# Loses the sign: wrong in one test of "signs", which costs that test's points alone.
import sys

n, q, *numbers = map(int, sys.stdin.read().split())
queries = numbers[n:]
for left, right in zip(queries[::2], queries[1::2]):
    print(abs(sum(numbers[left - 1 : right])))
