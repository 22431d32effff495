// Tests that run one after the other and say how they went: "ok 1 - …", "not ok 2 - …".
import { setTimeout as timer } from 'node:timers/promises';

const patience = 60_000; // for one test: a server that hangs must not hang the run
const only = new RegExp(process.env.ASSAY_ONLY ?? ''); // some of them, for a person who looks for a fault
const tests = [];

export function test(name, body) {
  if (only.test(name)) tests.push({ name, body });
}

async function attempt(body) {
  const clock = new AbortController();
  try {
    await Promise.race([
      body(),
      timer(patience, undefined, { signal: clock.signal }).then(() => {
        throw new Error(`no end after ${patience / 1000} s`);
      }),
    ]);
  } finally {
    clock.abort();
  }
}

export async function run() {
  let failed = 0;
  for (const [i, { name, body }] of tests.entries()) {
    try {
      await attempt(body);
      console.log(`ok ${i + 1} - ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`not ok ${i + 1} - ${name}`);
      for (const line of String(error?.stack ?? error).split('\n')) console.log(`  # ${line}`);
    }
  }
  console.log(`1..${tests.length}`);
  process.exit(failed ? 1 : 0);
}

export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must say where the server is; tests/clients/run.py sets it`);
  return value;
}

export const MiB = 1024 * 1024;
export const ms = 1_000_000; // in nanoseconds

// The command that most tests start from.
export function command(args, more = {}) {
  return {
    args,
    env: ['PATH=/usr/bin:/bin'],
    files: [{ content: '' }, { name: 'stdout', max: 64 * 1024 }, { name: 'stderr', max: 64 * 1024 }],
    cpuLimit: 5_000 * ms,
    clockLimit: 15_000 * ms,
    memoryLimit: 256 * MiB,
    procLimit: 16,
    ...more,
  };
}
