import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { StoreClient } from '../client.ts';
import { StoreError } from '../store-error.ts';
import { createLeaseDeadline, type LeaseDeadline, monotonicNs } from './lease-deadline.ts';
import { hasRival, type LeaseRow, type LeaseTerm, leaseOwner, readLease, readTerm, writeLease } from './lease-rows.ts';

/**
 * Keeps a database that others can reach to one writer, by rows in it. The
 * highest epoch writes. A writer shows that it lives by renewing; one that has
 * not renewed for a while is taken over by the next epoch, and finds out.
 */
export interface WriterLease extends Pick<LeaseDeadline, 'assertHeld' | 'began' | 'ended'> {
  readonly term: LeaseTerm;
  /** For the thread that writes. */
  readonly shared: SharedLease;
  /** Aborts when another writer has taken over. */
  readonly lost: AbortSignal;
  /** Lets the next writer in at once; where something that was sent has not ended for sure, it waits as for a writer that is gone. */
  release(): Promise<void>;
}

/** A lease as another thread of the process gets it, which writes under it: plain data. */
export interface SharedLease {
  readonly term: LeaseTerm;
  /** End of the time for which it surely holds, for `createLeaseDeadline`. */
  readonly deadline: SharedArrayBuffer;
}

export interface LeaseOptions {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** The outbox's own name. */
  readonly outbox: string;
  /** Milliseconds between two renewals. */
  readonly renewMs?: number;
  /** Nanoseconds of a clock that all threads of the process share. */
  readonly now?: () => bigint;
}

const RENEW_MS = 3_000;
/** Renewals that may be missed before a writer counts as gone. */
const MISSED_RENEWALS = 3;
/** Renewals' time for which a lease surely holds after one. Shorter than what others wait for. */
const HELD_RENEWALS = 2;
/**
 * Renewals that a successor waits behind its own row, unless the writer before let go. `FENCE_MS` behind that row the
 * server lets nobody else's insert in any more, and what it let in before is stopped behind `FENCED_INSERT_SECONDS`.
 */
const HANDOVER_RENEWALS = 5;
/** The same with renewals as they are. */
export const HANDOVER_MS = RENEW_MS * HANDOVER_RENEWALS;
const NS_PER_MS = 1_000_000n;

/** A candidate for the lease, and then its holder. */
interface Holder {
  readonly epoch: number;
  readonly owner: string;
  readonly deadline: LeaseDeadline;
  readonly renewMs: number;
  write(released: boolean): Promise<void>;
  /** Renews, looks who has the lease, and only then counts on it: whoever took over meanwhile is seen. */
  renew(): Promise<LeaseRow | undefined>;
}

/**
 * Takes the lease. Watches, when there is a writer, whether it renews: no clock
 * is compared with another machine's. Throws `store_in_use` when it does.
 */
export async function takeWriterLease(options: LeaseOptions): Promise<WriterLease> {
  const { client, clock, log, outbox, renewMs = RENEW_MS } = options;
  const before = await readLease(client);
  const isLeft = before !== undefined && !before.released;
  if (isLeft) {
    log.info({ owner: before.owner }, 'waiting until the writer before is surely gone');
    await untilGone(client, before, clock, renewMs);
  }
  const holder = createHolder(options, (before?.epoch ?? 0) + 1);
  const { epoch, owner } = holder;
  await holder.write(false);
  // Two that took the same epoch see both rows, and agree on which of them has it. The other may have begun
  // to write before our row was there.
  if (!isLeft) await clock.sleep(renewMs / MISSED_RENEWALS);
  if (isLeft || (await hasRival(client, holder))) await handOver(holder, clock);
  const winner = await holder.renew();
  if (winner?.owner !== owner) throw inUse(winner);
  const term = await readTerm(client, { epoch, owner }, outbox);
  log.debug({ epoch, owner }, 'took the writer lease');
  return hold(holder, term, options);
}

function createHolder({ client, outbox, renewMs = RENEW_MS, now = monotonicNs }: LeaseOptions, epoch: number): Holder {
  const owner = leaseOwner(`${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`, outbox);
  const deadline = createLeaseDeadline(undefined, now);
  let renewal = 0;
  const write = (released: boolean) => writeLease(client, { epoch, owner, renewal: ++renewal, released });
  return {
    ...{ epoch, owner, deadline, renewMs, write },
    async renew() {
      const heldUntil = now() + BigInt(Math.round(renewMs * HELD_RENEWALS)) * NS_PER_MS;
      await write(false);
      const holder = await readLease(client);
      if (holder?.owner === owner) deadline.extendTo(heldUntil);
      return holder;
    },
  };
}

/** Stays alive for others meanwhile: nobody counts as gone who waits. */
async function handOver({ renewMs, write }: Holder, clock: Clock): Promise<void> {
  for (let waited = 0; waited < HANDOVER_RENEWALS; waited++) {
    await clock.sleep(renewMs);
    await write(false);
  }
}

function hold(holder: Holder, term: LeaseTerm, { client, clock, log }: LeaseOptions): WriterLease {
  const { owner, deadline, renewMs, write, renew } = holder;
  const lost = new AbortController();
  const stop = new AbortController();

  /** The holder that has the lease instead of us: then there is nothing to renew. */
  async function taker(): Promise<LeaseRow | undefined> {
    const found = await readLease(client);
    return found?.owner === owner ? undefined : found;
  }

  async function keepRenewing(): Promise<void> {
    for (;;) {
      await clock.sleep(renewMs, stop.signal);
      if (stop.signal.aborted) return;
      try {
        const found = (await taker()) ?? (await renew());
        if (found === undefined || found.owner === owner) continue;
        log.error({ owner: found.owner }, 'another process took over as writer of this database');
        deadline.end();
        lost.abort(new StoreError('lease_lost', `${found.owner} took over as writer of this database`));
        return;
      } catch (error) {
        // The writer's own retries say whether the store is away; a missed renewal is made good by the next.
        log.warn({ err: String(error) }, 'could not renew the writer lease');
      }
    }
  }

  const renewing = keepRenewing();
  return {
    term,
    lost: lost.signal,
    shared: { term, deadline: deadline.shared },
    assertHeld() {
      if (lost.signal.aborted) throw lost.signal.reason;
      deadline.assertHeld();
    },
    began: deadline.began,
    ended: deadline.ended,
    async release() {
      stop.abort();
      await renewing;
      if (lost.signal.aborted) return;
      // From here on nothing more begins: what was begun before is seen.
      deadline.end();
      if (deadline.isIdle) await write(true);
      else
        log.warn(
          { epoch: term.epoch },
          'the writer lease runs out by itself: not all that was sent is seen to be through',
        );
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
