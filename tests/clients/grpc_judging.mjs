// assay.v1.Judging: a submission from its problem to its verdict.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { address, call, endOf, options, refused } from './grpc_client.mjs';
import { setting, test } from './tap.mjs';

const { assay } = grpc.loadPackageDefinition(
  loader.loadSync(setting('ASSAY_JUDGING_PROTO'), { keepCase: true, longs: Number, enums: String, oneofs: true }),
);
const on = new assay.v1.Judging(address, grpc.credentials.createInsecure(), options);
const ask = (method, message) => call(method, message, { on });

const text = (content) => ({ content: Buffer.from(content) });
const problem = {
  checker: { name: 'tokens' },
  limits: { cpu_time_ms: 2_000, memory_mb: 256 },
  tests: [
    { test_id: 'small', input: text('1 2\n'), answer: text('3\n') },
    { test_id: 'large', input: text('1000000 1\n'), answer: text('1000001\n') },
  ],
};
const adds = 'print(sum(map(int, input().split())))';
const submission = (source, more = {}) => ({ language: 'python3', sources: [{ from: text(source) }], problem, ...more });

test('Submit with wait gives the verdict and the facts', async () => {
  const state = await ask('Submit', submission(adds, { wait: true, facts: true }));
  assert.equal(state.status, 'STATUS_FINISHED');
  assert.equal(state.result.verdict, 'AC', JSON.stringify(state.result));
  assert.deepEqual(state.result.tests.map(({ test_id }) => test_id), ['small', 'large']);
  const [first] = state.result.tests;
  assert.equal(first.stdout.toString(), '3\n');
  assert.equal(first.facts.end, 'exited');
  assert.ok(first.facts.cpu_ns > 0 && first.memory_kb > 0, JSON.stringify(first));
});

test('a problem is put once and judged by its id, and Watch tells the steps', async () => {
  const put = await ask('PutProblem', { problem_id: 'node-sum', problem });
  assert.equal(put.problem.tests, 2);
  const { submission_id } = await ask('Submit', {
    language: 'python3', sources: [{ from: text('print(3)') }], problem_id: 'node-sum',
  });
  const events = [];
  const stream = on.Watch({ submission_id });
  stream.on('data', (event) => events.push(event));
  assert.equal((await endOf(stream)).code, grpc.status.OK);
  assert.equal(events[0].number, 1);
  assert.equal(events.at(-1).event, 'STEP_RESULT');
  assert.equal(events.at(-1).result.verdict, 'WA');
  await ask('DeleteProblem', { problem_id: 'node-sum' });
  await refused(ask('GetProblem', { problem_id: 'node-sum' }), 'NOT_FOUND');
});

test('Cancel ends a submission that runs', async () => {
  const submission_id = 'node-endless';
  await ask('Submit', submission('while True: pass', { submission_id, limits: { cpu_time_ms: 60_000 } }));
  await ask('Cancel', { submission_id });
  const stream = on.Watch({ submission_id });
  let last;
  stream.on('data', (event) => (last = event));
  assert.equal((await endOf(stream)).code, grpc.status.OK);
  assert.equal(last.result.status, 'STATUS_FAILED');
});

test('what is wrong with a submission is named', async () => {
  await refused(ask('Submit', submission(adds, { language: 'klingon' })), 'INVALID_ARGUMENT', /klingon/);
  await refused(
    ask('Submit', submission(adds, { problem: { tests: [{ input: { path: '/etc/shadow' } }] } })),
    'INVALID_ARGUMENT',
    /^problem\.tests\[0\]\.input\.path: /,
  );
  await refused(ask('Submit', submission(adds, { webhook: 'http://127.0.0.1/' })), 'INVALID_ARGUMENT', /^webhook: /);
  await refused(ask('Get', { submission_id: 'nobody' }), 'NOT_FOUND');
});

test('ListLanguages knows python3', async () => {
  const { languages } = await ask('ListLanguages', {});
  assert.ok(languages.some(({ id }) => id === 'python3'), JSON.stringify(languages.map(({ id }) => id)));
});
