// REST the way Hydro's judge speaks it: its checks at the start, its compile and run requests, its reading of the answers.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MiB, ms, run, setting, test } from './tap.mjs';

const http = setting('ASSAY_HTTP');

async function get(path) {
  const response = await fetch(http + path);
  assert.equal(response.status, 200, path);
  return response;
}

async function post(body) {
  const response = await fetch(`${http}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'hydro' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

async function remove(id) {
  assert.equal((await fetch(`${http}/file/${id}`, { method: 'DELETE' })).status, 200);
}

// The parameters of one command as Hydro fills them in.
function proc({ execute, stdin, copyIn = {}, copyOut = [], copyOutCached = [], time = 5000, memory = 256, strict = false,
  addressSpaceLimit = false, processLimit = 32, max = 64 * 1024, stdout, stderr }) {
  const size = memory * MiB;
  return {
    args: execute,
    // Its default configuration, split at every newline: the last one is empty.
    env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/w', ''],
    files: [stdin ?? { content: '' }, stdout ?? { name: 'stdout', max }, stderr ?? { name: 'stderr', max }],
    cpuLimit: time * ms,
    clockLimit: 3 * time * ms,
    memoryLimit: size,
    strictMemoryLimit: strict,
    addressSpaceLimit,
    stackLimit: strict ? size : 0,
    procLimit: processLimit,
    copyOutMax: 64 * MiB,
    copyIn,
    copyOut,
    copyOutCached,
  };
}

// What Hydro makes of a status: it knows these words and takes any other for accepted.
const verdicts = {
  'Time Limit Exceeded': 'TLE',
  'Memory Limit Exceeded': 'MLE',
  'Output Limit Exceeded': 'OLE',
  Accepted: 'AC',
  'Nonzero Exit Status': 'RE',
  'Internal Error': 'SE',
  'File Error': 'SE',
  Signalled: 'RE',
};

async function runOne(parameters) {
  const [result] = await post({ cmd: [proc(parameters)] });
  assert.ok(result.status in verdicts, result.status);
  return { ...result, verdict: verdicts[result.status] };
}

const cxx = `#include <iostream>
int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }
`;
let program; // the id of the compiled sum
let scratch;

test('/version is a version that Hydro can compare, with the features it looks for', async () => {
  const version = await (await get('/version')).json();
  const numbers = version.buildVersion.split('v')[1].split('.').map(Number);
  assert.ok(numbers.length >= 3 && numbers.every(Number.isInteger), version.buildVersion);
  const least = [1, 8, 6];
  const first = numbers.findIndex((number, i) => number !== least[i]);
  assert.ok(first === -1 || numbers[first] > least[first], version.buildVersion);
  assert.equal(version.copyOutOptional, true);
});

test('/config tells of cgroups with memory, and of no escape by links', async () => {
  const { runnerConfig, fixSymlinkEscape } = await (await get('/config')).json();
  assert.ok([1, 2].includes(runnerConfig.cgroupType), `${runnerConfig.cgroupType}`);
  assert.ok(runnerConfig.cgroupControllers.includes('memory'));
  assert.equal(fixSymlinkEscape, true);
});

test('C++ is compiled, and the program kept', async () => {
  const result = await runOne({
    execute: ['g++', '-x', 'c++', 'foo.cc', '-o', 'foo', '-O1', '-std=c++17'],
    copyIn: { 'foo.cc': { content: cxx } },
    copyOutCached: ['foo'],
    time: 30_000,
    memory: 1024,
  });
  assert.equal(result.verdict, 'AC', result.files?.stderr ?? result.error);
  program = result.fileIds.foo;
  assert.match(program, /^[A-Z2-7]{8,}$/);
});

test('a program that does not compile says why', async () => {
  const result = await runOne({
    execute: ['g++', 'foo.cc', '-o', 'foo'],
    copyIn: { 'foo.cc': { content: 'int main() { return missing; }' } },
    copyOutCached: ['foo?'],
    copyOut: ['message?'],
    time: 30_000,
    memory: 1024,
  });
  assert.equal(result.verdict, 'RE');
  assert.equal(result.exitStatus, 1);
  assert.match(result.files.stderr, /missing/);
  assert.equal(result.fileIds, undefined);
});

test('the compiled program reads its input from text, from the server\'s disk and from the store', async () => {
  scratch = await mkdtemp(join(tmpdir(), 'assay-hydro-'));
  await chmod(scratch, 0o755);
  const src = join(scratch, '1.in');
  await writeFile(src, '40 2\n', { mode: 0o644 });
  const form = new FormData();
  form.append('file', new Blob(['40 2\n']), '1.in');
  const upload = await fetch(`${http}/file`, { method: 'POST', body: form });
  assert.equal(upload.status, 200);
  const fileId = await upload.json();
  for (const stdin of [{ content: '40 2\n' }, { src }, { fileId }]) {
    const result = await runOne({ execute: ['foo'], stdin, copyIn: { foo: { fileId: program } }, time: 1000 });
    assert.equal(result.verdict, 'AC', `${JSON.stringify(stdin)} ${result.error}`);
    assert.equal(result.files.stdout, '42\n');
    assert.equal(result.files.stderr, '');
    for (const key of ['time', 'memory', 'runTime', 'exitStatus']) assert.ok(Number.isInteger(result[key]), key);
  }
  await remove(fileId);
});

test('outputs are kept in the store when they are asked for so', async () => {
  const result = await runOne({
    execute: ['foo'],
    stdin: { content: '1 2' },
    copyIn: { foo: { fileId: program } },
    copyOutCached: ['stdout', 'stderr'],
  });
  assert.equal(result.verdict, 'AC', result.error);
  assert.equal(result.files, undefined);
  const file = await get(`/file/${result.fileIds.stdout}`);
  assert.equal(await file.text(), '3\n');
  await remove(result.fileIds.stdout);
  await remove(result.fileIds.stderr);
});

test('Python runs', async () => {
  const result = await runOne({
    execute: ['/usr/bin/python3', 'foo.py'],
    stdin: { content: '5 6' },
    copyIn: { 'foo.py': { content: 'a, b = map(int, input().split())\nprint(a * b)\n' } },
  });
  assert.equal(result.verdict, 'AC', result.files?.stderr);
  assert.equal(result.files.stdout, '30\n');
});

test('an optional file that is missing is no error, another is', async () => {
  const shell = ['/bin/sh', '-c', 'echo kept > here'];
  let result = await runOne({ execute: shell, copyOut: ['here?', 'nowhere?'] });
  assert.equal(result.verdict, 'AC');
  assert.equal(result.files.here, 'kept\n');
  assert.equal(result.fileError, undefined);
  result = await runOne({ execute: shell, copyOut: ['nowhere'] });
  assert.equal(result.status, 'File Error');
  assert.equal(result.fileError[0].name, 'nowhere');
  assert.equal(result.fileError[0].type, 'CopyOutOpen');
});

test('every verdict is told by its word', async () => {
  const shell = (script, more = {}) => runOne({ execute: ['/bin/sh', '-c', script], ...more });
  const python = (script, more = {}) => runOne({ execute: ['/usr/bin/python3', '-c', script], ...more });
  assert.equal((await shell('exit 7')).status, 'Nonzero Exit Status');
  assert.equal((await shell('exit 7')).exitStatus, 7);
  const killed = await shell('kill -ABRT $$');
  assert.equal(killed.status, 'Signalled');
  assert.equal(killed.exitStatus, 6);
  const slow = await shell('while :; do :; done', { time: 200 });
  assert.equal(slow.status, 'Time Limit Exceeded');
  assert.ok(slow.time >= 200 * ms);
  const big = await python('x = b"x" * (200 << 20)', { memory: 64 });
  assert.equal(big.status, 'Memory Limit Exceeded');
  const loud = await shell('head -c 2000 /dev/zero', { max: 1000 });
  assert.equal(loud.status, 'Output Limit Exceeded');
  assert.equal(loud.files.stdout.length, 1001);
  assert.equal((await runOne({ execute: ['/nowhere'] })).status, 'Internal Error');
});

test('a strict memory limit is kept', async () => {
  const script = 'try:\n  x = bytearray(300 << 20)\n  print("got it")\nexcept MemoryError:\n  print("refused")\n';
  const result = await runOne({
    execute: ['/usr/bin/python3', '-c', script],
    memory: 128,
    strict: true,
    addressSpaceLimit: true,
  });
  assert.equal(result.files.stdout, 'refused\n', JSON.stringify(result));
});

test('an interactor and a program talk through a relayed pipe', async () => {
  const solution = 'import sys\nlo, hi = 1, 1000\nwhile True:\n  m = (lo + hi) // 2\n  print(m, flush=True)\n' +
    '  a = input()\n  if a == "ok": break\n  if a == "more": lo = m + 1\n  else: hi = m - 1\n';
  const interactor = 'import sys\nwant = 777\nrounds = 0\nwhile True:\n  g = int(input())\n  rounds += 1\n' +
    '  print("ok" if g == want else "more" if g < want else "less", flush=True)\n  if g == want: break\n' +
    'print(rounds, file=sys.stderr)\n';
  const one = (name, content) => ({
    ...proc({ execute: ['/usr/bin/python3', name], copyIn: { [name]: { content } } }),
    files: [null, null, { name: 'stderr', max: 4096 }],
  });
  const [first, second] = await post({
    cmd: [one('solution.py', solution), one('interactor.py', interactor)],
    pipeMapping: [
      { in: { index: 0, fd: 1 }, out: { index: 1, fd: 0 }, proxy: true, name: 'said', max: 64 },
      { in: { index: 1, fd: 1 }, out: { index: 0, fd: 0 }, proxy: true, name: 'answered', max: 1024 },
    ],
  });
  assert.equal(first.status, 'Accepted', first.files?.stderr ?? first.error);
  assert.equal(second.status, 'Accepted', second.files?.stderr ?? second.error);
  assert.ok(first.files.said.startsWith('500\n750\n'), first.files.said);
  assert.ok(second.files.answered.endsWith('ok\n'), second.files.answered);
  assert.ok(Number(second.files.stderr) > 5);
});

test('a program whose partner has gone does not die of it behind a relay', async () => {
  const one = (script) => ({ ...proc({ execute: ['/bin/sh', '-c', script] }), files: [null, null, { name: 'stderr', max: 4096 }] });
  const results = await post({
    cmd: [one('seq 1 20000; echo done >&2'), one('read line')],
    pipeMapping: [
      { in: { index: 0, fd: 1 }, out: { index: 1, fd: 0 }, proxy: true },
      { in: { index: 1, fd: 1 }, out: { index: 0, fd: 0 }, proxy: true },
    ],
  });
  assert.deepEqual(results.map(({ status }) => status), ['Accepted', 'Accepted']);
  assert.equal(results[0].files.stderr, 'done\n');
});

test('what is wrong is answered with a status that is not 2xx', async () => {
  const wrong = async (body) => {
    const response = await fetch(`${http}/run`, { method: 'POST', body });
    return [response.status, await response.json()];
  };
  assert.deepEqual(await wrong('{"cmd":[]}'), [400, 'no cmd provided']);
  const [status, text] = await wrong(JSON.stringify({ cmd: [proc({ execute: ['cat'], stdin: { fileId: 'AAAAAAAA' } })] }));
  assert.equal(status, 500);
  assert.match(text, /AAAAAAAA/);
});

test('files that are deleted are gone', async () => {
  assert.ok(program in (await (await get('/file')).json()));
  await remove(program);
  assert.ok(!(program in (await (await get('/file')).json())));
  assert.equal((await fetch(`${http}/file/${program}`)).status, 404);
  assert.equal((await fetch(`${http}/file/${program}`, { method: 'DELETE' })).status, 404);
  await rm(scratch, { recursive: true });
});

await run();
