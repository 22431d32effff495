import * as fs from "fs";
import * as readline from "node:readline";
const lines: string[] = [];
readline
  .createInterface({ input: process.stdin })
  .on("line", line => lines.push(line))
  .on("close", () => {
    const greeting: string = Buffer.from("Hello, World!").toString();
    if (lines.length === 0 && fs.existsSync("/")) console.log(greeting);
  });
