import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { INCINERATOR, SYSTEM_PROGRAM } from '../../src/chain/well-known.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { getHolderStats, type Holders, listHolders, listTraders } from '../../src/features/holders/contract.ts';
import type { HolderSnapshot } from '../../src/features/holders/snapshot-rules.ts';
import { type ClosableAnswers, createAnswers } from '../../src/features/index.ts';
import { listFirstBuyers } from '../../src/features/launch/contract.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { bondingCurveAddress } from '../../src/programs/pump/addresses.ts';
import { boostVaultAuthorityAddress } from '../../src/programs/pump-amm/addresses.ts';
import { isProtocolActor } from '../../src/programs/registry/index.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const BLOCKS = 300;
/** More than a coin has holders here. */
const LIMIT = 500;
const simulator = createSimulator({ seed: 'holders', sign: false });
const truth: BlockFacts[] = [];
/** Snapshots of a node, of the mints that it is asked for. */
const told = new Map<Address, HolderSnapshot>();
const stores: TestStore[] = [];
let answers: ClosableAnswers;

beforeAll(async () => {
  while (truth.length < BLOCKS) truth.push(simulator.next().truth.facts('decoded'));
  answers = await openAnswers(truth);
});

afterAll(async () => {
  for (const store of stores) await store.close();
});

const now = () => truth.at(-1)!.time * 1_000;

/** Answers over blocks that are stored as they come, in a store that began with them. */
async function openAnswers(blocks: readonly BlockFacts[]): Promise<ClosableAnswers> {
  const test = await openTestStore();
  stores.push(test);
  const { client, writer } = test.store;
  for (const run of unbroken(foldedBatches(blocks))) await writer.flush(run);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(blocks.at(-1)!.slot, 0);
  const clock = { now, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
  const holderSnapshots = { find: ({ mint }: { readonly mint: Address }) => told.get(mint) };
  return createAnswers({ client, feed, clock, log: silentLogger, holderSnapshots });
}

/** Batches without a slot missing between them: a flush is a range that is whole. */
function unbroken(batches: readonly RowBatch[]): RowBatch[][] {
  const runs: RowBatch[][] = [];
  for (const batch of batches) {
    const run = runs.at(-1);
    if (run?.at(-1)?.lastSlot === batch.firstSlot - 1) run!.push(batch);
    else runs.push([batch]);
  }
  return runs;
}

/** Coins that were made before our eyes and traded, and that the chain still knows. */
function coins(): Address[] {
  const traded = new Set(truth.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
  const made = truth.flatMap(({ created }) => created.map(({ mint }) => mint));
  return made.filter((mint) => traded.has(mint) && simulator.world.bank.heldTokens(mint) > 0n);
}

/** What wallets hold by the chain's own accounts, without those that are nobody's. */
function chainOf(mint: Address): Map<Address, bigint> {
  const pools = truth.flatMap((facts) => facts.pools).filter((pool) => pool.mint === mint);
  const nobody = new Set<Address>([bondingCurveAddress(mint), INCINERATOR, SYSTEM_PROGRAM]);
  for (const { pool } of pools) nobody.add(pool).add(boostVaultAuthorityAddress(pool));
  const all = [...simulator.world.bank.holdings(mint)];
  return new Map(all.filter(([owner]) => !nobody.has(owner) && !isProtocolActor(owner)));
}

/** Tokens that came by sends, burns and liquidity, less what left by them. */
function sentTo(mint: Address): Map<Address, bigint> {
  const net = new Map<Address, bigint>();
  const add = (wallet: Address, units: bigint) => net.set(wallet, (net.get(wallet) ?? 0n) + units);
  for (const facts of truth) {
    for (const send of facts.transfers) {
      if (send.mint !== mint || send.hidden) continue;
      add(send.from, -send.amount);
      add(send.to, send.amount);
    }
    for (const burn of facts.burns) if (burn.mint === mint) add(burn.owner, -burn.amount);
    for (const move of facts.liquidity) {
      if (move.mint === mint) add(move.user, move.isDeposit ? -move.tokenAmount : move.tokenAmount);
    }
    for (const pool of facts.pools) if (pool.mint === mint && !pool.canonical) add(pool.creator, -pool.tokenAmount);
  }
  return net;
}

async function ask(body: unknown, contract: Parameters<typeof answerFaults>[0]) {
  const parsed = JSON.parse(String(await body));
  expect(answerFaults(contract, parsed)).toEqual([]);
  return parsed;
}

const sumOf = (rows: Holders['data']) => rows.reduce((sum, row) => sum + BigInt(row.token_balance ?? 0), 0n);

describe('holders on a simulated chain', () => {
  it('hold what the chain holds, but for their sends', async () => {
    const faults: unknown[] = [];
    let unexplained = 0;
    let unknown = 0;
    const moved = new Set(truth.flatMap((facts) => facts.unexplained.map(({ mint, owner }) => `${mint} ${owner}`)));
    for (const mint of coins()) {
      const { data, source, partial }: Holders = await ask(answers.holders.holders(mint, LIMIT), listHolders);
      expect(source).toBe('swap_estimate');
      const [chain, sent] = [chainOf(mint), sentTo(mint)];
      const listed = new Set<string>();
      for (const { trader, token_balance } of data) {
        listed.add(trader);
        const expected = (chain.get(trader as Address) ?? 0n) - (sent.get(trader as Address) ?? 0n);
        if (token_balance !== String(expected)) faults.push({ mint, trader, token_balance, expected });
        if (moved.has(`${mint} ${trader}`)) unexplained += 1;
      }
      for (const [wallet, balance] of chain) {
        if (listed.has(wallet) || balance - (sent.get(wallet) ?? 0n) <= 0n) continue;
        // It parted with what it was sent: the list says that somebody is missing.
        if (partial !== true || !sent.has(wallet)) faults.push({ mint, wallet, balance, partial });
        unknown += 1;
      }
      const stats = await ask(answers.holders.holderStats(mint), getHolderStats);
      expect(stats).toMatchObject({ source, holders: data.length, held: String(sumOf(data)) });
      expect(stats.partial).toBe(partial);
    }
    expect(faults).toEqual([]);
    expect(unexplained).toBeGreaterThan(5);
    expect(unknown).toBeLessThan(100);
  });

  it('are those of the chain, to the last unit, where a node told of all accounts within a minute', async () => {
    let wallets = 0;
    for (const mint of coins()) {
      const balances = simulator.world.bank.holdings(mint);
      told.set(mint, { slot: truth.at(-1)!.slot, readAt: now() - 59_000, balances });
    }
    const fresh = await openAnswers(truth);
    for (const mint of coins()) {
      const { data, source, slot }: Holders = await ask(fresh.holders.holders(mint, LIMIT), listHolders);
      expect([source, slot]).toEqual(['onchain', truth.at(-1)!.slot]);
      const chain = chainOf(mint);
      expect(new Map(data.map((row) => [row.trader, row.token_balance]))).toEqual(
        new Map([...chain].map(([wallet, balance]) => [wallet, String(balance)])),
      );
      const stats = await ask(fresh.holders.holderStats(mint), getHolderStats);
      expect(stats).toMatchObject({ source: 'onchain', holders: data.length, held: String(sumOf(data)) });
      wallets += data.length;
    }
    expect(wallets).toBeGreaterThan(300);
  });

  it('are estimated again once there is no such snapshot', async () => {
    const mint = coins()[0]!;
    told.clear();
    const fresh = await openAnswers(truth);
    const { source }: Holders = await ask(fresh.holders.holders(mint, LIMIT), listHolders);
    expect(source).toBe('swap_estimate');
  });

  it('are never told below zero, and no more of a purchase is sold than was bought', async () => {
    for (const mint of coins()) {
      const traders = await ask(answers.holders.traders(mint, { sort: 'trades', limit: LIMIT }), listTraders);
      const buyers = await ask(answers.launch.firstBuyers(mint, LIMIT), listFirstBuyers);
      for (const row of [...traders.data, ...buyers.data]) {
        if (row.partial && row.token_balance === undefined) expect(row.realized_pnl).toBeUndefined();
        else expect(BigInt(row.token_balance) >= 0n).toBe(true);
        expect(row.sold_pct ?? 0).toBeLessThanOrEqual(100);
      }
    }
  });
});

describe('holders of tokens of which blocks are missing', () => {
  it('are told as partial', async () => {
    const lost = truth.findIndex(({ created }, place) => place > BLOCKS / 4 && created.length > 0);
    const holed = await openAnswers(truth.filter((_facts, place) => place !== lost));
    const madeIn = (blocks: readonly BlockFacts[]) => {
      const made = new Set(blocks.flatMap(({ created }) => created.map(({ mint }) => mint)));
      return coins().find((mint) => made.has(mint))!;
    };
    const [before, behind] = [madeIn(truth.slice(0, lost)), madeIn(truth.slice(lost + 1))];
    expect((await ask(holed.holders.holders(before, LIMIT), listHolders)).partial).toBe(true);
    expect((await ask(holed.holders.holderStats(before), getHolderStats)).partial).toBe(true);
    expect((await ask(holed.holders.traders(before, { sort: 'trades', limit: 5 }), listTraders)).partial).toBe(true);
    const whole = await ask(holed.launch.firstBuyers(behind, 5), listFirstBuyers);
    expect(whole).not.toHaveProperty('partial');
  });
});
