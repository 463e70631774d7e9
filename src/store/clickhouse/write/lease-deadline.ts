import { StoreError } from '../store-error.ts';

/**
 * The time until which a lease surely holds, in memory that threads share: the thread that
 * renews it moves the time on, every thread that writes asks before it does. A
 * process that was frozen for longer finds the time past, and writes nothing
 * before it knows whether it still may. Beside it stands what was begun under the
 * lease and not seen to end, also by a thread that is gone.
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
  /** Something is about to be sent to the store. */
  began(): void;
  /**
   * The store has answered for all of it. What fails has not ended, as the server may be at it still; what was sent again
   * under the same tokens and went through has, for the first try cannot land any more.
   */
  ended(): void;
  readonly isIdle: boolean;
}

/** The lease was not renewed in time. It may be ours still: try again after the next renewal. */
export class LeaseUnsure extends Error {
  override readonly name = 'LeaseUnsure';
}

const ENDED = -1n;
const DEADLINE = 0;
const UNDER_WAY = 1;

/** The machine's monotonic clock, the same in every thread of a process; `performance.now()` begins anew in each. */
export const monotonicNs = (): bigint => process.hrtime.bigint();

export function createLeaseDeadline(
  shared: SharedArrayBuffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT),
  now: () => bigint = monotonicNs,
): LeaseDeadline {
  const cells = new BigInt64Array(shared);
  return {
    shared,
    extendTo(deadlineNs) {
      if (Atomics.load(cells, DEADLINE) !== ENDED) Atomics.store(cells, DEADLINE, deadlineNs);
    },
    end() {
      Atomics.store(cells, DEADLINE, ENDED);
    },
    assertHeld() {
      const deadline = Atomics.load(cells, DEADLINE);
      if (deadline === ENDED)
        throw new StoreError('lease_lost', 'another process took over as writer of this database');
      if (now() >= deadline) throw new LeaseUnsure('the writer lease was not renewed in time');
    },
    began() {
      Atomics.add(cells, UNDER_WAY, 1n);
    },
    ended() {
      Atomics.sub(cells, UNDER_WAY, 1n);
    },
    get isIdle() {
      return Atomics.load(cells, UNDER_WAY) === 0n;
    },
  };
}
