task, text = input(), input()
if task == "write":
    print("".join(format(ord(c), "08b") for c in text).replace("0", "a").replace("1", "b"))
else:
    bits = text.replace("a", "0").replace("b", "1")
    print("".join(chr(int(bits[i:i + 8], 2)) for i in range(0, len(bits), 8)))
