import time

input()
print("? 1", flush=True)
while True:
    time.sleep(10)
