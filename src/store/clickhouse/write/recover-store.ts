import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { StoreClient } from '../client.ts';
import { missingRanges } from '../coverage.ts';
import { type LeaseDeadline, LeaseUnsure } from './lease-deadline.ts';
import type { LeaseTerm } from './lease-rows.ts';
import { lackingOf } from './left-flush.ts';
import { removeOrphanRows } from './orphan-rows.ts';
import { type Flush, isDamaged, type Outbox, type OutboxEntry } from './outbox.ts';
import type { SlotIndex } from './slot-index.ts';
import { readStale } from './stale-positions.ts';
import type { WriterFence } from './writer-fence.ts';

/** Everything that writing to a store needs. */
export interface WritingTools {
  readonly client: StoreClient;
  /** For statements that go through whole tables; `client` when left out. */
  readonly patientClient?: StoreClient | undefined;
  readonly outbox: Outbox;
  readonly slotIndex: SlotIndex;
  /** Throws a StoreError when another writer has taken over, any other error while that is not sure. */
  readonly assertLease: () => void;
  /** Of the lease that it tells of; undefined where the folder's lock is the lease. */
  readonly term?: LeaseTerm | undefined;
  /** Of the same lease: the server refuses what a writer that was replaced inserts. */
  readonly fence?: WriterFence | undefined;
  /** Told of what is sent, and of what the store has answered for. */
  readonly underWay?: Pick<LeaseDeadline, 'began' | 'ended'> | undefined;
  /** The store's own id, see `readStoreId`. */
  readonly storeId?: string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Between two looks at a lease whose renewal is overdue. */
const UNSURE_LOOK_MS = 250;

interface Recovery extends WritingTools {
  /** Puts a flush into its tables; `again` where an earlier try may have got part of the way. */
  readonly send: (flush: Flush, entry: OutboxEntry, again: boolean) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Makes a store whole that earlier writers have left: sends what lies in the outbox, sets aside what is damaged there,
 * and takes out what others left half done in the tables.
 */
export async function recoverStore(recovery: Recovery): Promise<void> {
  let isClean = false;
  const cleanUp = async (): Promise<void> => {
    if (!isClean) await removeHalfDone(recovery);
    isClean = true;
  };
  for (const entry of recovery.outbox.leftovers) await sendLeftover(recovery, entry, cleanUp);
  await cleanUp();
}

async function removeHalfDone(recovery: Recovery): Promise<void> {
  const { client, patientClient = client, slotIndex, term, fence, underWay, log } = recovery;
  underWay?.began();
  const isAfterLoss = term?.isAfterLoss === true;
  const untilHeld = () => untilLeaseIsSure(recovery);
  const tools = { client: patientClient, slotIndex, untilHeld, fence, isAfterLoss, log };
  await whileUnsure(recovery, () => removeOrphanRows(tools));
  underWay?.ended();
}

/** Does it again, from its beginning, when the lease became unsure under way. */
async function whileUnsure(recovery: Recovery, work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof LeaseUnsure) || recovery.signal.aborted) throw error;
      await recovery.clock.sleep(UNSURE_LOOK_MS, recovery.signal);
      await untilLeaseIsSure(recovery);
    }
  }
}

/** Waits while a renewal is overdue. Throws when another has the lease. */
async function untilLeaseIsSure({ assertLease, clock, signal }: Recovery): Promise<void> {
  for (;;) {
    try {
      return assertLease();
    } catch (error) {
      if (!(error instanceof LeaseUnsure) || signal.aborted) throw error;
      await clock.sleep(UNSURE_LOOK_MS, signal);
    }
  }
}

async function sendLeftover(recovery: Recovery, entry: OutboxEntry, cleanUp: () => Promise<void>): Promise<void> {
  const { client, outbox, slotIndex, term, storeId, log, send, signal } = recovery;
  const flush = await outbox.read(entry, signal);
  if (isDamaged(flush)) {
    log.error({ ...flush }, 'a flush in the outbox was damaged and is set aside: its slots are asked for again');
    return;
  }
  if (flush.store !== undefined && flush.store !== storeId) {
    log.warn(
      { path: entry.path },
      'a flush in the outbox is for another store, and stays until that one is opened: delete the file when there is none',
    );
    return;
  }
  const isUndisturbed = wasSentByUsAlone(flush, term) && isUncovered(flush, slotIndex);
  log.info(
    { flush: flush.id, bytes: entry.bytes, undisturbed: isUndisturbed },
    'sending a flush that an earlier run left behind',
  );
  if (isUndisturbed) return send(flush, entry, true);
  await cleanUp();
  const { newestMark } = await readStale(client);
  const lacking = lackingOf(flush, slotIndex, newestMark);
  if (lacking === undefined) return outbox.remove(entry);
  // Under its own name, so that a kill from here on finds again what was being sent.
  const renamed = { ...lacking, epoch: term?.epoch, store: storeId };
  const kept = await outbox.write(renamed, signal);
  await outbox.remove(entry);
  return send(renamed, kept, false);
}

/**
 * True when the store has none of the slots that a flush closes, which it notes at the flush's very end: a copy of our
 * folder may have been another host's, and a server may have been put back to an earlier day.
 */
function isUncovered({ closes }: Flush, { coverage }: SlotIndex): boolean {
  return closes.every(({ first, last }) => {
    const [missing, ...others] = missingRanges(coverage, { first, last });
    return others.length === 0 && missing?.first === first && missing.last === last;
  });
}

/**
 * True when nobody with another outbox has written since the flush was made: then nobody else has touched what it
 * began.
 */
function wasSentByUsAlone({ epoch }: Flush, term: LeaseTerm | undefined): boolean {
  return term === undefined ? epoch === undefined : epoch !== undefined && epoch > term.othersEpoch;
}
