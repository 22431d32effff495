# Wrong in "small", so that "large" is not even run.
print(0)
