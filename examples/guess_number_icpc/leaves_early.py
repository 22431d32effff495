# One guess, and the end.
n = int(input())
print(n // 2 + 1 if n > 1 else 2, flush=True)
