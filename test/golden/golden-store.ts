import { join } from 'node:path';
import type { Address } from '../../src/chain/address.ts';
import { keepSolPrices } from '../../src/commands/sol-price.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { createCollector } from '../../src/metadata/collector.ts';
import { createSimulatedDocuments } from '../../src/metadata/documents.ts';
import { DEFAULT_GATEWAYS } from '../../src/metadata/gateways.ts';
import { createMetadataTransport } from '../../src/simulator/metadata-transport.ts';
import { simulatedSolUsd } from '../../src/simulator/sol-price.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';
import { createSweep } from '../../src/store/clickhouse/derived/sweep.ts';
import { SWEPT_TABLES } from '../../src/store/clickhouse/derived/swept-tables.ts';
import { TOKEN_METADATA, type TokenMetadataRow } from '../../src/store/clickhouse/schema/background-tables.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { appendRows } from '../../src/store/clickhouse/write/append-rows.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { openTestStore } from '../support/store.ts';
import { findSubjects, type GoldenChain, makeChain, SEED, type Subjects } from './golden-chain.ts';

/** A store with the older part of the seeded chain, into which the rest can be written block by block. */
export interface GoldenStore {
  readonly chain: GoldenChain;
  readonly subjects: Subjects;
  readonly client: StoreClient;
  /** Rows of the blocks of the rest. */
  readonly rest: readonly RowBatch[];
  /** Slots of these blocks, and before them that of the newest of the older part. */
  readonly slots: readonly number[];
  /** Blocks of the rest that are written. */
  readonly written: number;
  /** Writes what is lacking of the first so many blocks of the rest. */
  writeTo(blocks: number): Promise<void>;
  /** Goes through all that is whole for what background tables tell. */
  sweep(): Promise<void>;
  /** A path in the store's folder that nobody has. */
  newPath(name: string): string;
  close(): Promise<void>;
}

export async function openGoldenStore(): Promise<GoldenStore> {
  const chain = makeChain();
  const test = await openTestStore();
  const { client, writer } = test.store;
  const batches = foldedBatches([...chain.stored, ...chain.fed]);
  await writer.flush(batches.slice(0, chain.stored.length));
  await storeDocuments(client, chain.stored, SEED);
  await storeSolPrices(client, chain.stored.at(-1)!.time, SEED);
  const rest = batches.slice(chain.stored.length);
  let written = 0;
  let paths = 0;
  return {
    ...{ chain, subjects: findSubjects(chain), client, rest },
    slots: [chain.stored.at(-1)!.slot, ...rest.map(({ lastSlot }) => lastSlot)],
    get written() {
      return written;
    },
    async writeTo(blocks) {
      const lacking = rest.slice(written, blocks);
      if (lacking.length > 0) await writer.flush(lacking);
      written = Math.max(written, blocks);
    },
    async sweep() {
      for (const table of SWEPT_TABLES) {
        const run = await createSweep(client, table);
        while ((await run.step()) !== undefined);
      }
    },
    newPath(name) {
      paths += 1;
      return join(test.dataDir, `${paths}-${name}`);
    },
    close: test.close,
  };
}

/** Stores the documents of the tokens, read by a collector of its own: all of them, to the last try. */
export async function storeDocuments(client: StoreClient, blocks: readonly BlockFacts[], seed: string): Promise<void> {
  const rows = new Map<Address | '', TokenMetadataRow>();
  const clock = createHandClock();
  const collector = createCollector({
    documents: createSimulatedDocuments(createMetadataTransport(seed), DEFAULT_GATEWAYS),
    clock,
    note: (row) => rows.set(row.mint, row),
  });
  const stop = new AbortController();
  const done = collector.run(stop.signal);
  for (const { mint, uri } of blocks.flatMap((facts) => facts.created)) collector.want({ mint, uri, tries: 0 });
  await clock.advance(300_000);
  stop.abort();
  await done;
  await appendRows(client, TOKEN_METADATA, [...rows.values()]);
}

const MINUTE_S = 60;
const PRICED_MINUTES = 10;
/** Nobody told the price in it. */
const UNPRICED_MINUTE = 4;

/** Keeps the price of SOL of some minutes up to a time, Unix seconds. */
async function storeSolPrices(client: StoreClient, until: number, seed: string): Promise<void> {
  const last = until - (until % MINUTE_S);
  const minutes = Array.from({ length: PRICED_MINUTES }, (_, at) => last - at * MINUTE_S);
  const prices = minutes.map((minute) => ({
    ...{ minute, quotedAt: minute * 1_000, usd: simulatedSolUsd(seed, minute * 1_000) },
  }));
  await keepSolPrices(
    client,
    prices.filter((_price, at) => at !== UNPRICED_MINUTE),
  );
}
