import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker, seededRandom } from '../../../../test/support/block-facts.ts';
import { extent } from '../../../../test/support/extent.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { encodeSignature } from '../../../chain/keys/base58.ts';
import type { BlockFacts } from '../../../facts/fact.ts';
import { readMempoolBuyers } from '../../../features/launch/mempool-reads.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { columnList, readRows, runStatement } from '../client.ts';
import { MEMPOOL_BUYERS } from '../schema/background-tables.ts';
import { toRowBatch } from '../schema/fact-rows.ts';
import { verifyStore } from '../verify/verify.ts';
import { createSweep, readSweptSlots, runSweep } from './sweep.ts';
import { MEMPOOL_BUYERS_SWEEP } from './swept-tables.ts';

const BLOCKS = extent(300, 900);

const chain: BlockFacts[] = [];
const birds = new Set<string>();
let test: TestStore;

beforeAll(async () => {
  const simulator = createSimulator({ seed: 'sweep', sign: false });
  for (let count = 0; count < BLOCKS; count++) {
    const { truth } = simulator.next();
    chain.push(truth.facts('decoded'));
    for (const { actor, signature } of truth.transactions) {
      if (actor === 'early_bird') birds.add(encodeSignature(signature));
    }
  }
  test = await openTestStore();
});
afterAll(() => test.close());

interface Expected {
  attempts: number;
  slotsBefore: number;
  signature: string;
  landed: boolean;
  /** Of the first buy, 0 without one. */
  landedSlot: number;
}

/** The same question answered by going through the blocks. */
function earlyBuyers(blocks: readonly BlockFacts[]): Map<string, Expected> {
  const created = new Map(blocks.flatMap((block) => block.created.map(({ mint, slot }) => [mint, slot])));
  const bought = new Map<string, number>();
  for (const { isBuy, mint, trader, slot } of blocks.flatMap(({ swaps }) => swaps)) {
    if (isBuy && !bought.has(`${mint} ${trader}`)) bought.set(`${mint} ${trader}`, slot);
  }
  const rows = new Map<string, Expected>();
  for (const attempt of blocks.flatMap(({ attempts }) => attempts)) {
    const slot = created.get(attempt.mint) ?? 0;
    if (attempt.isBuy !== true || attempt.slot >= slot) continue;
    const key = `${attempt.mint} ${attempt.trader}`;
    const row = rows.get(key);
    if (row !== undefined) row.attempts += 1;
    else {
      const signature = encodeSignature(attempt.signature);
      const landedSlot = bought.get(key) ?? 0;
      rows.set(key, { attempts: 1, slotsBefore: slot - attempt.slot, signature, landed: landedSlot > 0, landedSlot });
    }
  }
  return rows;
}

async function storedBuyers(): Promise<Map<string, Expected>> {
  const query = `SELECT ${columnList(MEMPOOL_BUYERS)} FROM mempool_buyers FINAL`;
  const rows = await readRows(test.store.client, MEMPOOL_BUYERS, query);
  return new Map(
    rows.map((row) => [
      `${row.mint} ${row.wallet}`,
      {
        attempts: row.attempts,
        slotsBefore: row.slots_before,
        signature: encodeSignature(row.signature),
        landed: row.landed,
        landedSlot: row.landed_slot,
      },
    ]),
  );
}

async function sweepAll(): Promise<number> {
  const sweep = await createSweep(test.store.client, MEMPOOL_BUYERS_SWEEP);
  let steps = 0;
  while ((await sweep.step()) !== undefined) steps += 1;
  return steps;
}

/** Two short stretches of each launch's neighbourhood come late, so that attempts, creations and purchases all do. */
function inPieces(random: () => number): BlockFacts[][] {
  const pieces: BlockFacts[][] = [];
  for (let at = 0; at < chain.length; ) {
    const length = 1 + Math.floor(random() * 60);
    pieces.push(chain.slice(at, at + length));
    at += length;
  }
  return pieces
    .map((piece) => ({ piece, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ piece }) => piece);
}

describe('the sweep for buyers that came before the token', () => {
  it('gives at any time what the whole slots say, in whatever order they came', async () => {
    const random = seededRandom(3);
    const stored: BlockFacts[] = [];
    let compared = 0;
    for (const piece of inPieces(random)) {
      await test.store.writer.flush(piece.map((facts) => toRowBatch(facts, [])));
      stored.push(...piece);
      if (random() < extent(0.6, 0.3)) {
        await sweepAll();
        const inOrder = stored.toSorted((a, b) => a.slot - b.slot);
        expect(await storedBuyers()).toEqual(earlyBuyers(inOrder));
        compared += 1;
      }
    }
    await sweepAll();
    const expected = earlyBuyers(chain);
    expect(await storedBuyers()).toEqual(expected);
    expect(compared).toBeGreaterThan(extent(1, 5));
    // Worth the name: some tried more than once, some landed, some never did, and all of them are the actors meant.
    const rows = [...expected.values()];
    expect(rows.length).toBeGreaterThan(extent(3, 10));
    expect(rows.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(extent(0, 2));
    expect(new Set(rows.map(({ landed }) => landed)).size).toBe(2);
    for (const { signature } of rows) expect(birds).toContain(signature);
  });

  it('sees a purchase that comes long after the creation', async () => {
    const maker = createFactsMaker({ seed: 8, firstSlot: chain.at(-1)!.slot + 10 });
    const [mint, wallet] = [maker.mints[2]!, maker.traders[5]!];
    const flush = (facts: BlockFacts) => test.store.writer.flush([toRowBatch(facts, [])]);
    const landed = async () => (await storedBuyers()).get(`${mint} ${wallet}`)?.landed;
    const tooSoon = maker.next();
    const attempt = { ...chain.flatMap(({ attempts }) => attempts)[0]!, mint, trader: wallet, isBuy: true };
    const { slot, time } = tooSoon;
    await flush({ ...tooSoon, attempts: [{ ...attempt, slot, time }] });
    await flush({ ...maker.next(), swaps: [] });
    await flush({ ...maker.next(), swaps: [] });
    await sweepAll();
    expect(await landed()).toBe(false);
    const later = maker.next();
    await flush({ ...later, swaps: [{ ...later.swaps[0]!, mint, trader: wallet, isBuy: false }] });
    await sweepAll();
    expect(await landed()).toBe(false);
    const atLast = maker.next();
    await flush({ ...atLast, swaps: [{ ...atLast.swaps[0]!, mint, trader: wallet, isBuy: true }] });
    await sweepAll();
    expect(await landed()).toBe(true);
  });

  it('tells no answer of a purchase behind its slot, and of an earlier one that comes late', async () => {
    const maker = createFactsMaker({ seed: 9, firstSlot: chain.at(-1)!.slot + 100 });
    const [mint, wallet] = [maker.mints[2]!, maker.traders[5]!];
    const blocks = Array.from({ length: 5 }, () => ({ ...maker.next(), created: [], swaps: [] }));
    const [tooSoon, born, first, between, second] = blocks;
    const swap = chain.flatMap(({ swaps }) => swaps)[0]!;
    const buy = ({ slot, ...block }: BlockFacts) => {
      return { ...block, slot, swaps: [{ ...swap, mint, trader: wallet, isBuy: true, slot, blockIndex: 900 }] };
    };
    const attempt = { ...chain.flatMap(({ attempts }) => attempts)[0]!, mint, trader: wallet, isBuy: true };
    const { slot, time } = tooSoon!;
    const birth = { ...chain.flatMap(({ created: each }) => each)[0]!, mint, slot: born!.slot, time: born!.time };
    const flush = async (...blocks: readonly BlockFacts[]) => {
      await test.store.writer.flush(blocks.map((facts) => toRowBatch(facts, [])));
      await sweepAll();
    };
    const landedAt = async (mark: number) => {
      const { events, wallets } = await readMempoolBuyers(test.store.client, 0, mark, 1_000);
      const own = wallets.find((row) => row.wallet === wallet);
      return [events.find((row) => row.mint === mint && row.wallet === wallet)?.landed, own?.landed_tokens];
    };
    await flush({ ...tooSoon!, attempts: [{ ...attempt, slot, time }] });
    await flush({ ...born!, created: [birth] }, between!, buy(second!));
    expect(await landedAt(between!.slot)).toEqual([false, 0]);
    expect(await landedAt(second!.slot)).toEqual([true, 1]);
    // A hole that is filled: the newest slots are gone through first.
    await flush(buy(first!));
    expect(await landedAt(first!.slot - 1)).toEqual([false, 0]);
    expect(await landedAt(first!.slot)).toEqual([true, 1]);
    expect((await verifyStore(test.store)).mismatches.filter(({ table }) => table === 'mempool_buyers')).toEqual([]);
  });

  it('is asked by time and told by wallet too', async () => {
    const mark = chain.at(-1)!.slot;
    const all = [...earlyBuyers(chain)];
    const { events, wallets } = await readMempoolBuyers(test.store.client, 0, mark, 1_000);
    expect(events.map((row) => `${row.mint} ${row.wallet}`).sort()).toEqual(all.map(([key]) => key).sort());
    expect(events.map(({ last_time }) => last_time)).toEqual(events.map((row) => row.last_time).sort((a, b) => b - a));
    for (const { wallet, tokens, attempts, max_slots_before, landed_tokens } of wallets) {
      const own = all.flatMap(([key, row]) => (key.endsWith(` ${wallet}`) ? [row] : []));
      expect({ tokens, attempts, max_slots_before, landed_tokens }).toEqual({
        tokens: own.length,
        attempts: own.reduce((sum, row) => sum + row.attempts, 0),
        max_slots_before: Math.max(...own.map(({ slotsBefore }) => slotsBefore)),
        landed_tokens: own.filter(({ landed }) => landed).length,
      });
    }
    expect(wallets.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(all.length);
    const since = events[2]!.last_time;
    const later = await readMempoolBuyers(test.store.client, since, mark, 1_000);
    expect(later.events).toEqual(events.filter(({ last_time }) => last_time >= since));
    expect((await readMempoolBuyers(test.store.client, 0, mark, 2)).events).toEqual(events.slice(0, 2));
  });

  it('has nothing to do twice, and does no harm when it does', async () => {
    const before = await storedBuyers();
    expect(await sweepAll()).toBe(0);
    await runStatement(test.store.client, 'TRUNCATE TABLE swept_slots');
    expect(await sweepAll()).toBeGreaterThan(0);
    expect(await storedBuyers()).toEqual(before);
  });

  it('is checked when the store is verified, as far as it has come', async () => {
    const { client } = test.store;
    const seen = async () =>
      (await verifyStore(test.store)).mismatches.filter(({ table }) => table === 'mempool_buyers').length;
    expect(await seen()).toBe(0);
    // A version from before noted no slot of purchases.
    const earlier = 'REPLACE (0 AS landed_slot)';
    await runStatement(client, `INSERT INTO mempool_buyers SELECT * ${earlier} FROM mempool_buyers FINAL`);
    expect([...(await storedBuyers()).values()].some(({ landed, landedSlot }) => landed && landedSlot === 0)).toBe(
      true,
    );
    expect(await seen()).toBe(0);
    const values = 'REPLACE (attempts + 1 AS attempts)';
    await runStatement(
      client,
      `INSERT INTO mempool_buyers SELECT * ${values} FROM mempool_buyers FINAL WHERE NOT landed ORDER BY wallet LIMIT 1`,
    );
    expect(await seen()).toBe(2);
  });

  it('ignores single transactions: what else their slot had is not known', async () => {
    await runStatement(test.store.client, 'TRUNCATE TABLE mempool_buyers');
    await runStatement(test.store.client, 'TRUNCATE TABLE swept_slots');
    await runStatement(test.store.client, 'ALTER TABLE attempts UPDATE partial = true WHERE true');
    await sweepAll();
    expect((await storedBuyers()).size).toBe(0);
  });

  it('goes on by itself until it is told to stop, trouble or not', async () => {
    const stopping = new AbortController();
    let naps = 0;
    const clock = {
      ...systemClock,
      sleep: async () => {
        naps += 1;
        if (naps === 1) await runStatement(test.store.client, 'RENAME TABLE mempool_buyers TO elsewhere');
        if (naps === 1) await runStatement(test.store.client, 'TRUNCATE TABLE swept_slots');
        if (naps === 2) await runStatement(test.store.client, 'RENAME TABLE elsewhere TO mempool_buyers');
        if (naps === 3) stopping.abort();
      },
    };
    await runSweep(test.store.client, MEMPOOL_BUYERS_SWEEP, { clock, log: silentLogger, signal: stopping.signal });
    expect(naps).toBe(3);
  });

  it('goes through fewer slots at once where there is too much in them, and is not held up', async () => {
    const { client } = test.store;
    await runStatement(client, 'TRUNCATE TABLE swept_slots');
    await runStatement(client, 'INSERT INTO coverage (first_slot, last_slot) VALUES (1, 1000)');
    const stopping = new AbortController();
    const widths: number[] = [];
    const narrow = Object.assign(Object.create(client) as typeof client, {
      async command(asked: Parameters<typeof client.command>[0]) {
        const { first, last } = (asked.query_params ?? {}) as { first?: number; last?: number };
        if (first === undefined || last === undefined) return client.command(asked);
        widths.push(last - first + 1);
        if (last - first >= MOST) throw new Error('memory limit exceeded');
        return client.command(asked);
      },
    });
    // Naps follow a step that failed, and the end.
    let naps = 0;
    const clock = {
      ...systemClock,
      sleep: async () => {
        naps += 1;
        const swept = await readSweptSlots(client, MEMPOOL_BUYERS_SWEEP);
        if (swept.some(({ first }) => first === 1) || naps > 20) stopping.abort();
      },
    };
    await runSweep(narrow, MEMPOOL_BUYERS_SWEEP, { clock, log: silentLogger, signal: stopping.signal });
    expect(Math.max(...widths)).toBeGreaterThan(MOST);
    expect(naps).toBeLessThan(20);
  });
});

/** Slots of which a step takes too much. */
const MOST = 200;
