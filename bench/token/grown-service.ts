import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../../src/chain/address.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { connectionUrl, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { type Service, startService } from '../api/processes.ts';
import { childrenCpuS, processCpuS } from '../ingest/cpu-time.ts';
import type { PassingTokens } from '../recovery/grown-rows.ts';
import { provideGrownStore } from '../recovery/grown-store.ts';

/** A service that ingests the simulated chain into a grown store, whose server belongs to this process. */
export interface GrownService {
  readonly service: Service;
  readonly client: StoreClient;
  /** Processor seconds so far. */
  cpu(): { readonly ours: number; readonly clickhouse: number };
  /** Newest slot of the rows that were there before. */
  readonly headSlot: number;
  /** Rows that were there before, by table. */
  readonly rows: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const COUNTED = ['swaps', 'positions', 'attempts', 'transfers', 'fundings', 'token_creations'];

export async function startOnGrownStore(
  swaps: number,
  bookMemory: string,
  stride = 1,
  passing?: PassingTokens,
): Promise<GrownService> {
  const log = createLogger('error');
  const grown = await provideGrownStore(swaps, stride, passing);
  const store = await openStore({ url: undefined, dataDir: grown, log, clock: systemClock });
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-token-'));
  const { client, connection } = store;
  const rows = Object.fromEntries(
    await Promise.all(COUNTED.map(async (table) => [table, await readNumber(client, `SELECT count() FROM ${table}`)])),
  );
  const headSlot = await readNumber(client, 'SELECT max(slot) FROM blocks');
  const service = await startService(dataDir, {
    CLICKHOUSE_URL: connectionUrl(connection),
    MINTSCOPE_BOOK_MEMORY: bookMemory,
  });
  // What windows read at the start takes a core for a while: it is another figure.
  await untilReady(service);
  return {
    service,
    client,
    headSlot,
    rows,
    cpu() {
      const ours = processCpuS(service.pid) ?? Number.NaN;
      return { ours, clickhouse: (childrenCpuS() ?? Number.NaN) - ours };
    },
    async stop() {
      await service.stop();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const READY_MS = 180_000;
const LOOK_MS = 500;

async function untilReady({ address }: Service): Promise<void> {
  const until = performance.now() + READY_MS;
  while ((await fetch(new URL('/ready', address))).status !== 200) {
    if (performance.now() > until) throw new Error(`the service is not ready after ${READY_MS} ms`);
    await sleep(LOOK_MS);
  }
}

export async function hottestToken(client: StoreClient): Promise<Address> {
  return (await hottestTokens(client, 1))[0]!;
}

/** The tokens with the most swaps, or all there are. */
export async function hottestTokens(client: StoreClient, count: number): Promise<Address[]> {
  const query = `SELECT base58Encode(mint) AS mint FROM mint_minutes GROUP BY mint ORDER BY sum(buys + sells) DESC LIMIT ${count}`;
  return readMints(client, query);
}

/** Tokens from all over the store, in no order that anything is kept in. */
export async function scatteredTokens(client: StoreClient, count: number): Promise<Address[]> {
  const query = `SELECT base58Encode(mint) AS mint FROM token_creations WHERE slot < 700000000 ORDER BY cityHash64(mint) LIMIT ${count}`;
  const mints = await readMints(client, query);
  if (mints.length < count) throw new Error(`the store has ${mints.length} tokens of ${count}`);
  return mints;
}

async function readMints(client: StoreClient, query: string): Promise<Address[]> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ mint: Address }>()).map(({ mint }) => mint);
}

async function readNumber(client: StoreClient, query: string): Promise<number> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' });
  const [[value] = ['0']] = await answer.json<[string]>();
  return Number(value);
}
