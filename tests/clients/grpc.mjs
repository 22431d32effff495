// pb.Executor: the calls, files, errors, authorization, health and reflection; streams are in grpc_streams.mjs, judging is in
// grpc_judging.mjs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import grpc from '@grpc/grpc-js';
import { address, call, client, cmd, collector, endOf, options, pb, refused } from './grpc_client.mjs';
import './grpc_judging.mjs';
import './grpc_streams.mjs';
import { MiB, ms, run, setting, test } from './tap.mjs';

test('Exec runs a command and answers the request id', async () => {
  const answer = await call('Exec', { requestID: 'r1', cmd: [cmd(['echo', 'hello'])] });
  assert.equal(answer.requestID, 'r1');
  assert.equal(answer.error, '');
  const [result] = answer.results;
  assert.equal(result.status, 'Accepted', result.error);
  assert.equal(result.exitStatus, 0);
  assert.equal(result.files.stdout.toString(), 'hello\n');
  assert.ok(result.time > 0 && result.runTime > 0 && result.memory > 0, JSON.stringify(result));
});

test('Exec gives bytes as they are', async () => {
  const content = Buffer.from([0, 255, 254, 10, 128]);
  const files = [{ memory: { content } }, collector('stdout')];
  const [result] = (await call('Exec', { cmd: [cmd(['cat'], { files })] })).results;
  assert.deepEqual(result.files.stdout, content);
});

test('Exec copies in and out, links, and tells which file is missing', async () => {
  const script = 'cat link > out; cat dir/b >> out';
  const request = {
    cmd: [
      cmd(['sh', '-c', script], {
        copyIn: { a: { memory: { content: Buffer.from('A') } }, 'dir/b': { memory: { content: Buffer.from('B') } } },
        symlinks: { link: 'a' },
        copyOut: [{ name: 'out' }, { name: 'perhaps', optional: true }, { name: 'missing' }],
      }),
    ],
  };
  const [result] = (await call('Exec', request)).results;
  assert.equal(result.status, 'FileError');
  assert.equal(result.files.out.toString(), 'AB');
  assert.deepEqual(
    result.fileError.map(({ name, type }) => [name, type]),
    [['missing', 'CopyOutOpen']],
  );
});

test('Exec honours copyOutMax and copyOutTruncate', async () => {
  const more = { copyOut: [{ name: 'out' }], copyOutMax: 4 };
  const script = ['sh', '-c', 'printf 123456789 > out'];
  let [result] = (await call('Exec', { cmd: [cmd(script, more)] })).results;
  assert.equal(result.status, 'FileError');
  assert.equal(result.fileError[0].type, 'CopyOutSizeExceeded');
  assert.equal(result.files.out, undefined);
  [result] = (await call('Exec', { cmd: [cmd(script, { ...more, copyOutTruncate: true })] })).results;
  assert.equal(result.status, 'FileError');
  assert.equal(result.files.out.toString(), '1234');
});

test('Exec tells limits and failures apart', async () => {
  const status = async (args, more) => (await call('Exec', { cmd: [cmd(args, more)] })).results[0].status;
  assert.equal(await status(['sh', '-c', 'exit 3']), 'NonZeroExitStatus');
  assert.equal(await status(['sh', '-c', 'kill -SEGV $$']), 'Signalled');
  assert.equal(await status(['sh', '-c', 'while :; do :; done'], { cpuTimeLimit: 100 * ms }), 'TimeLimitExceeded');
  assert.equal(await status(['sleep', '10'], { clockTimeLimit: 100 * ms }), 'TimeLimitExceeded');
  const files = [{ memory: {} }, collector('stdout', 10)];
  assert.equal(await status(['echo', 'more than ten bytes'], { files }), 'OutputLimitExceeded');
  assert.equal(await status(['/nowhere/program']), 'InternalError');
});

for (const disableZeroCopy of [false, true])
  test(`Exec joins two commands by a relayed pipe and keeps what went through, disableZeroCopy ${disableZeroCopy}`, async () => {
    const request = {
      cmd: [
        cmd(['echo', 'through the pipe'], { files: [{ memory: {} }, {}, collector('stderr')] }),
        cmd(['cat'], { files: [{}, collector('stdout'), collector('stderr')] }),
      ],
      pipeMapping: [
        { in: { index: 0, fd: 1 }, out: { index: 1, fd: 0 }, proxy: true, name: 'talk', max: 7, disableZeroCopy },
      ],
    };
    const { results } = await call('Exec', request);
    assert.deepEqual(results.map(({ status }) => status), ['Accepted', 'Accepted']);
    assert.equal(results[0].files.talk.toString(), 'through');
    assert.equal(results[1].files.stdout.toString(), 'through the pipe\n');
  });

test('Exec refuses what it cannot understand with INVALID_ARGUMENT', async () => {
  await refused(call('Exec', { cmd: [] }), 'INVALID_ARGUMENT', /no cmd provided/);
  await refused(
    call('Exec', { cmd: [cmd(['true'], { files: [{ streamIn: {} }] })] }),
    'INVALID_ARGUMENT',
    /cmd\[0\]\.files\[0\]: .*ExecStream/,
  );
  await refused(
    call('Exec', { cmd: [cmd(['true'], { files: [collector('stdout', -1)] })] }),
    'INVALID_ARGUMENT',
    /cmd\[0\]\.files\[0\]\.pipe\.max: expected integer >= 0, got -1/,
  );
});

test('Exec says INTERNAL for a file that does not exist', async () => {
  const files = [{ cached: { fileID: 'AAAAAAAA' } }];
  await refused(call('Exec', { cmd: [cmd(['cat'], { files })] }), 'INTERNAL', /AAAAAAAA/);
});

test('Exec is cancelled when the client goes, and the place is free again', async () => {
  const calls = [];
  const ended = Array.from({ length: 8 }, () =>
    new Promise((resolve) => {
      calls.push(client.Exec({ cmd: [cmd(['sleep', '100'], { clockTimeLimit: 200_000 * ms })] }, (error) => resolve(error)));
    }),
  );
  await call('FileList', {}); // by now the server has heard them; cancelled any sooner, grpc-js would never tell it
  calls.forEach((each) => each.cancel());
  for (const error of await Promise.all(ended)) assert.equal(error.code, grpc.status.CANCELLED);
  const [result] = (await call('Exec', { cmd: [cmd(['echo', 'free'])] })).results;
  assert.equal(result.status, 'Accepted');
});

test('Exec ends at the deadline of the client', async () => {
  const deadline = Date.now() + 300;
  const request = { cmd: [cmd(['sleep', '100'], { clockTimeLimit: 200_000 * ms })] };
  await refused(call('Exec', request, { deadline }), 'DEADLINE_EXCEEDED');
});

test('files are added, listed, got, used and deleted', async () => {
  const content = Buffer.from([1, 0, 255]);
  const { fileID } = await call('FileAdd', { name: 'a.bin', content });
  assert.match(fileID, /^[A-Z2-7]{8,}$/);
  assert.equal((await call('FileList', {})).fileIDs[fileID], 'a.bin');
  assert.deepEqual(await call('FileGet', { fileID }), { name: 'a.bin', content });
  const files = [{ cached: { fileID } }, collector('stdout')];
  const [result] = (await call('Exec', { cmd: [cmd(['cat'], { files })] })).results;
  assert.deepEqual(result.files.stdout, content);
  await call('FileDelete', { fileID });
  assert.equal((await call('FileList', {})).fileIDs[fileID], undefined);
  await refused(call('FileGet', { fileID }), 'NOT_FOUND');
  await refused(call('FileDelete', { fileID }), 'NOT_FOUND');
});

test('copyOutCached keeps files and collectors in the store', async () => {
  const request = {
    cmd: [
      cmd(['sh', '-c', 'echo printed; echo kept > file'], { copyOutCached: [{ name: 'file' }, { name: 'stdout' }] }),
    ],
  };
  const [result] = (await call('Exec', request)).results;
  assert.equal(result.status, 'Accepted', result.error);
  assert.equal(result.files.stdout, undefined);
  const text = async (name) => (await call('FileGet', { fileID: result.fileIDs[name] })).content.toString();
  assert.equal(await text('file'), 'kept\n');
  assert.equal(await text('stdout'), 'printed\n');
  for (const fileID of Object.values(result.fileIDs)) await call('FileDelete', { fileID });
});

test('a message over the limit is refused, and the connection lives on', async () => {
  const content = Buffer.alloc(2 * MiB);
  await refused(call('FileAdd', { name: 'big', content }), 'RESOURCE_EXHAUSTED');
  assert.ok(await call('FileList', {}));
});

test('a file over the limit gives a clear status', async () => {
  const request = { cmd: [cmd(['head', '-c', `${2 * MiB}`, '/dev/zero'], {
    files: [{ memory: {} }, collector('stdout', 4 * MiB)],
    copyOutCached: [{ name: 'stdout' }],
  })] };
  const [result] = (await call('Exec', request)).results;
  assert.equal(result.status, 'Accepted', result.error);
  const fileID = result.fileIDs.stdout;
  await refused(call('FileGet', { fileID }), 'RESOURCE_EXHAUSTED', /2097152 bytes/);
  await call('FileDelete', { fileID });
});

const raw = { out: (buffer) => buffer, in: (buffer) => buffer };

test('the health service says that it serves', async () => {
  const plain = new grpc.Client(address, grpc.credentials.createInsecure());
  const answer = await new Promise((resolve, reject) => {
    plain.makeUnaryRequest('/grpc.health.v1.Health/Check', raw.out, raw.in, Buffer.alloc(0), (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
  assert.deepEqual([...answer], [8, 1]); // status = SERVING
  plain.close();
});

test('reflection names the services', async () => {
  const plain = new grpc.Client(address, grpc.credentials.createInsecure());
  const asked = plain.makeBidiStreamRequest(
    '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo', raw.out, raw.in);
  asked.write(Buffer.from([0x3a, 0])); // list_services = ""
  const [answer] = await once(asked, 'data');
  for (const service of ['pb.Executor', 'assay.v1.Judging']) assert.ok(answer.toString('latin1').includes(service));
  asked.end();
  plain.close();
});

test('every method wants the token, in any case of the scheme', async () => {
  const on = new pb.Executor(setting('ASSAY_AUTH_GRPC'), grpc.credentials.createInsecure(), options);
  const token = setting('ASSAY_AUTH_TOKEN');
  const metadata = (authorization) => {
    const made = new grpc.Metadata();
    made.set('authorization', authorization);
    return made;
  };
  const messages = { Exec: { cmd: [] }, FileList: {}, FileGet: {}, FileAdd: {}, FileDelete: {} };
  for (const [method, message] of Object.entries(messages)) {
    await refused(call(method, message, { on }), 'UNAUTHENTICATED');
    await refused(call(method, message, { on, metadata: metadata(`bearer ${token}x`) }), 'UNAUTHENTICATED');
  }
  const opened = on.ExecStream();
  opened.on('data', () => {});
  assert.equal((await endOf(opened)).code, grpc.status.UNAUTHENTICATED);
  for (const scheme of ['bearer', 'Bearer', 'BEARER'])
    assert.ok(await call('FileList', {}, { on, metadata: metadata(`${scheme} ${token}`) }));
  on.close();
});

await run();
