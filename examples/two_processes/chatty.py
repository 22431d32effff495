# Right, but says everything twice.
mine = int(input())
for _ in range(2):
    print("tell", mine, flush=True)
print("sum", mine + int(input()), flush=True)
