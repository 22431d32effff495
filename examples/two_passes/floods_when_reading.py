task, text = input(), input()
if task == "write":
    print("".join(format(ord(c), "08b") for c in text).replace("0", "a").replace("1", "b"))
else:
    while True:
        print("x" * 65536)
