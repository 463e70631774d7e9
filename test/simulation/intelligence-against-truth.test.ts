import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intelligence, IntelligenceWallet } from '../../src/api/contract/resources/intelligence.ts';
import { getCounters, getHolderStats, getIntelligence } from '../../src/api/contract/routes/intelligence.ts';
import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import { createIntelligenceAnswers, type IntelligenceAnswers } from '../../src/books/intelligence-answers.ts';
import type { Address } from '../../src/chain/address.ts';
import { INCINERATOR } from '../../src/chain/well-known.ts';
import { foldPositions, type PositionState } from '../../src/facts/average-cost.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { bondingCurveAddress } from '../../src/programs/pump/addresses.ts';
import { boostVaultAuthorityAddress } from '../../src/programs/pump-amm/addresses.ts';
import { isProtocolActor } from '../../src/programs/registry/index.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { toRowBatch } from '../../src/store/clickhouse/fact-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/position-rows.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const BLOCKS = 400;
const TIMEOUT_MS = 180_000;
const simulator = createSimulator({ seed: 'intelligence', sign: false });
const truth: BlockFacts[] = [];

let test: TestStore;
let answers: IntelligenceAnswers;

beforeAll(async () => {
  test = await openTestStore();
  const feed = createFeed({ maxHeldBatches: 10 });
  const positions = new Map<string, PositionState>();
  const batches = Array.from({ length: BLOCKS }, () => {
    const facts = simulator.next().truth.facts('decoded');
    truth.push(facts);
    const changed = foldPositions(positions, facts.swaps);
    return toRowBatch(
      facts,
      [...changed].map((key) => toPositionRow(positions.get(key)!)),
    );
  });
  await test.store.writer.flush(batches);
  feed.commit(truth.at(-1)!.slot, 0);
  const now = truth.at(-1)!.time * 1_000;
  const clock = { now: () => now, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const { client } = test.store;
  answers = createIntelligenceAnswers({ client, feed, clock, log: silentLogger, shelf, solUsd: () => undefined });
}, TIMEOUT_MS);

afterAll(() => test?.close());

async function ask(mint: Address): Promise<Intelligence> {
  const body = await answers.intelligence(mint);
  return JSON.parse(body!.toString());
}

/** Coins that were made before our eyes and that the chain still knows. */
function coins() {
  return truth.flatMap(({ created }) => created).filter(({ mint }) => simulator.world.ledger.heldTokens(mint) > 0n);
}

/** What the chain's own accounts say, without those that are nobody's. */
function holdings(mint: Address): Map<Address, bigint> {
  const pools = truth.flatMap((facts) => facts.pools).filter((pool) => pool.mint === mint);
  const nobody = new Set<Address>([bondingCurveAddress(mint), INCINERATOR]);
  for (const { pool } of pools) nobody.add(pool).add(boostVaultAuthorityAddress(pool));
  return new Map(
    [...simulator.world.ledger.holdings(mint)].filter(([owner]) => !nobody.has(owner) && !isProtocolActor(owner)),
  );
}

describe('intelligence on a simulated chain', () => {
  it(
    'puts balances together that are those of the chain, wallet by wallet',
    async () => {
      let wallets = 0;
      let moved = 0;
      const faults: unknown[] = [];
      for (const { mint, quoteMint } of coins()) {
        if (quoteMint !== undefined) continue;
        const body = await ask(mint);
        expect(answerFaults(getIntelligence, body)).toEqual([]);
        expect(body).toMatchObject({ supported: true, partial: false, pnl: { source: 'indexed_transfers' } });
        const held = holdings(mint);
        expect(body.pnl.total).toBe(held.size);
        const told = new Map(body.wallets.map((row): [string, IntelligenceWallet] => [row.wallet, row]));
        for (const row of body.wallets) {
          if (row.token_balance !== String(held.get(row.wallet as Address) ?? 0n)) {
            faults.push({ mint, row, held: held.get(row.wallet as Address) });
          }
          wallets += 1;
          if (row.transferred_in !== '0' || row.transferred_out !== '0') moved += 1;
        }
        // The hundred largest are those of the chain, too.
        const largest = [...held].sort((a, b) => (a[1] > b[1] ? -1 : 1)).slice(0, 100);
        for (const [owner, amount] of largest) {
          const smallest = BigInt(body.wallets.at(-1)?.token_balance ?? '0');
          if (!told.has(owner) && amount !== smallest) faults.push({ mint, owner, amount });
        }
        expect([mint, body.untraced_supply_pct, body.balances_unreconciled]).toEqual([mint, 0, false]);
      }
      expect(faults).toEqual([]);
      expect(wallets).toBeGreaterThan(300);
      expect(moved).toBeGreaterThan(20);
    },
    TIMEOUT_MS,
  );

  it(
    'counts holders, bundles and launches as the contract says',
    async () => {
      for (const { mint } of coins().slice(0, 20)) {
        const counters = JSON.parse((await answers.counters(mint))!.toString());
        expect(answerFaults(getCounters, counters)).toEqual([]);
        const stats = JSON.parse((await answers.holderStats(mint))!.toString());
        expect(answerFaults(getHolderStats, stats)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );
});
