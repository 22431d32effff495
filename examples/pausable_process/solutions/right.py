n = int(input())
before = [0]
for x in map(int, input().split()):
    before.append(before[-1] + x)
print("ready", flush=True)
while True:
    try:
        first, last = map(int, input().split())
    except EOFError:
        break
    print(before[last] - before[first], flush=True)
