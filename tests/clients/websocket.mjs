// /ws: many requests on one connection; /stream is in websocket_stream.mjs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { command, run, setting, test } from './tap.mjs';
import { long, Socket } from './websocket_client.mjs';
import './websocket_stream.mjs';

class Requests extends Socket {
  static async open(...where) {
    const made = new Requests('/ws', ...where);
    await once(made.socket, 'open');
    return made;
  }
  ask(message) {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  async answer() {
    return JSON.parse(await this.next());
  }
}

test('/ws answers with the id of the request', async () => {
  const ws = await Requests.open();
  ws.ask({ requestId: 'r1', cmd: [command(['echo', 'hello'])] });
  const answer = await ws.answer();
  assert.equal(answer.requestId, 'r1');
  assert.equal(answer.error, undefined);
  assert.equal(answer.results[0].status, 'Accepted', answer.results[0].error);
  assert.equal(answer.results[0].files.stdout, 'hello\n');
  await ws.close();
});

test('/ws runs many requests of one connection at once', async () => {
  const ws = await Requests.open();
  const expected = new Map();
  for (let i = 0; i < 40; i += 1) {
    expected.set(`r${i}`, `${i}\n`);
    ws.ask({ requestId: `r${i}`, cmd: [command(['echo', `${i}`])] });
  }
  while (expected.size > 0) {
    const { requestId, results } = await ws.answer();
    assert.equal(results[0].files.stdout, expected.get(requestId));
    expected.delete(requestId);
  }
  await ws.close();
});

test('/ws cancels a running request, which is then Signalled', async () => {
  const ws = await Requests.open();
  ws.ask({ requestId: 'slow', cmd: [long(['sleep', '100'])] });
  ws.ask({ requestId: 'quick', cmd: [command(['true'])] }); // its answer shows that the server has heard the first
  assert.equal((await ws.answer()).requestId, 'quick');
  ws.ask({ cancelRequestId: 'slow' });
  const answer = await ws.answer();
  assert.equal(answer.requestId, 'slow');
  assert.equal(answer.results[0].status, 'Signalled');
  assert.equal(answer.results[0].exitStatus, 9);
  await ws.close();
});

test('/ws cancels a request that waits, which then has an error', async () => {
  const ws = await Requests.open();
  const busy = Array.from({ length: 64 }, (_, i) => `b${i}`); // more than there are places
  for (const requestId of busy) ws.ask({ requestId, cmd: [long(['sleep', '100'])] });
  ws.ask({ requestId: 'last', cmd: [command(['true'])] });
  ws.ask({ cancelRequestId: 'last' });
  const answer = await ws.answer();
  assert.equal(answer.requestId, 'last');
  assert.match(answer.error, /cancelled before execute/);
  for (const cancelRequestId of busy) ws.ask({ cancelRequestId });
  for (const _ of busy) await ws.answer();
  await ws.close();
});

test('/ws refuses an empty id', async () => {
  const ws = await Requests.open();
  ws.ask({ cmd: [command(['true'])] });
  assert.deepEqual(await ws.answer(), { requestId: '', results: null, error: 'empty request id' });
  await ws.close();
});

test('/ws refuses an id that is still in use, and lets it be used again later', async () => {
  const ws = await Requests.open();
  ws.ask({ requestId: 'r2', cmd: [long(['sleep', '100'])] });
  ws.ask({ requestId: 'r2', cmd: [command(['true'])] });
  const refused = await ws.answer();
  assert.equal(refused.requestId, 'r2');
  assert.equal(refused.error, 'duplicated request id: "r2"');
  ws.ask({ cancelRequestId: 'r2' });
  assert.equal((await ws.answer()).requestId, 'r2');
  ws.ask({ requestId: 'r2', cmd: [command(['true'])] });
  assert.equal((await ws.answer()).results[0].status, 'Accepted');
  await ws.close();
});

test('/ws tells a missing file as an error of that request', async () => {
  const ws = await Requests.open();
  ws.ask({ requestId: 'r3', cmd: [command(['cat'], { files: [{ fileId: 'AAAAAAAA' }] })] });
  const answer = await ws.answer();
  assert.equal(answer.requestId, 'r3');
  assert.match(answer.error, /AAAAAAAA/);
  await ws.close();
});

test('/ws takes an unknown cancel for nothing', async () => {
  const ws = await Requests.open();
  ws.ask({ cancelRequestId: 'nobody' });
  ws.ask({ requestId: 'r4', cmd: [command(['true'])] });
  assert.equal((await ws.answer()).requestId, 'r4');
  await ws.close();
});

test('/ws closes the connection at what is no request', async () => {
  const ws = await Requests.open();
  ws.ask('{"requestId": "r5", "cmd": [');
  await ws.closed;
});

test('/ws cancels what runs when the connection closes', async () => {
  const ws = await Requests.open();
  for (let i = 0; i < 8; i += 1) ws.ask({ requestId: `r${i}`, cmd: [long(['sleep', '100'])] });
  await ws.close();
  const again = await Requests.open(); // no place is taken by them
  again.ask({ requestId: 'r', cmd: [command(['true'])] });
  assert.equal((await again.answer()).results[0].status, 'Accepted');
  await again.close();
});

test('/ws and /stream want the token', async () => {
  const base = setting('ASSAY_AUTH_HTTP');
  const authorization = `Bearer ${setting('ASSAY_AUTH_TOKEN')}`;
  for (const path of ['/ws', '/stream']) {
    const refused = new Socket(path, { base });
    await refused.closed;
    assert.match(String(refused.error), /401/);
    const taken = await Socket.open(path, { base, headers: { authorization } });
    await taken.close();
  }
});

await run();
