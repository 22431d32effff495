// /stream: one execution per connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { command, ms, test } from './tap.mjs';
import { Socket } from './websocket_client.mjs';

const Frame = { request: 1, resize: 2, input: 3, cancel: 4, end: 5 };
const Answer = { response: 1, output: 2 };
const streams = { files: [{ streamIn: true }, { streamOut: true }, { streamOut: true }] };

class Stream extends Socket {
  constructor(options) {
    super('/stream', options);
    this.output = {};
  }
  static async open(options) {
    const made = new Stream(options);
    await once(made.socket, 'open');
    return made;
  }
  frame(type, ...parts) {
    this.socket.send(Buffer.concat([Buffer.from([type]), ...parts.map((part) => Buffer.from(part))]));
  }
  start(args, more = {}) {
    const request = { requestId: 's1', cmd: [command(args, { ...streams, clockLimit: 200_000 * ms, ...more })] };
    this.frame(Frame.request, JSON.stringify(request));
  }
  input(text, index = 0, fd = 0) {
    this.frame(Frame.input, [(index << 4) | fd], text);
  }
  // Takes messages until the results come or `enough` of the output is there.
  async take(enough = () => false) {
    while (!enough(this.output)) {
      const message = await this.next();
      assert.ok(Buffer.isBuffer(message), 'a frame is binary');
      if (message[0] === Answer.response) return JSON.parse(message.subarray(1).toString());
      assert.equal(message[0], Answer.output);
      const fd = message[1] & 15;
      assert.ok(message.length <= 2 + 32 * 1024, `a frame of ${message.length} bytes`);
      this.output[fd] = (this.output[fd] ?? '') + message.subarray(2).toString();
    }
    return undefined;
  }
}

test('/stream carries input and output', async () => {
  const stream = await Stream.open();
  stream.start(['cat']);
  stream.input('hello ');
  await stream.take((output) => output[1] === 'hello ');
  stream.input('world');
  await stream.take((output) => output[1] === 'hello world');
  stream.frame(Frame.cancel);
  const answer = await stream.take();
  assert.equal(answer.results[0].status, 'Signalled');
  await stream.closed;
});

test('/stream ends the input of a program with an end frame', async () => {
  const stream = await Stream.open();
  stream.start(['cat']);
  stream.input('to the end');
  stream.frame(Frame.end, [0]);
  const answer = await stream.take();
  assert.equal(answer.results[0].status, 'Accepted', answer.results[0].error);
  assert.equal(stream.output[1], 'to the end');
  await stream.closed;
});

test('/stream tells the outputs apart, and the results come after all of them', async () => {
  const stream = await Stream.open();
  stream.start(['sh', '-c', 'seq 1 100000; echo err >&2']);
  const answer = await stream.take();
  assert.equal(answer.results[0].status, 'Accepted');
  assert.ok(stream.output[1].endsWith('\n100000\n'));
  assert.equal(stream.output[2], 'err\n');
  await stream.closed;
});

test('/stream tells two commands apart', async () => {
  const stream = await Stream.open();
  const second = command(['cat'], streams);
  stream.frame(Frame.request, JSON.stringify({ cmd: [command(['true'], streams), second] }));
  stream.input('second', 1, 0);
  stream.frame(Frame.end, [1 << 4]);
  stream.frame(Frame.end, [0]);
  const answer = await stream.take();
  assert.deepEqual(answer.results.map(({ status }) => status), ['Accepted', 'Accepted']);
  assert.equal(stream.output[1], 'second');
});

test('/stream gives a terminal that can be resized', async () => {
  const stream = await Stream.open();
  stream.start(['sh', '-c', 'read a; stty size; read b; stty size'], { tty: true, env: ['PATH=/usr/bin:/bin', 'TERM=xterm'] });
  const all = (output) => Object.values(output).join('');
  stream.frame(Frame.resize, JSON.stringify({ index: 0, fd: 0, rows: 33, cols: 77, x: 0, y: 0 }));
  stream.input('\n');
  await stream.take((output) => all(output).includes('33 77'));
  stream.frame(Frame.resize, JSON.stringify({ index: 0, fd: 0, rows: 44, cols: 88, x: 0, y: 0 }));
  stream.input('\n');
  const answer = await stream.take();
  assert.ok(all(stream.output).includes('44 88'), all(stream.output));
  assert.equal(answer.results[0].status, 'Accepted', answer.results[0].error);
});

test('/stream takes an empty input for nothing', async () => {
  const stream = await Stream.open();
  stream.start(['head', '-c', '1']);
  stream.input('');
  stream.input('x');
  const answer = await stream.take();
  assert.equal(answer.results[0].status, 'Accepted');
  assert.equal(stream.output[1], 'x');
});

for (const [what, send] of [
  ['input before the request', (stream) => stream.input('x')],
  ['an unknown frame', (stream) => stream.frame(9)],
  ['an empty frame', (stream) => stream.socket.send(Buffer.alloc(0))],
  ['a text frame that is no request', (stream) => stream.socket.send('x')],
  ['a request that is no JSON', (stream) => stream.frame(Frame.request, '{')],
])
  test(`/stream closes the connection at ${what}`, async () => {
    const stream = await Stream.open();
    send(stream);
    await stream.closed;
  });
