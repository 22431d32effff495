input()
print("hello teacher", flush=True)
