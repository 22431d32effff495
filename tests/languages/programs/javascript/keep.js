const all = [];
for (let i = 0; i < 128; ++i) all.push(new Array(1 << 15).fill(i + 0.5));
console.log(all.length);
