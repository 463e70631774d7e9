import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import { createEquityAnswers } from '../../src/features/equities/answers.ts';
import type { Equity } from '../../src/features/equities/contract.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { WASHES } from '../../src/simulator/actors/price-washers.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { EQUITIES, USDC_DECIMALS } from '../../src/simulator/scenery.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { ratioPrice } from '../../src/token/price-string.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { factsDifference } from './facts-difference.ts';

const BLOCKS = 200;
/** As many tries as trades, and little else. */
const LOAD = {
  ...{ ...LOADS.desk, votes: 2, background: 1, trades: 2, tokenTransfers: 2, fundings: 1, schemes: 0 },
  ...{ equitySwaps: 4, priceWashes: 5 },
};

const facts: BlockFacts[] = [];
/** Swaps of real traders, in order, and those of the washers by the way that they took. */
const real: Swap[] = [];
const washed = new Map<string, Swap[]>();
const tried = new Map<string, number>();
let test: TestStore;

beforeAll(async () => {
  const simulator = createSimulator({ seed: 'washers', load: LOAD, sign: false });
  for (let count = 0; count < BLOCKS; count += 1) {
    const block = simulator.next();
    const derived = deriveFacts(readGeyserBlock(block.geyser(), failingJournal), failingJournal);
    expect(factsDifference(derived, block.truth.facts('decoded'))).toBeUndefined();
    facts.push(derived);
    const groups = new Map(block.truth.transactions.map(({ blockIndex, group }) => [blockIndex, group]));
    for (const group of groups.values()) if (group?.startsWith('wash-')) tried.set(group, (tried.get(group) ?? 0) + 1);
    for (const swap of block.truth.facts('decoded').swaps.filter(({ venue }) => venue === 2)) {
      const group = groups.get(swap.blockIndex);
      if (group?.startsWith('wash-')) washed.set(group, [...(washed.get(group) ?? []), swap]);
      else real.push(swap);
    }
  }
  test = await openTestStore();
  await test.store.writer.flush(foldedBatches(facts));
});
afterAll(() => test?.close());

describe('whoever tries to name a price for a tokenized equity', () => {
  it('comes in every way, with rows that look like trades and are none that price', () => {
    for (const wash of WASHES) expect([wash, (tried.get(`wash-${wash}`) ?? 0) > 5]).toEqual([wash, true]);
    const rows = [...washed.values()].flat();
    expect([...washed.keys()].sort()).toEqual(['wash-delegate', 'wash-gift', 'wash-own_program', 'wash-raw_share']);
    expect(rows.filter(({ priced }) => priced)).toEqual([]);
    // Each names another price than anybody pays, of amounts that would show one.
    const listed = new Map(EQUITIES.map(({ mint, dollars }) => [mint as string, dollars]));
    const priceOf = ({ quoteAmount, tokenAmount, mint }: Swap) =>
      Number(quoteAmount) / Number(tokenAmount) / listed.get(mint)! / 10 ** (USDC_DECIMALS - 8);
    expect(rows.filter((row) => priceOf(row) > 0.1 && priceOf(row) < 10)).toEqual([]);
    expect(real.filter((row) => priceOf(row) < 0.5 || priceOf(row) > 2)).toEqual([]);
  });

  it('moves neither the price nor the volume that the service tells', async () => {
    const feed = createFeed({ maxHeldBatches: 10 });
    const last = facts.at(-1)!;
    feed.commit(last.slot, 0);
    const clock = createHandClock(last.time * 1_000);
    const { list } = createEquityAnswers({ client: test.store.client, feed, clock });
    const { data } = JSON.parse(String(await list())) as { data: Equity[] };
    for (const { mint } of EQUITIES) {
      const own = real.filter((swap) => swap.mint === mint);
      expect(own.length).toBeGreaterThan(5);
      const { priceQuote: quote, priceToken: token, quoteDecimals, tokenDecimals } = own.at(-1)!;
      const cents = own.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n) / 10n ** BigInt(USDC_DECIMALS - 2);
      const row = data.find((each) => each.mint === mint)!;
      expect([row.last_price_usd, row.trades_24h]).toEqual([
        ratioPrice({ quote, token, quoteDecimals: quoteDecimals!, tokenDecimals: tokenDecimals! }),
        own.length,
      ]);
      expect(Math.abs(row.vol_usd_24h * 100 - Number(cents))).toBeLessThanOrEqual(1);
    }
  });
});
