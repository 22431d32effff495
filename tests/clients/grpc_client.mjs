// What the gRPC tests share: a client of pb.Executor by @grpc/grpc-js, and a command to start from.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { MiB, ms, setting } from './tap.mjs';

export const address = setting('ASSAY_GRPC');
export const { pb } = grpc.loadPackageDefinition(
  loader.loadSync(setting('ASSAY_PROTO'), { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true }),
);
export const options = { 'grpc.max_receive_message_length': -1 };
export const client = new pb.Executor(address, grpc.credentials.createInsecure(), options);

export function call(method, message, { metadata = new grpc.Metadata(), on = client, deadline } = {}) {
  return new Promise((resolve, reject) => {
    on[method](message, metadata, deadline ? { deadline } : {}, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

export async function refused(promise, code, message) {
  const error = await promise.then(
    () => assert.fail('the call was not refused'),
    (reason) => reason,
  );
  assert.equal(grpc.status[error.code], code, error.message);
  if (message) assert.match(error.details, message);
}

export const collector = (name, max = 65536) => ({ pipe: { name, max } });
export function cmd(args, more = {}) {
  return {
    args,
    env: ['PATH=/usr/bin:/bin'],
    files: [{ memory: { content: Buffer.alloc(0) } }, collector('stdout'), collector('stderr')],
    cpuTimeLimit: 5_000 * ms,
    clockTimeLimit: 15_000 * ms,
    memoryLimit: 256 * MiB,
    procLimit: 16,
    ...more,
  };
}

// The status of a stream, which says all that its error says.
export function endOf(stream) {
  stream.on('error', () => {});
  return new Promise((resolve) => stream.on('status', resolve));
}
