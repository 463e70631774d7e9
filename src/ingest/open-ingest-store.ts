import { join } from 'node:path';
import { encodeSignature } from '../chain/keys/base58.ts';
import type { Clock } from '../kernel/clock.ts';
import { createDescriptors, type Descriptors } from '../kernel/descriptors.ts';
import type { Logger } from '../kernel/log.ts';
import { numbered } from '../sources/partial-blocks.ts';
import { type StoreChain, settleChain } from '../store/clickhouse/chain-record.ts';
import { createStoreClient, type StoreConnection } from '../store/clickhouse/client.ts';
import { findRange, newestSlot } from '../store/clickhouse/coverage.ts';
import {
  deleteHoldings,
  readFoldedSince,
  streamHoldingsOf,
  streamMovementsOf,
} from '../store/clickhouse/read/movements.ts';
import { deletePositions, streamPositionsOf, streamSwapsOf } from '../store/clickhouse/read/position-swaps.ts';
import { StoreError } from '../store/clickhouse/store-error.ts';
import { readStoreId } from '../store/clickhouse/store-id.ts';
import { createHoldingsSteps, noteHoldingsFolded, noteHoldingsStep } from '../store/clickhouse/write/begin-holdings.ts';
import { createDiskGuard, type DiskGuard } from '../store/clickhouse/write/disk-guard.ts';
import { createLeaseDeadline } from '../store/clickhouse/write/lease-deadline.ts';
import { openOutbox } from '../store/clickhouse/write/outbox.ts';
import { readSlotIndex } from '../store/clickhouse/write/slot-index.ts';
import { readStale } from '../store/clickhouse/write/stale-positions.ts';
import { createStoreTrouble, type StoreTroubleFigures } from '../store/clickhouse/write/store-trouble.ts';
import { createWriter } from '../store/clickhouse/write/writer.ts';
import { createWriterFence } from '../store/clickhouse/write/writer-fence.ts';
import type { SharedLease } from '../store/clickhouse/write/writer-lease.ts';
import type { IngestStore } from './ingest-store.ts';
import { readStoredTransactions } from './live/stored-transactions.ts';
import { readMovedMints, readStoredHoldings, readStoredPositions, readTradedQuotes } from './live/stored-wallets.ts';
import { patientRead } from './patient-read.ts';
import { readStoredBlockhash } from './stored-blockhash.ts';

/** The way to the store, as plain data. */
export interface IngestStoreOptions {
  readonly connection: StoreConnection;
  /** The folder with the outbox. */
  readonly dataDir: string;
  /** Of the store that was opened: under which this process writes. */
  readonly lease?: SharedLease | undefined;
  /** Bytes that have to be free on its disks; 0, or nothing, never calls them full. */
  readonly minFreeBytes?: number | undefined;
}

export interface IngestStoreTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** Notices a shortage of descriptors and waits for its end; by itself when left out. */
  readonly descriptors?: Descriptors;
}

export interface OpenIngestStore extends IngestStore {
  /** Watches the disks that are written to. */
  readonly disk: DiskGuard;
  /** Reads and flushes that ingest waits for at the store. */
  readonly trouble: StoreTroubleFigures;
  /** Bytes on their way to the store. */
  readonly pendingBytes: number;
  /** The hash of the block of a slot that is whole; undefined of every other slot. */
  blockhashAt(slot: number): Promise<string | undefined>;
  /** Flushes that were found damaged and lie aside. */
  countDamaged(): Promise<number>;
  /** Holds the store to a chain that was not known when it was opened. Rejects with `other_chain` when it is of another. */
  settleChain(chain: StoreChain, place: string): Promise<void>;
  /** Waits for the flushes under way, at most so long; the outbox keeps the rest. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * The writing side of a store that somebody else has opened: migrated, locked,
 * and with nothing left in its outbox. Whoever opened it must not write.
 */
export async function openIngestStore(
  { connection, dataDir, lease, minFreeBytes = 0 }: IngestStoreOptions,
  { clock, log, descriptors = createDescriptors({ clock, log }) }: IngestStoreTools,
): Promise<OpenIngestStore> {
  const client = createStoreClient(connection);
  const closing = new AbortController();
  const trouble = createStoreTrouble({ clock });
  const patience = { clock, log, descriptors, trouble, signal: closing.signal };
  const term = lease?.term;
  // The lease is renewed, and its loss acted upon, where the store was opened.
  const deadline = lease === undefined ? undefined : createLeaseDeadline(lease.deadline);
  const assertLease = () => deadline?.assertHeld();
  const fence = term === undefined ? undefined : createWriterFence(client, term, { assertHeld: assertLease });
  const firstReads = { ...patience, isStart: true };
  const slotIndex = await patientRead(firstReads, () => readSlotIndex(client, fence));
  const storeId = await patientRead(firstReads, () => readStoreId(client));
  const outbox = await openOutbox(join(dataDir, 'outbox'), { descriptors });
  const tools = { fence, descriptors, trouble, log, clock };
  const writer = createWriter({ client, outbox, slotIndex, assertLease, term, underWay: deadline, storeId, ...tools });
  // Only a server that others can reach has a lease, and disks that are not ours.
  const disk = createDiskGuard({ dataDir, client: lease === undefined ? undefined : client, minFreeBytes, clock, log });
  return {
    disk,
    get trouble() {
      return trouble.figures;
    },
    get pendingBytes() {
      return writer.pendingBytes;
    },
    countDamaged: outbox.countDamaged,
    async blockhashAt(slot) {
      if (findRange(slotIndex.coverage, slot) === undefined) return undefined;
      return patientRead(patience, () => readStoredBlockhash(client, slot));
    },
    get committedSlot() {
      return writer.committedSlot;
    },
    get wholeSlot() {
      return newestSlot(slotIndex.coverage);
    },
    get coverage() {
      return slotIndex.coverage;
    },
    flush: (batches) => writer.flush(batches),
    amend: (tables) => writer.amend(tables),
    readPositions: (keys) => patientRead(patience, () => readStoredPositions(client, keys)),
    readHoldings: (keys) => patientRead(patience, () => readStoredHoldings(client, keys)),
    readQuotes: (mints) => patientRead(patience, () => readTradedQuotes(client, mints)),
    readMoved: (mints) => patientRead(patience, () => readMovedMints(client, mints)),
    hasPartial: (slot) => slotIndex.partialSlots.has(slot),
    async withoutStored(block) {
      // Its rows would be left out, so its swaps must not get into positions and feed either.
      if (findRange(slotIndex.coverage, block.slot) !== undefined)
        return { ...block, transactions: [], transactionCount: 0 };
      if (!slotIndex.partialSlots.has(block.slot)) return block;
      const stored = await patientRead(patience, () => readStoredTransactions(client, block.slot));
      const lacking = block.transactions.filter(({ signature }) => !stored.has(encodeSignature(signature)));
      // Their places are those of one replay: another one may have given them to others.
      const transactions = numbered(lacking, stored.values());
      return { ...block, transactions, transactionCount: transactions.length };
    },
    readStale: () => patientRead(patience, () => readStale(client)),
    swapsOf: (mints) => streamSwapsOf(client, mints),
    positionsOf: (mints) => streamPositionsOf(client, mints),
    movementsOf: (mints) => streamMovementsOf(client, mints),
    holdingsOf: (mints) => streamHoldingsOf(client, mints),
    readHoldingsStep: createHoldingsSteps(client),
    async noteHoldingsStep(step) {
      deadline?.assertHeld();
      await noteHoldingsStep(client, fence, step);
    },
    async noteHoldingsFolded() {
      deadline?.assertHeld();
      await noteHoldingsFolded(client, fence);
    },
    readKeptSince: () => readFoldedSince(client),
    async removePositions(states) {
      deadline?.assertHeld();
      await deletePositions(client, states, term);
    },
    async removeHoldings(states) {
      deadline?.assertHeld();
      await deleteHoldings(client, states, term);
    },
    async settleChain(chain, place) {
      const refusal = await patientRead(patience, () =>
        settleChain(client, chain, { log, place, isAwaited: writer.pendingBytes > 0 }).catch(otherChainOf),
      );
      if (refusal !== undefined) throw refusal;
    },
    async close(timeoutMs) {
      closing.abort();
      await writer.close(timeoutMs);
      await client.close();
    },
  };
}

/** Another chain stays another one, however often the store is asked. */
function otherChainOf(error: unknown): StoreError {
  if (error instanceof StoreError && error.code === 'other_chain') return error;
  throw error;
}
