with open("sum.out", "w") as out:
    while True:
        out.write("0" * 65536)
