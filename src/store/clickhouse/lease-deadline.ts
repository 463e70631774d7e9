import { StoreError } from './store-error.ts';

/**
 * Until when a lease surely holds, in memory that threads share: the thread that
 * renews it moves the time on, every thread that writes asks before it does. A
 * process that was frozen for longer finds the time past, and writes nothing
 * before it knows whether it still may.
 */
export interface LeaseDeadline {
  /** Give it to another thread, and to {@link createLeaseDeadline} there. */
  readonly shared: SharedArrayBuffer;
  /** Nanoseconds of {@link monotonicNs}. */
  extendTo(deadlineNs: bigint): void;
  /** The lease is somebody else's, for good. */
  end(): void;
  /** Throws `lease_lost` once it has ended, {@link LeaseUnsure} while the time is past. */
  assertHeld(): void;
}

/** The lease was not renewed in time. It may be ours still: try again after the next renewal. */
export class LeaseUnsure extends Error {
  override readonly name = 'LeaseUnsure';
}

const ENDED = -1n;

/** The machine's monotonic clock, the same in every thread of a process; `performance.now()` begins anew in each. */
export const monotonicNs = (): bigint => process.hrtime.bigint();

export function createLeaseDeadline(
  shared: SharedArrayBuffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  now: () => bigint = monotonicNs,
): LeaseDeadline {
  const cell = new BigInt64Array(shared);
  return {
    shared,
    extendTo(deadlineNs) {
      if (Atomics.load(cell, 0) !== ENDED) Atomics.store(cell, 0, deadlineNs);
    },
    end() {
      Atomics.store(cell, 0, ENDED);
    },
    assertHeld() {
      const deadline = Atomics.load(cell, 0);
      if (deadline === ENDED)
        throw new StoreError('lease_lost', 'another process took over as writer of this database');
      if (now() >= deadline) throw new LeaseUnsure('the writer lease was not renewed in time');
    },
  };
}
