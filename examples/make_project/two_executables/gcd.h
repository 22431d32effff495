long gcd(long a, long b);
