import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createLeaseDeadline, LeaseUnsure, monotonicNs } from './lease-deadline.ts';

const A_MINUTE_NS = 60_000_000_000n;

describe('the deadline of a lease', () => {
  it('holds until its time, and again once it was moved on', () => {
    let now = 5n;
    const deadline = createLeaseDeadline(undefined, () => now);
    expect(() => deadline.assertHeld()).toThrow(LeaseUnsure);
    deadline.extendTo(10n);
    deadline.assertHeld();
    now = 10n;
    expect(() => deadline.assertHeld()).toThrow(LeaseUnsure);
    deadline.extendTo(11n);
    deadline.assertHeld();
  });

  it('is over for good once another writer has the lease', () => {
    const deadline = createLeaseDeadline();
    deadline.end();
    deadline.extendTo(monotonicNs() + A_MINUTE_NS);
    expect(() => deadline.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }));
  });

  it('is seen by another thread, whose monotonic clock is the same', async () => {
    const ours = createLeaseDeadline();
    ours.extendTo(monotonicNs() + A_MINUTE_NS);
    const script = `
      const { workerData, parentPort } = require('node:worker_threads');
      const cell = new BigInt64Array(workerData);
      const before = Atomics.load(cell, 0) - process.hrtime.bigint();
      Atomics.store(cell, 0, process.hrtime.bigint());
      parentPort.postMessage(before);`;
    const before = monotonicNs();
    const thread = new Worker(script, { eval: true, workerData: ours.shared });
    const [left] = (await once(thread, 'message')) as [bigint];
    expect(left).toBeLessThanOrEqual(A_MINUTE_NS);
    expect(left).toBeGreaterThan(A_MINUTE_NS - (monotonicNs() - before) - 1n);
    expect(() => ours.assertHeld()).toThrow(LeaseUnsure);
    await thread.terminate();
  });
});
