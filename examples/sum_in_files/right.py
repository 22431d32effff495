with open("sum.in") as file, open("sum.out", "w") as out:
    print(sum(map(int, file.read().split())), file=out)
