import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { extent } from '../../test/support/extent.ts';
import { randomBetween, randomOf } from '../../test/support/random.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../test/support/store-hosts.ts';
import { toldFacts as told } from '../../test/support/told-facts.ts';
import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import type { BlockFacts, Swap } from '../facts/fact.ts';
import { AMM } from '../facts/venue.ts';
import { runStatement, type StoreClient } from '../store/clickhouse/client.ts';
import { fillStep, readFillSteps } from '../store/clickhouse/derived/fill.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { verifyStore } from '../store/clickhouse/verify/verify.ts';
import { leaseOwner } from '../store/clickhouse/write/lease-rows.ts';
import { createWriterFence } from '../store/clickhouse/write/writer-fence.ts';
import { hasCards, readCards } from './card-reads.ts';
import { readTokenFacts } from './facts-reads.ts';
import { createTokenReads } from './token-reads.ts';

const FIRST_SLOT = 1_000;
const BLOCKS = 16;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

const address = (byte: number) => encodeAddress(new Uint8Array(32).fill(byte));

interface Chain {
  readonly mints: readonly Address[];
  /** Blocks in order of slot. */
  readonly facts: readonly BlockFacts[];
}

/** Blocks with trades in several quotes, priced or not, and with whatever else happens to a token, more than once too. */
function drawChain(): Chain {
  const maker = createFactsMaker({ seed: randomBetween(1, 1e9), firstSlot: FIRST_SLOT, mints: 6, swapsPerBlock: 8 });
  const facts = Array.from({ length: BLOCKS }, () => {
    const block = maker.next();
    const base = { slot: block.slot, time: block.time, signature: new Uint8Array(64).fill(block.slot % 256) };
    const place = (blockIndex: number) => ({ ...base, blockIndex, ixIndex: randomBetween(0, 3) });
    const mint = randomOf(maker.mints);
    const [user, pool] = [address(1), address(randomBetween(2, 4))];
    return {
      ...block,
      created: randomBetween(0, 5) === 0 ? [...block.created, ...again(block, mint)] : block.created,
      swaps: block.swaps.map(
        (swap): Swap => ({
          ...swap,
          ...(randomBetween(0, 3) === 0 ? { quoteMint: address(randomBetween(5, 7)) } : {}),
          ...(randomBetween(0, 3) === 0 ? { venue: AMM, pool, priced: false } : {}),
          ...(randomBetween(0, 9) === 0 ? { priceToken: 0n, priceQuote: 0n } : {}),
        }),
      ),
      completed: randomBetween(0, 3) === 0 ? [{ ...place(700), mint, bondingCurve: user, user }] : [],
      graduated:
        randomBetween(0, 3) === 0
          ? [
              {
                ...place(701),
                mint,
                pool,
                quoteMint: undefined,
                tokenAmount: 1n,
                quoteAmount: 1n,
                migrationFee: 1n,
                user: pool,
              },
            ]
          : [],
      creatorChanges:
        randomBetween(0, 2) === 0
          ? [{ ...place(702), mint, previous: user, creator: pool, reason: 'set_creator' as const }]
          : [],
    };
  });
  return { mints: maker.mints, facts };
}

/** A second creation of a mint, as of an event that came twice. */
function again({ created, slot, time }: BlockFacts, mint: Address): BlockFacts['created'] {
  return created.slice(0, 1).map((each) => ({ ...each, mint, slot, time, blockIndex: 650, name: 'Second' }));
}

/** Rows as they come: some blocks late, some first as single transactions that their block replaces, some only so. */
function drawArrival(facts: readonly BlockFacts[]): RowBatch[][] {
  const late: BlockFacts[] = [];
  const flushes: RowBatch[][] = [];
  for (const block of facts) {
    const draw = randomBetween(0, 9);
    if (draw === 0) late.push(block);
    else if (draw === 1) flushes.push([toRowBatch({ ...block, whole: false, swaps: block.swaps.slice(0, 3) }, [])]);
    else flushes.push([toRowBatch(block, [])]);
    if (draw === 1 && randomBetween(0, 1) === 0) late.push(block);
    if (draw === 3 && late.length > 0) flushes.push([toRowBatch(late.shift()!, [])]);
  }
  return [...flushes, ...late.map((block) => [toRowBatch(block, [])])];
}

/** Compares the two ways at a slot. Highs may be ahead in both; the others may not. Returns how many cards were past it. */
async function compareAt(client: StoreClient, mints: readonly Address[], mark: number): Promise<number> {
  const cards = await readCards(client, mints, mark);
  for (const mint of mints) {
    const card = cards.get(mint);
    if (card === undefined) continue;
    expect({ mark, mint, ...told(card) }).toEqual({ mark, mint, ...told(await readTokenFacts(client, mint, mark)) });
  }
  return mints.length - cards.size;
}

/** What does not follow from the facts; positions are not written here. */
async function wrongRollups(client: StoreClient) {
  const { mismatches } = await verifyStore({ client });
  return mismatches.filter(({ table }) => table !== 'positions');
}

describe('cards of tokens', () => {
  it('tell what the facts tell, at any slot, however the blocks came', async () => {
    for (let story = 0; story < extent(1, 25); story++) {
      const client = await hosts.openDatabase();
      const { mints, facts } = drawChain();
      const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
      for (const flush of drawArrival(facts)) await writer.flush(flush);
      await writer.close(1_000);
      expect(await hasCards(client)).toBe(true);
      const unknown = address(99);
      const asked = [...mints, unknown];
      expect(await compareAt(client, asked, FIRST_SLOT + BLOCKS)).toBe(0);
      for (let at = 0; at < 2; at++) await compareAt(client, asked, FIRST_SLOT + randomBetween(-1, BLOCKS));
      // The reader that features have asks the facts where a card is past the mark.
      const mark = FIRST_SLOT + randomBetween(3, BLOCKS - 3);
      const reads = createTokenReads(client);
      const together = await Promise.all(mints.map((mint) => reads.token(mint, mark)));
      for (const [place, mint] of mints.entries()) {
        expect(told(together[place]!)).toEqual(told(await readTokenFacts(client, mint, mark)));
      }
      expect(await wrongRollups(client)).toEqual([]);
      await client.close();
    }
  });

  it('of a store from before are filled in steps, which a kill anywhere leaves to be gone on with, and are not read before', async () => {
    const client = await hosts.openDatabase();
    const { mints, facts } = drawChain();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(facts.slice(0, 12).map((block) => toRowBatch(block, [])));
    await runStatement(client, 'TRUNCATE TABLE token_card');
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    expect(await hasCards(client)).toBe(false);
    const few = { swapsAtOnce: 40 };
    await fillStep(client, few);
    // A kill behind the rows of a step and before its note: it is done again.
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    await fillStep(client, few);
    const steps = await readFillSteps(client);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThan(256);
    expect(await hasCards(client)).toBe(false);
    expect(await wrongRollups(client)).toEqual([]);
    const reads = createTokenReads(client);
    const asked = await Promise.all(mints.map((mint) => reads.token(mint, FIRST_SLOT + 10)));
    expect(asked.some(({ lastSwap }) => lastSwap !== undefined)).toBe(true);
    // Ingest goes on between two steps.
    await writer.flush(facts.slice(12).map((block) => toRowBatch(block, [])));
    await writer.close(1_000);
    while (await fillStep(client, few));
    expect(await hasCards(client)).toBe(true);
    expect(await compareAt(client, mints, FIRST_SLOT + BLOCKS)).toBe(0);
    expect(await wrongRollups(client)).toEqual([]);
    await client.close();
  });

  it('that are filled know what had left the swaps by then as rollups do, and no less than those that were always there', async () => {
    const client = await hosts.openDatabase();
    const { mints, facts } = drawChain();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    for (const block of facts) await writer.flush([toRowBatch(block, [])]);
    await writer.close(1_000);
    const mark = FIRST_SLOT + BLOCKS;
    const before = await readCards(client, mints, mark);
    // All that a time to live lets go at some moment: the older half.
    await client.command({ query: `DELETE FROM swaps WHERE slot < ${FIRST_SLOT + BLOCKS / 2}` });
    await runStatement(client, 'TRUNCATE TABLE token_card');
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    while (await fillStep(client, { swapsAtOnce: 40 }));
    const after = await readCards(client, mints, mark);
    for (const mint of mints) expect([mint, told(after.get(mint)!)]).toEqual([mint, told(before.get(mint)!)]);
    await client.close();
  });

  it('are filled by nobody who was taken over', async () => {
    const client = await hosts.openDatabase();
    const { facts } = drawChain();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(facts.map((block) => toRowBatch(block, [])));
    await writer.close(1_000);
    const outbox = await hosts.newFolder();
    const successor = await takeOver(client, { folder: outbox, epoch: 2 });
    await runStatement(client, 'TRUNCATE TABLE token_card');
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    const fenceOf = (epoch: number, owner: string) => createWriterFence(client, { epoch, owner });
    await expect(fillStep(client, { fence: fenceOf(1, 'the one before') })).rejects.toMatchObject({
      code: 'lease_lost',
    });
    expect(await readFillSteps(client)).toBe(0);
    const ours = { fence: fenceOf(2, leaseOwner('', outbox)), swapsAtOnce: 40 };
    while (await fillStep(client, ours));
    expect(await hasCards(client)).toBe(true);
    expect(await wrongRollups(client)).toEqual([]);
    await successor.close(1_000);
    await client.close();
  });

  it('forget what a lost host had half written of its mints alone, and are whole at once', async () => {
    const { mints, facts } = drawChain();
    const client = await hosts.openDatabase();
    const lost = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await lost.flush(facts.map((block) => toRowBatch(block, [])));
    await lost.close(1_000);
    // A kill right before the last flush was noted: its slots are in every table, and in no range of the coverage.
    const first = FIRST_SLOT + Math.floor(BLOCKS / 2);
    await runStatement(client, 'TRUNCATE TABLE coverage');
    await runStatement(client, `INSERT INTO coverage VALUES (${FIRST_SLOT}, ${first - 1})`);
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    await successor.close(1_000);
    expect(await hasCards(client)).toBe(true);
    const expectCards = async () => {
      for (const mint of mints) {
        const [card, read] = [
          (await readCards(client, [mint], FIRST_SLOT + BLOCKS)).get(mint),
          await readTokenFacts(client, mint, FIRST_SLOT + BLOCKS),
        ];
        // The rollup that the old way takes highs from still has those of the lost host, until its slots come again.
        expect(card && { ...told(card), highs: [] }).toEqual({ ...told(read), highs: [] });
      }
    };
    await expectCards();
    // Filled in again beside the service they know no more: rollups have what is in no range of the coverage.
    await runStatement(client, 'TRUNCATE TABLE token_card');
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    while (await fillStep(client, { swapsAtOnce: 40 }));
    await expectCards();
    expect((await wrongRollups(client)).filter(({ table }) => table === 'token_card')).toEqual([]);
    await client.close();
  });

  it('have no row more for all the pools that strangers make', async () => {
    const client = await hosts.openDatabase();
    const { mints, facts } = drawChain();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    const [block] = facts;
    const mint = mints[0]!;
    const swaps = Array.from({ length: 300 }, (_, at): Swap => {
      const quoteMint = encodeAddress(
        Uint8Array.from({ length: 32 }, (__, byte) => (byte < 2 ? (at >> (8 * byte)) & 255 : 9)),
      );
      return { ...block!.swaps[0]!, mint, quoteMint, venue: AMM, pool: quoteMint, priced: false, blockIndex: 10 + at };
    });
    await writer.flush([toRowBatch({ ...block!, swaps }, [])]);
    await writer.close(1_000);
    const rows = await client.query({ query: 'SELECT count() AS n FROM token_card FINAL', format: 'JSONEachRow' });
    const [{ n } = { n: '' }] = await rows.json<{ n: string }>();
    expect(Number(n)).toBeLessThanOrEqual(mints.length);
    const card = (await readCards(client, [mint], FIRST_SLOT)).get(mint);
    expect(card?.lastSwap).toMatchObject({ block_index: 309, quote_mint: swaps[299]!.quoteMint });
    await client.close();
  });
});
