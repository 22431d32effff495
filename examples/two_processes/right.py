mine = int(input())
print("tell", mine, flush=True)
print("sum", mine + int(input()), flush=True)
