let last;
for (let i = 0; i < 8000; ++i) last = new Array(1 << 15).fill(i + 0.5);
