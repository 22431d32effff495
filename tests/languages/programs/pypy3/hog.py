kept = []
while True:
    kept.append(bytearray(b"x") * (1 << 20))
