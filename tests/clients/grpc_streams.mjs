// ExecStream.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import { client, cmd, endOf } from './grpc_client.mjs';
import { ms, test } from './tap.mjs';

const stream = { files: [{ streamIn: {} }, { streamOut: {} }, { streamOut: {} }] };

class Conversation {
  constructor() {
    this.call = client.ExecStream();
    this.output = {};
    this.changed = () => {};
    this.call.on('data', (message) => {
      if (message.execOutput) {
        const { fd, content } = message.execOutput;
        this.output[fd] = (this.output[fd] ?? '') + content.toString();
      } else this.response = message.execResponse;
      this.changed();
    });
    this.ended = endOf(this.call);
  }
  start(args, more = {}) {
    this.call.write({ execRequest: { requestID: 's1', cmd: [cmd(args, { ...stream, ...more })] } });
    return this;
  }
  send(text, fd = 0) {
    this.call.write({ execInput: { index: 0, fd, content: Buffer.from(text) } });
  }
  async until(predicate) {
    while (!predicate(this.output)) await new Promise((resolve) => (this.changed = resolve));
  }
}

test('ExecStream carries input and output, and the end of the input ends the program', async () => {
  const talk = new Conversation().start(['cat']);
  talk.send('hello ');
  await talk.until((output) => output[1] === 'hello ');
  talk.send('world');
  await talk.until((output) => output[1] === 'hello world');
  talk.call.end();
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.equal(talk.response.requestID, 's1');
  assert.equal(talk.response.results[0].status, 'Accepted');
});

test('ExecStream tells the outputs apart', async () => {
  const talk = new Conversation().start(['sh', '-c', 'echo out; echo err >&2']);
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.deepEqual(talk.output, { 1: 'out\n', 2: 'err\n' });
});

test('ExecStream loses nothing of a large output', async () => {
  const talk = new Conversation().start(['seq', '1', '300000']);
  assert.equal((await talk.ended).code, grpc.status.OK);
  const lines = talk.output[1].split('\n');
  assert.equal(lines.length, 300001);
  assert.equal(lines[299999], '300000');
});

test('ExecStream cancels on request: the result is that of a killed program', async () => {
  const talk = new Conversation().start(['sh', '-c', 'echo up; sleep 100'], { clockTimeLimit: 200_000 * ms });
  await talk.until((output) => output[1] === 'up\n');
  talk.call.write({ execCancel: {} });
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.equal(talk.response.results[0].status, 'Signalled');
  assert.equal(talk.response.results[0].exitStatus, 9);
});

test('ExecStream gives a terminal that can be resized', async () => {
  const talk = new Conversation();
  talk.start(['sh', '-c', 'read a; stty size; read b; stty size; cat'], { tty: true, env: ['PATH=/usr/bin:/bin', 'TERM=xterm'] });
  talk.call.write({ execResize: { index: 0, fd: 0, rows: 33, cols: 77 } });
  talk.send('\n');
  await talk.until((output) => output[1]?.includes('33 77'));
  talk.call.write({ execResize: { index: 0, fd: 0, rows: 44, cols: 88 } });
  talk.send('\n');
  await talk.until((output) => output[1].includes('44 88'));
  talk.call.end(); // the terminal's end of file
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.equal(talk.response.results[0].status, 'Accepted', talk.response.results[0].error);
});

test('ExecStream leaves what is printed on a terminal to the collector when nothing is streamed out', async () => {
  const files = [{ streamIn: {} }, { pipe: { name: 'out', max: 400000 } }];
  const talk = new Conversation();
  talk.start(['sh', '-c', 'read a; echo got $a; seq 1 20000'], { tty: true, files, env: ['PATH=/usr/bin:/bin', 'TERM=xterm'] });
  talk.send('typed\n');
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.deepEqual(talk.output, {});
  const [result] = talk.response.results;
  assert.equal(result.status, 'Accepted', result.error);
  const text = result.files.out.toString();
  assert.ok(text.includes('got typed\r\n') && text.endsWith('20000\r\n'), text.slice(0, 100));
});

test('ExecStream streams descriptors of any number', async () => {
  const files = [...Array(20).fill({ memory: { content: Buffer.alloc(0) } }), { streamIn: {} }, { streamOut: {} }];
  const talk = new Conversation().start(['bash', '-c', 'read -u 20 a; echo got $a >&21'], { files });
  talk.send('twenty\n', 20);
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.equal(talk.response.results[0].status, 'Accepted', talk.response.results[0].error);
  assert.deepEqual(talk.output, { 21: 'got twenty\n' });
});

test('ExecStream tells a missing file in its last message', async () => {
  const talk = new Conversation().start(['cat', 'x'], { copyIn: { x: { cached: { fileID: 'AAAAAAAA' } } } });
  assert.equal((await talk.ended).code, grpc.status.OK);
  assert.match(talk.response.error, /AAAAAAAA/);
});

test('ExecStream refuses what breaks its rules', async () => {
  const wrong = async (message, started, text) => {
    const talk = new Conversation();
    if (started) talk.start(['cat']);
    talk.call.write(message);
    const status = await talk.ended;
    assert.equal(grpc.status[status.code], 'INVALID_ARGUMENT', status.details);
    assert.match(status.details, text);
  };
  await wrong({ execInput: {} }, false, /first message/);
  await wrong({ execRequest: { cmd: [] } }, false, /no cmd provided/);
  await wrong({ execRequest: { cmd: [cmd(['cat'], stream)] } }, true, /one execRequest only/);
  await wrong({ execInput: { index: 0, fd: 1 } }, true, /no streamIn/);
  await wrong({ execResize: { index: 0, fd: 0 } }, true, /no tty/);
});

test('ExecStream is cancelled when the client goes', async () => {
  const talk = new Conversation().start(['sh', '-c', 'echo up; sleep 100'], { clockTimeLimit: 200_000 * ms });
  await talk.until((output) => output[1] === 'up\n');
  talk.call.cancel();
  assert.equal((await talk.ended).code, grpc.status.CANCELLED);
});
