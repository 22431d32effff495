open("notes.txt", "w").write(input())
print(16)
