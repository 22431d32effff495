const all: number[][] = [];
for (let i = 0; ; ++i) all.push(new Array<number>(1 << 15).fill(i + 0.5));
