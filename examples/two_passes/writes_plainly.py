task, text = input(), input()
print(text)
