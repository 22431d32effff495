# Right, but on stdout.
with open("sum.in") as file:
    print(sum(map(int, file.read().split())))
