import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker, seededRandom } from '../../../../test/support/block-facts.ts';
import { extent } from '../../../../test/support/extent.ts';
import { positionKey } from '../../../facts/average-cost.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { createStoreClient, type StoreClient } from '../client.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../embedded/embedded-server.ts';
import { migrate, readMigrations } from '../migrations.ts';
import { openOutbox } from './outbox.ts';
import { readSlotIndex } from './slot-index.ts';
import { createWriter, type StoreWriter } from './writer.ts';

/** Every other one takes the writer's process with it. */
const SERVER_KILLS = extent(2, 8);
const FIRST_SLOT = 1_000;
const BLOCKS_PER_FLUSH = 4;
const MAX_KILL_DELAY_MS = 60;

let dir: string;
let server: EmbeddedServer;
let client: StoreClient;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-kills-'));
  server = await startEmbeddedServer({
    dir: join(dir, 'clickhouse'),
    log: silentLogger,
    clock: systemClock,
  });
  client = createStoreClient(server.connection);
  await migrate(client, readMigrations(), silentLogger);
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

async function openWriter(): Promise<StoreWriter> {
  const slotIndex = await readSlotIndex(client);
  const outbox = await openOutbox(join(dir, 'outbox'));
  const writer = createWriter({ client, outbox, slotIndex, assertLease() {}, log: silentLogger, clock: systemClock });
  await writer.recover();
  return writer;
}

/** Rows by slot of a fact table, and what was made of them. */
async function readCounts(query: string): Promise<Record<string, number>> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  const [row = {}] = await answer.json<Record<string, string>>();
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}

describe('a server that is killed while it takes rows', () => {
  it(`loses no row and doubles none, in facts, copies and rollups, over ${SERVER_KILLS} kills`, async () => {
    const random = seededRandom(7);
    const maker = createFactsMaker({ seed: 7, firstSlot: FIRST_SLOT, swapsPerBlock: 60 });
    const truth = { swaps: 0, tips: 0, priced: 0, folded: 0, transfers: 0, blocks: 0, creations: 0 };
    const positions = new Set<string>();
    let writer = await openWriter();
    for (let kill = 0; kill < SERVER_KILLS; kill++) {
      const batches = Array.from({ length: 2 }, () => {
        const blocks = Array.from({ length: BLOCKS_PER_FLUSH }, () => maker.next());
        for (const block of blocks) {
          truth.swaps += block.swaps.length;
          truth.tips += block.swaps.filter(({ tip }) => tip > 0n).length;
          truth.priced += block.swaps.filter(({ priced }) => priced).length;
          const folded = block.swaps.filter(({ protocolActor }) => !protocolActor);
          truth.folded += folded.length;
          for (const swap of folded) positions.add(positionKey(swap));
          truth.transfers += block.transfers.length;
          truth.creations += block.created.length;
          truth.blocks += 1;
        }
        return blocks.map((block) => maker.toBatch(block));
      });
      const flushes = batches.map((each) => writer.flush(each));
      await systemClock.sleep(random() * MAX_KILL_DELAY_MS);
      process.kill(server.pid, 'SIGKILL');
      if (kill % 2 === 0) {
        await Promise.all(flushes);
      } else {
        // The writer's process dies too: a new one finds the outbox, and gets again what was not in it.
        const settled = Promise.allSettled(flushes);
        await writer.close(0);
        await settled;
        await untilUp();
        writer = await openWriter();
        await writer.flush(batches.flat());
      }
    }
    await writer.close(10_000);
    expect(await readdir(join(dir, 'outbox'))).toEqual([]);
    expect((await readSlotIndex(client)).coverage).toEqual([
      { first: FIRST_SLOT, last: FIRST_SLOT + truth.blocks - 1 },
    ]);
    expect(
      await readCounts(`SELECT
          (SELECT count() FROM swaps) AS swaps,
          (SELECT uniqExact(signature) FROM swaps) AS signatures,
          (SELECT count() FROM swaps_by_trader) AS by_trader,
          (SELECT count() FROM positions FINAL) AS positions,
          (SELECT sum(buys + sells) FROM positions FINAL) AS folded,
          (SELECT count() FROM positions_by_trader FINAL) AS positions_by_trader,
          (SELECT sum(buys + sells) FROM mint_minutes) AS minutes,
          (SELECT sum(buys + sells) FROM venue_minutes) AS venue_minutes,
          (SELECT sum(swaps) FROM fee_minutes) AS fee_minutes,
          (SELECT sum(swaps) FROM slot_economics) AS slot_economics,
          (SELECT sum(swaps) FROM router_minutes) AS router_minutes,
          (SELECT sum(transactions) FROM tipper_hours) AS tipper_hours,
          (SELECT sum(swaps) FROM mint_hours) AS mint_hours,
          (SELECT sum(trades) FROM candles) AS candles,
          (SELECT count() FROM transfers) AS transfers,
          (SELECT count() FROM transfers_by_wallet) AS by_wallet,
          (SELECT count() FROM token_creations) AS creations,
          (SELECT count() FROM tokens_by_creation) AS by_creation,
          (SELECT count() FROM blocks) AS blocks,
          (SELECT sum(blocks) FROM block_minutes) AS block_minutes`),
    ).toEqual({
      swaps: truth.swaps,
      signatures: truth.swaps,
      by_trader: truth.swaps,
      positions: positions.size,
      folded: truth.folded,
      positions_by_trader: positions.size,
      minutes: truth.swaps,
      venue_minutes: truth.swaps,
      fee_minutes: truth.swaps,
      slot_economics: truth.swaps,
      router_minutes: truth.swaps,
      tipper_hours: truth.tips,
      mint_hours: truth.swaps,
      candles: truth.priced * 6,
      transfers: truth.transfers,
      by_wallet: truth.transfers * 2,
      creations: truth.creations,
      by_creation: truth.creations,
      blocks: truth.blocks,
      block_minutes: truth.blocks,
    });
  });
});

async function untilUp(): Promise<void> {
  for (;;) {
    const isUp = await readCounts('SELECT 1').catch(() => undefined);
    if (isUp !== undefined) return;
    await systemClock.sleep(50);
  }
}
