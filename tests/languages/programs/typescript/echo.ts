declare function require(name: string): any;
declare const process: any;
process.stdout.write(require("fs").readFileSync(0));
