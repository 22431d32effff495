from numbers_of import gcd

print(gcd(*map(int, input().split())))
