import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { readJson, type StoreClient } from './client.ts';
import { createLeaseDeadline, monotonicNs } from './lease-deadline.ts';
import { StoreError } from './store-error.ts';

/**
 * Keeps a database that others can reach to one writer, by rows in it. The
 * highest epoch writes. A writer shows that it lives by renewing; one that has
 * not renewed for a while is taken over by the next epoch, and finds out.
 */
export interface WriterLease {
  readonly epoch: number;
  /** Throws `lease_lost` once another writer has taken over, `LeaseUnsure` while a renewal is overdue. */
  assertHeld(): void;
  /** For the thread that writes. */
  readonly shared: SharedLease;
  /** Aborts at that moment. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** A lease as another thread of the process gets it, which writes under it: plain data. */
export interface SharedLease {
  readonly epoch: number;
  /** Until when it surely holds, for `createLeaseDeadline`. */
  readonly deadline: SharedArrayBuffer;
}

export interface LeaseOptions {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often it is renewed. */
  readonly renewMs?: number;
  /** Nanoseconds of a clock that all threads of the process share. */
  readonly now?: () => bigint;
}

const RENEW_MS = 3_000;
/** Renewals that may be missed before a writer counts as gone. */
const MISSED_RENEWALS = 3;
/**
 * Renewals' time for which a lease surely holds after one. Shorter than what others wait for, so
 * that an insert that was begun in time has come to its end when they begin.
 */
const HELD_RENEWALS = 2;
const NS_PER_MS = 1_000_000n;

interface LeaseRow {
  readonly epoch: number;
  readonly owner: string;
  readonly renewal: number;
  readonly released: boolean;
}

/**
 * Takes the lease. Watches, when there is a writer, whether it renews: no clock
 * is compared with another machine's. Throws `store_in_use` when it does.
 */
export async function takeWriterLease({
  client,
  clock,
  log,
  renewMs = RENEW_MS,
  now = monotonicNs,
}: LeaseOptions): Promise<WriterLease> {
  const owner = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  const before = await readLease(client);
  const isLeft = before !== undefined && !before.released;
  if (isLeft) await untilGone(client, before, clock, renewMs);
  const epoch = (before?.epoch ?? 0) + 1;
  let renewal = 0;
  const write = (released: boolean) =>
    client.insert({
      table: 'writer_lease',
      values: [{ epoch, owner, renewal: ++renewal, released }],
      format: 'JSONEachRow',
      columns: ['epoch', 'owner', 'renewal', 'released'],
    });
  const deadline = createLeaseDeadline(undefined, now);
  const lost = new AbortController();
  /** Renews, looks who has the lease, and only then counts on it: whoever took over meanwhile is seen. */
  const renew = async (): Promise<LeaseRow | undefined> => {
    const heldUntil = now() + BigInt(Math.round(renewMs * HELD_RENEWALS)) * NS_PER_MS;
    await write(false);
    const holder = await readLease(client);
    if (holder?.owner === owner) deadline.extendTo(heldUntil);
    return holder;
  };
  await write(false);
  // Two that took the same epoch see both rows, and agree on which of them has it. One who was
  // frozen and came back just before our row was there may count on the lease for a while yet.
  await clock.sleep(isLeft ? renewMs * HELD_RENEWALS : renewMs / MISSED_RENEWALS);
  const winner = await renew();
  if (winner?.owner !== owner) throw inUse(winner);
  log.debug({ epoch, owner }, 'took the writer lease');

  const stop = new AbortController();
  const renewing = keepRenewing();

  async function keepRenewing(): Promise<void> {
    for (;;) {
      await clock.sleep(renewMs, stop.signal);
      if (stop.signal.aborted) return;
      try {
        const holder = (await isTaken()) ?? (await renew());
        if (holder === undefined || holder.owner === owner) continue;
        log.error({ owner: holder.owner }, 'another process took over as writer of this database');
        deadline.end();
        lost.abort(new StoreError('lease_lost', `${holder.owner} took over as writer of this database`));
        return;
      } catch (error) {
        // The writer's own retries say whether the store is away; a missed renewal is made good by the next.
        log.warn({ err: String(error) }, 'could not renew the writer lease');
      }
    }
  }

  /** Whoever has it instead of us: then there is nothing to renew. */
  async function isTaken(): Promise<LeaseRow | undefined> {
    const holder = await readLease(client);
    return holder?.owner === owner ? undefined : holder;
  }

  return {
    epoch,
    lost: lost.signal,
    shared: { epoch, deadline: deadline.shared },
    assertHeld() {
      if (lost.signal.aborted) throw lost.signal.reason;
      deadline.assertHeld();
    },
    async release() {
      stop.abort();
      await renewing;
      if (!lost.signal.aborted) await write(true);
    },
  };
}

/** Resolves when the holder has missed its renewals, or let go. */
async function untilGone(client: StoreClient, seen: LeaseRow, clock: Clock, renewMs: number): Promise<void> {
  for (let waited = 0; waited < MISSED_RENEWALS; waited++) {
    await clock.sleep(renewMs);
    const now = await readLease(client);
    if (now?.released === true) return;
    if (now === undefined || now.owner !== seen.owner || now.renewal !== seen.renewal) throw inUse(now);
  }
}

function inUse(holder: LeaseRow | undefined): StoreError {
  return new StoreError(
    'store_in_use',
    `another mintscope (${holder?.owner ?? 'that came first'}) writes to this database: there can be only one`,
  );
}

async function readLease(client: StoreClient): Promise<LeaseRow | undefined> {
  const [row] = await readJson<LeaseRow>(
    client,
    `SELECT toUInt32(epoch) AS epoch, owner, toUInt32(max(writer_lease.renewal)) AS renewal, max(writer_lease.released) AS released
     FROM writer_lease GROUP BY epoch, owner ORDER BY epoch DESC, owner LIMIT 1`,
  );
  return row;
}
