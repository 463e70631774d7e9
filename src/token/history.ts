import { createRefreshed } from '../books/refreshed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { type Coverage, coversRange, newestSlot } from '../store/clickhouse/coverage.ts';
import { readWholeSince } from '../store/clickhouse/retention.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { readCoverage, readHoldingsSince, readRangeStart } from './coverage-reads.ts';
import { createStaleReader, type StaleReaderDeps } from './stale-reads.ts';

/** Times to live are set when the service starts, and move on by the day. */
const RETENTION_FRESH_MS = 60_000;
/** Milliseconds for which the last history in memory is told while the store does not answer. */
const LAST_GOOD_MS = 3_600_000;
/** Tables that balances are made of besides positions, which are kept for ever. */
const MOVE_TABLES = ['transfers', 'burns', 'unexplained_deltas', 'liquidity'] as const;

/** Tells whether the store holds everything of a token since its creation. */
export interface StoreHistory {
  /** True when every move of a token from its creation up to slot `mark` is there: no hole, no partial block, nothing let go. */
  isWhole(creation: TokenCreationRow | undefined, mark: number): Promise<boolean>;
  /** The same of its swaps alone. */
  hasSwaps(creation: TokenCreationRow, mark: number): Promise<boolean>;
}

/** Tells since when tables have all their rows, of those that do not keep them for ever: Unix seconds. */
export type WholeSince = () => Promise<ReadonlyMap<string, number>>;

export function createWholeSince(client: StoreClient, clock: Clock): WholeSince {
  const retention = createRefreshed<ReadonlyMap<string, number>>({
    clock,
    capacity: 1,
    freshMs: RETENTION_FRESH_MS,
    reuseMs: RETENTION_FRESH_MS,
    lastGoodMs: LAST_GOOD_MS,
  });
  return async () => (await retention.get('', () => readWholeSince(client))).value;
}

/** Tells the slots that the store holds whole. */
export type CoverageReader = () => Promise<Coverage>;

export function createCoverageReader(client: StoreClient, clock: Clock): CoverageReader {
  const ranges = createRefreshed<Coverage>({ clock, capacity: 1, lastGoodMs: LAST_GOOD_MS });
  return async () => (await ranges.get('', () => readCoverage(client))).value;
}

export function createStoreHistory(client: StoreClient, clock: Clock): StoreHistory {
  let coverage: Coverage = [];
  const wholeSince = createWholeSince(client, clock);

  /** Coverage only grows: what was covered once needs no further question. */
  async function covers(first: number, last: number): Promise<boolean> {
    if (coversRange(coverage, { first, last })) return true;
    coverage = await readCoverage(client);
    return coversRange(coverage, { first, last });
  }

  async function keeps(
    tables: readonly string[],
    creation: TokenCreationRow | undefined,
    mark: number,
  ): Promise<boolean> {
    if (creation === undefined || creation.partial || mark < creation.slot) return false;
    if (!(await covers(creation.slot, mark))) return false;
    const since = await wholeSince();
    return tables.every((table) => (since.get(table) ?? 0) <= creation.time);
  }

  return {
    isWhole: (creation, mark) => keeps(MOVE_TABLES, creation, mark),
    hasSwaps: (creation, mark) => keeps(['swaps'], creation, mark),
  };
}

/** True when no slot from `first` to `last` is missing of those that have come: behind the newest one there is nothing to miss yet. */
export function coversUpTo(coverage: Coverage, first: number, last: number): boolean {
  const known = Math.min(last, newestSlot(coverage));
  return first > known || coversRange(coverage, { first, last: known });
}

/** Tells whether all swaps of a token from its creation up to slot `last` are known, of the slots that have come. */
export type LaunchHistory = (creation: TokenCreationRow | undefined, last: number) => Promise<boolean>;

export function createLaunchHistory(client: StoreClient, clock: Clock): LaunchHistory {
  const wholeSince = createWholeSince(client, clock);
  const coverage = createCoverageReader(client, clock);
  return async (creation, last) => {
    if (creation === undefined || creation.partial) return false;
    const [since, slots] = await Promise.all([wholeSince(), coverage()]);
    return (since.get('swaps') ?? 0) <= creation.time && coversUpTo(slots, creation.slot, last);
  };
}

/**
 * Tells whether balances are folded of all of a token's life: no hole since its creation, its movements from the first one
 * on, and nothing that came late and is still to be folded.
 */
export type HoldingsHistory = (creation: TokenCreationRow | undefined) => Promise<boolean>;

/**
 * Opens what is told of a token's wallets, and tells whether it is whole. That is asked first: a hole that is filled
 * while something is read is not in all of it. A token that is born meanwhile is asked about again, or its first answer
 * would be partial for a creation that nobody knew yet.
 */
export async function openWhole<T>(
  isWhole: HoldingsHistory,
  creationOf: () => TokenCreationRow | undefined,
  open: () => Promise<T>,
): Promise<{ readonly whole: boolean; readonly opened: T }> {
  const creation = creationOf();
  const [whole, opened] = [await isWhole(creation), await open()];
  const isBorn = creation === undefined && creationOf() !== undefined;
  return isBorn ? openWhole(isWhole, creationOf, open) : { whole, opened };
}

export interface HoldingsHistoryDeps extends StaleReaderDeps {
  readonly clock: Clock;
}

export function createHoldingsHistory({ client, clock, feed }: HoldingsHistoryDeps): HoldingsHistory {
  const isStale = createStaleReader({ client, feed });
  const coverage = createCoverageReader(client, clock);
  const begun = createRefreshed<number>({
    clock,
    capacity: 1,
    freshMs: RETENTION_FRESH_MS,
    reuseMs: RETENTION_FRESH_MS,
    lastGoodMs: LAST_GOOD_MS,
  });
  return async (creation) => {
    if (creation === undefined || creation.partial) return false;
    const [slots, since] = await Promise.all([coverage(), begun.get('', () => readHoldingsSince(client))]);
    if (since.value > creation.time || !coversUpTo(slots, creation.slot, Number.POSITIVE_INFINITY)) return false;
    // Behind the coverage: what fills a hole comes with its marks, and the store notes its slots last.
    return !(await isStale(creation.mint));
  };
}

/** The newest slots that are whole without a hole, to where the data reach now. */
export interface UnbrokenSlots {
  readonly first: number;
  /** Unix seconds at which they begin; undefined while no block of them tells its time. */
  readonly since: number | undefined;
}

/** Tells them; undefined while no slot is whole. */
export type UnbrokenReader = () => Promise<UnbrokenSlots | undefined>;

export function createUnbrokenReader(client: StoreClient, clock: Clock): UnbrokenReader {
  const coverage = createCoverageReader(client, clock);
  const starts = createRefreshed<number | undefined>({
    clock,
    capacity: 2,
    freshMs: RETENTION_FRESH_MS,
    reuseMs: RETENTION_FRESH_MS,
    lastGoodMs: LAST_GOOD_MS,
  });
  return async () => {
    const newest = (await coverage()).at(-1);
    if (newest === undefined) return undefined;
    const { first } = newest;
    return { first, since: (await starts.get(String(first), () => readRangeStart(client, first))).value };
  };
}
