import { createRefreshed } from '../books/refreshed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { type Coverage, coversRange } from '../store/clickhouse/coverage.ts';
import { readWholeSince } from '../store/clickhouse/retention.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { readCoverage } from './coverage-reads.ts';

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
