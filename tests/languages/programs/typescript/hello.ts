declare const console: { log(text: string): void };
const greeting: string = "Hello, World!";
console.log(greeting);
