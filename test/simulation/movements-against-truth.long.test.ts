import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { encodeSignature } from '../../src/chain/keys/base58.ts';
import { compareChainPlaces } from '../../src/chain/place.ts';
import { decodeTransferCursor, decodeWalletTransferCursor } from '../../src/contract/transfer-cursor.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import type { BlockFacts, Funding, Swap, Transfer } from '../../src/facts/fact.ts';
import { getMempoolBuyers } from '../../src/features/launch/contract.ts';
import type { MovementAnswers } from '../../src/features/movements/answers.ts';
import {
  getFundingClusters,
  getSends,
  listTransfers,
  listWalletTransfers,
} from '../../src/features/movements/contract.ts';
import { MADE_PCT } from '../../src/features/movements/made-holder-rules.ts';
import { PLATFORM_CUSTOMERS } from '../../src/features/movements/platform-rules.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Scheme } from '../../src/simulator/truth.ts';
import { createSweep } from '../../src/store/clickhouse/derived/sweep.ts';
import { MEMPOOL_BUYERS_SWEEP } from '../../src/store/clickhouse/derived/swept-tables.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { foldPositions } from '../support/fold-positions.ts';
import { movementAnswersAt, walkPages } from '../support/movement-answers.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { told } from '../support/told.ts';
import { expectedRow, isoTime, withoutTokens } from './transfer-rows.ts';

const BLOCKS = 700;
const BLOCKS_A_FLUSH = 50;
/** Pages of a length that no list is a multiple of for long. */
const LIMIT = 37;
/** Schemes whose receivers are no honest ones. */
const PLANNED: ReadonlySet<Scheme['kind']> = new Set(['hidden_handout', 'relay_chain', 'fake_airdrop']);
const PAGE = { window: undefined, limit: LIMIT } as const;

const chain: BlockFacts[] = [];
const schemes: Scheme[] = [];
/** Places of transactions in which a platform or a keeper takes a share. */
const sharePlaces = new Set<string>();
let test: TestStore;
let answers: ReturnType<typeof movementAnswersAt>;

beforeAll(async () => {
  const simulator = createSimulator({ seed: 'movements', load: { ...LOADS.desk, hiddenCrumbs: 0.05 }, sign: false });
  for (let count = 0; count < BLOCKS; count++) {
    const { truth } = simulator.next();
    chain.push(truth.facts('decoded'));
    schemes.push(...truth.schemes);
    for (const { actor, blockIndex } of truth.transactions) {
      if (actor === 'router_skim' || actor === 'order_desk') sharePlaces.add(`${chain.at(-1)!.slot} ${blockIndex}`);
    }
  }
  test = await openTestStore();
  const positions = new Map<string, PositionState>();
  const batches = chain.map((facts) => {
    const changed = foldPositions(positions, facts.swaps);
    return toRowBatch(
      facts,
      [...changed].map((key) => toPositionRow(positions.get(key)!)),
    );
  });
  for (let at = 0; at < batches.length; at += BLOCKS_A_FLUSH) {
    await test.store.writer.flush(batches.slice(at, at + BLOCKS_A_FLUSH));
  }
  const sweep = await createSweep(test.store.client, MEMPOOL_BUYERS_SWEEP);
  while ((await sweep.step()) !== undefined);
  answers = movementAnswersAt(test.store.client, chain.at(-1)!.time + 1);
});
afterAll(() => test.close());

const all = <K extends 'transfers' | 'swaps' | 'created' | 'attempts' | 'fundings'>(kind: K) =>
  chain.flatMap((facts): readonly BlockFacts[K][number][] => facts[kind]);

/** What lists of sends show: no moves inside trades. */
const shownTransfers = () => all('transfers').filter(({ hidden }) => !hidden);

const newestFirst = (facts: readonly Transfer[]) =>
  facts.toSorted((a, b) => b.slot - a.slot || b.blockIndex - a.blockIndex || b.ixIndex - a.ixIndex);

/** The most frequent ones, and as many of the others. */
function sample(list: readonly Address[], count: number): Address[] {
  const times = new Map<Address, number>();
  for (const each of list) times.set(each, (times.get(each) ?? 0) + 1);
  const byCount = [...times].sort((a, b) => b[1] - a[1]).map(([each]) => each);
  return [...new Set([...byCount.slice(0, count), ...byCount.slice(-count)])];
}

async function ask(body: ReturnType<MovementAnswers['sends']>) {
  return JSON.parse(String(await body));
}

describe('pages of transfers of a simulated chain', () => {
  it('of tokens are its transfers, no more and no less', async () => {
    const transfers = shownTransfers();
    expect(transfers.length).toBeGreaterThan(200);
    for (const mint of sample(
      transfers.map((each) => each.mint),
      6,
    )) {
      const pages = await walkPages(
        (cursor) => told(answers.transfers(mint, { ...PAGE, cursor })),
        decodeTransferCursor,
      );
      expect(answerFaults(listTransfers, { data: pages.flat() })).toEqual([]);
      const expected = newestFirst(transfers.filter((each) => each.mint === mint));
      expect(withoutTokens(pages.flat())).toEqual(expected.map(expectedRow));
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(LIMIT);
    }
  });

  it('of wallets are what they sent and got', async () => {
    const transfers = shownTransfers();
    for (const wallet of sample(
      transfers.flatMap(({ from, to }) => [from, to]),
      6,
    )) {
      for (const direction of ['in', 'out', 'all'] as const) {
        const pages = await walkPages(
          (cursor) => told(answers.walletTransfers(wallet, { ...PAGE, direction, cursor })),
          decodeWalletTransferCursor,
        );
        expect(answerFaults(listWalletTransfers, { data: pages.flat() })).toEqual([]);
        const own = ({ from, to }: Transfer) =>
          (direction !== 'in' && from === wallet) || (direction !== 'out' && to === wallet);
        expect(withoutTokens(pages.flat())).toEqual(newestFirst(transfers.filter(own)).map(expectedRow));
      }
    }
  });
});

describe('buyers before the token', () => {
  it('are those whose failed buys came in slots before the creation', async () => {
    const body = await ask(answers.mempoolBuyers(2));
    expect(answerFaults(getMempoolBuyers, body)).toEqual([]);
    const created = new Map(all('created').map((fact) => [fact.mint, fact]));
    const bought = new Set(
      all('swaps')
        .filter(({ isBuy }) => isBuy)
        .map(({ mint, trader }) => `${mint} ${trader}`),
    );
    const tries = all('attempts').filter(
      ({ isBuy, mint, slot }) => isBuy === true && slot < (created.get(mint)?.slot ?? 0),
    );
    const rows = new Map<string, Record<string, unknown>>();
    for (const { mint, trader, slot, time, signature } of tries) {
      const key = `${mint} ${trader}`;
      const row = rows.get(key);
      const birth = created.get(mint)!;
      if (row !== undefined) row.attempts = Number(row.attempts) + 1;
      else {
        rows.set(key, {
          ...{ wallet: trader, mint, symbol: birth.symbol, creator: birth.creator, attempts: 1 },
          ...{ slots_before: birth.slot - slot, slot, created_slot: birth.slot, sig: encodeSignature(signature) },
          ...{ create_sig: encodeSignature(birth.signature), landed: bought.has(key), time: isoTime(time) },
        });
      }
    }
    const name = (row: Record<string, unknown>) => `${row.mint} ${row.wallet}`;
    expect(rows.size).toBeGreaterThan(5);
    expect(new Map(body.events.map((row: Record<string, unknown>) => [name(row), row]))).toEqual(rows);
    const wallets = new Map<unknown, { tokens: number; attempts: number; max_slots_before: number; landed: number }>();
    for (const { wallet, attempts, slots_before, landed } of rows.values()) {
      const sum = wallets.get(wallet) ?? { tokens: 0, attempts: 0, max_slots_before: 0, landed: 0 };
      wallets.set(wallet, {
        tokens: sum.tokens + 1,
        attempts: sum.attempts + Number(attempts),
        max_slots_before: Math.max(sum.max_slots_before, Number(slots_before)),
        landed: sum.landed + Number(landed),
      });
    }
    const found = body.per_wallet.map(({ wallet, last_time, ...row }: Record<string, unknown>) => [wallet, row]);
    expect(new Map(found)).toEqual(wallets);
    expect(body.since_days).toBe(2);
  });
});

describe('funding clusters', () => {
  it('are of the first buyers, by the first transfer that funded them', async () => {
    const first = new Map<Address, Funding>();
    for (const funding of all('fundings')) if (!first.has(funding.wallet)) first.set(funding.wallet, funding);
    let clusters = 0;
    for (const made of all('created')) {
      const { mint, creator } = made;
      const body = await ask(answers.fundingClusters(mint));
      expect(answerFaults(getFundingClusters, body)).toEqual([]);
      const buys = all('swaps').filter((swap) => swap.mint === mint && swap.isBuy && !swap.protocolActor);
      const buyers = new Map<Address, Swap>();
      for (const buy of buys) if (buy.trader !== creator && !buyers.has(buy.trader)) buyers.set(buy.trader, buy);
      const early = [...buyers].slice(0, 100);
      const funderOf = new Map(
        early.map(([wallet, buy]) => {
          const funding = first.get(wallet);
          const isPaid = funding !== undefined && compareChainPlaces(funding, buy) < 0;
          return [wallet, isPaid ? funding.funder : undefined];
        }),
      );
      expect(body).toMatchObject({
        early_buyers: early.length,
        unknown: [...funderOf.values()].filter((funder) => funder === undefined).length,
        clustered: new Set(body.clusters.flatMap(({ wallets }: { wallets: Address[] }) => wallets)).size,
      });
      for (const { funder, wallets, count, is_dev } of body.clusters) {
        clusters += 1;
        expect(wallets).toHaveLength(count);
        for (const wallet of wallets) expect([funderOf.get(wallet), wallet]).toContain(funder);
        const ofCreator = first.get(creator);
        const paidForIt = ofCreator !== undefined && compareChainPlaces(ofCreator, made) < 0;
        expect(is_dev).toBe(funder === creator || (paidForIt && funder === ofCreator.funder));
      }
    }
    expect(clusters).toBeGreaterThan(3);
  });
});

/** True for shares of somebody whom many customers feed. */
function isTakenFromMany({ slot, blockIndex, to }: Transfer, hidden: readonly Transfer[]): boolean {
  const payers = new Set(hidden.filter((other) => other.to === to).map(({ from }) => from));
  return sharePlaces.has(`${slot} ${blockIndex}`) && payers.size >= PLATFORM_CUSTOMERS;
}

describe('sends', () => {
  it('are counted as plain sets of the transfers count them', async () => {
    const transfers = shownTransfers();
    const swaps = all('swaps');
    let compared = 0;
    for (const mint of sample(
      transfers.map((each) => each.mint),
      6,
    )) {
      const body = await ask(answers.sends(mint, '24h'));
      expect(answerFaults(getSends, body)).toEqual([]);
      const own = transfers.filter((each) => each.mint === mint);
      expect(body.sends + body.left_out).toBe(own.length);
      if (body.left_out > 0) continue;
      compared += 1;
      const receivers = new Map<Address, Transfer>();
      for (const send of own) if (!receivers.has(send.to)) receivers.set(send.to, send);
      const buyers = (send: Transfer) =>
        new Set(
          swaps
            .filter((swap) => swap.mint === mint && swap.isBuy && compareChainPlaces(swap, send) < 0)
            .map(({ trader }) => trader),
        );
      expect(body).toMatchObject({
        senders: new Set(own.map(({ from }) => from)).size,
        receivers: receivers.size,
        ambiguous: own.filter(({ ambiguous }) => ambiguous).length,
        fresh_receivers: [...receivers].filter(([wallet, send]) => !buyers(send).has(wallet)).length,
        // Hidden ones are looked at as well.
        since: isoTime(all('transfers').find((each) => each.mint === mint)!.time),
      });
    }
    expect(compared).toBeGreaterThan(3);
  });

  it('inside trades are in the verdict, and told as hidden', async () => {
    const hidden = all('transfers').filter((each) => each.hidden);
    let handouts = 0;
    let flagged = 0;
    for (const { kind, mint, wallets } of schemes) {
      const given = hidden.filter((each) => each.mint === mint);
      if (kind !== 'hidden_handout' || !given.some(({ to }) => wallets.includes(to))) continue;
      handouts += 1;
      const body = await ask(answers.sends(mint, '24h'));
      const between = given.filter((each) => !isTakenFromMany(each, given));
      expect(body.hidden).toMatchObject({
        sends: between.length,
        receivers: new Set(between.map(({ to }) => to)).size,
      });
      // Most that got any of the coin are these, or got theirs by another scheme beside it.
      const reached = new Set(all('transfers').flatMap((each) => (each.mint === mint ? each.to : [])));
      const planned = new Set(
        schemes.flatMap((each) => (each.mint === mint && PLANNED.has(each.kind) ? each.wallets : [])),
      );
      if ([...reached].filter((wallet) => planned.has(wallet)).length * 100 >= MADE_PCT * reached.size) {
        flagged += 1;
        expect([mint, body.flagged]).toEqual([mint, true]);
      }
    }
    expect(handouts).toBeGreaterThan(1);
    expect(flagged).toBeGreaterThan(1);
  });
});
