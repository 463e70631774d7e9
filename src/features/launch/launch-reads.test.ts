import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { launchBlocks, launchReadsOver } from '../../../test/support/launch-books.ts';
import { LAUNCH_MINT, landed, leg } from '../../../test/support/launch-script.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { partialBlock, relocateWorld, worldBatch, worldBlocks, worldMint } from '../../../test/support/token-world.ts';
import { address, WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { createLaunchReads, type LaunchReads } from './launch-reads.ts';

const NOW = 1_790_000_000;
const MAX_SLOT = 2 ** 32 - 1;
const BUSY_SWAPS = 600_000;
/** Apart from the others in the same store. */
const LAUNCH_WORLD = 40;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

/** Everything that can be asked, up to a mark: of the beginning, of the middle, and of more than there is. */
async function answers(reads: LaunchReads, mint: Address, mark: number, first: number) {
  const ranges = [
    { first, last: first + 2, limit: 100 },
    { first: first + 4, last: MAX_SLOT, limit: 3 },
    { first: 0, last: MAX_SLOT, limit: 100 },
  ];
  const buys = await reads.firstBuys(mint, mark, 100);
  const wallets = buys.slice(0, 2).map(({ trader }) => trader as Address);
  const byKey = (rows: Awaited<ReturnType<LaunchReads['positions']>>) =>
    rows
      .map((row) => ({ ...row, mint_quotes: undefined, mint_unknown: undefined, mint_newest: undefined }))
      .sort((a, b) => (`${a.trader}${a.quote_mint}` < `${b.trader}${b.quote_mint}` ? -1 : 1));
  return {
    swaps: await Promise.all(ranges.map((range) => reads.raceSwaps(mint, mark, range))),
    attempts: await Promise.all(ranges.map((range) => reads.raceAttempts(mint, mark, range))),
    // The columns of the question alone: memory has whole rows.
    buys: buys.map(({ slot, block_index, ix_index, trader, token_amount, bundled }) => ({
      slot,
      block_index,
      ix_index,
      trader,
      token_amount,
      bundled,
    })),
    fewer: (await reads.firstBuys(mint, mark, 2)).map(({ trader }) => trader),
    positions: byKey(await reads.positions(mint, { wallets, sellers: false, limit: 100 })),
    sellers: byKey(await reads.positions(mint, { wallets, sellers: true, limit: 100 })),
    nobody: await reads.positions(mint, { wallets: [], sellers: false, limit: 100 }),
  };
}

describe('what the store says of a token’s first moments', () => {
  it('is what plain arrays of the same rows say', async () => {
    const reads = createLaunchReads(test.store.client);
    // The longest of many: most are a few blocks long.
    const shapes = fc.sample(worldBlocks(NOW, 30), { numRuns: 100, seed: 11 });
    const worlds = shapes.sort((a, b) => b.length - a.length).slice(0, extent(4, 8));
    let asked = 0;
    for (const [world, shape] of worlds.entries()) {
      const memory = createMemoryReads();
      const blocks: WorldBlock[] = relocateWorld(world % 4 === 3 ? shape.map(partialBlock) : shape, world);
      for (const block of blocks) memory.add(block);
      // In two parts, so that the newer position of a wallet stands beside an older one.
      for (const half of [blocks.slice(0, 4), blocks.slice(4)]) {
        await test.store.writer.flush(half.map((block) => worldBatch(block, world % 4 !== 3)));
      }
      const first = blocks[Math.floor(blocks.length / 3)]!.slot;
      for (const mint of WORLD_MINTS.map((each) => worldMint(each, world))) {
        for (const mark of [first + 3, MAX_SLOT]) {
          const expected = await answers(launchReadsOver(memory), mint, mark, first);
          expect(await answers(reads, mint, mark, first)).toEqual(expected);
          asked += expected.buys.length;
        }
      }
    }
    expect(asked).toBeGreaterThan(20);
  });

  it('has the first buys of a busy token without reading the rest of it', async () => {
    const mint = address(99);
    const { client } = test.store;
    await client.command({
      query: `INSERT INTO swaps (mint, slot, block_index, ix_index, is_buy, trader, signature)
        SELECT toFixedString(base58Decode('${mint}'), 32), 1000 + intDiv(number, 10), number % 10, 0, true,
          toFixedString(leftPad(toString(number % 3000), 32, '0'), 32), toFixedString('', 64)
        FROM numbers(${BUSY_SWAPS})`,
    });
    const answer = await client.query({
      query: readFileSync(new URL('./first-buys.sql', import.meta.url), 'utf8'),
      query_params: { mint, mark: MAX_SLOT, limit: 500 },
      clickhouse_settings: { wait_end_of_query: 1 },
    });
    await answer.text();
    const { read_rows } = JSON.parse(String(answer.response_headers['x-clickhouse-summary']));
    expect(Number(read_rows)).toBeLessThan(BUSY_SWAPS / 2);
    const buys = await createLaunchReads(client).firstBuys(mint, MAX_SLOT, 500);
    expect([buys.length, buys.at(-1)?.slot]).toEqual([500, 1_049]);
  });

  it('is of the wallets that were named before it is of sellers', async () => {
    const sale = (seed: number) => landed(0, 2 * seed, leg(address(seed), { isBuy: false }));
    const wallets = [address(3), address(250)];
    const script = [
      ...Array.from({ length: 60 }, (_, place) => sale(100 + place)),
      landed(
        2,
        4,
        wallets.map((each) => leg(each)),
      ),
    ];
    const blocks = relocateWorld(launchBlocks(script), LAUNCH_WORLD);
    await test.store.writer.flush(blocks.map((block) => worldBatch(block)));
    const reads = createLaunchReads(test.store.client);
    const mint = worldMint(LAUNCH_MINT, LAUNCH_WORLD);
    const told = await reads.positions(mint, { wallets, sellers: true, limit: 2 });
    expect(new Set(told.map(({ trader }) => trader))).toEqual(new Set(wallets));
  });
});
