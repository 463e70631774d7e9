import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { SimulatedHistory } from '../../test/support/simulated-history.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { Address } from '../chain/address.ts';
import { encodeSignature } from '../chain/keys/base58.ts';
import type { BlockFacts, Funding } from '../facts/fact.ts';
import { readFirstFundings } from '../features/movements/funding-reads.ts';
import { systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import { RpcError } from '../sources/rpc-errors.ts';
import { columnList, readRows } from '../store/clickhouse/client.ts';
import { FUNDING_LOOKUPS, type FundingLookupRow } from '../store/clickhouse/schema/background-tables.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { createFundingLookup, WALLETS_PER_PASS } from './funding-lookup.ts';
import { findWalletOrigin, MAX_SIGNATURE_PAGES, SIGNATURES_PER_PAGE } from './wallet-history.ts';

/** Of the first part the store has everything but its fundings. */
const UNSEEN_BLOCKS = 150;
const SEEN_BLOCKS = 60;

const signal = new AbortController().signal;
const unseen: BlockFacts[] = [];
const seen: BlockFacts[] = [];
const calls: string[] = [];
let test: TestStore;
let node: RpcServer;
let rows: FundingLookupRow[] = [];
let passes = 0;

beforeAll(async () => {
  const simulator = createSimulator({ seed: 'fundings', sign: false });
  const history = new SimulatedHistory();
  for (let count = 0; count < UNSEEN_BLOCKS + SEEN_BLOCKS; count++) {
    const block = simulator.next();
    history.add(block);
    (count < UNSEEN_BLOCKS ? unseen : seen).push(block.truth.facts('decoded'));
  }
  test = await openTestStore();
  const stored = [...unseen.map((facts) => ({ ...facts, fundings: [] })), ...seen];
  await test.store.writer.flush(stored.map((facts) => toRowBatch(facts, [])));
  node = await startRpcServer((method, params) => {
    calls.push(`${method} ${params[0]}`);
    return history.answer(method, params);
  });
  const { client } = test.store;
  const clock = { ...systemClock, now: () => 1_800_000_000_000 };
  const rpc = createRpcClient({ url: node.url, clock: systemClock, log: silentLogger });
  const lookup = createFundingLookup({ client, rpc, clock, log: silentLogger, journal: failingJournal });
  let looked: number;
  do {
    looked = await lookup.pass(signal);
    expect(looked).toBeLessThanOrEqual(WALLETS_PER_PASS);
    passes += 1;
  } while (looked > 0);
  const query = `SELECT ${columnList(FUNDING_LOOKUPS)} FROM funding_lookups`;
  rows = await readRows(client, FUNDING_LOOKUPS, query);
});

afterAll(async () => {
  await node?.close();
  await test?.close();
});

/** First fundings that made a wallet, by wallet. */
function making(blocks: readonly BlockFacts[]): Map<Address, Funding> {
  const all = blocks.flatMap(({ fundings }) => fundings.filter(({ createdAccount }) => createdAccount));
  return new Map(all.toReversed().map((funding) => [funding.wallet, funding]));
}

describe('looking up who made the wallets that were there before us', () => {
  it('finds every funding of a wallet that we met and that lies in the history, and no other', () => {
    const met = new Set(
      [...unseen, ...seen].flatMap(({ swaps, created }) => [
        ...swaps.filter((swap) => !swap.protocolActor).map(({ trader }) => trader),
        ...created.map(({ creator }) => creator),
      ]),
    );
    const known = making(seen);
    const expected = [...making(unseen)].filter(([wallet]) => met.has(wallet) && !known.has(wallet));
    expect(expected.length).toBeGreaterThan(3);
    const found = new Map(rows.flatMap((row) => (row.found ? [[row.wallet, row] as const] : [])));
    for (const [wallet, { slot, time, funder, amount, ixIndex, signature }] of expected) {
      const row = found.get(wallet);
      expect(row).toMatchObject({ slot, time, funder, amount, ix_index: ixIndex, retry_at: 0, outcome: '' });
      expect(encodeSignature(row!.signature)).toBe(encodeSignature(signature));
    }
    expect([...found.keys()].sort()).toEqual(expected.map(([wallet]) => wallet).sort());
  });

  it('leaves unknown what the history does not tell, to be asked again much later', () => {
    const unknown = rows.filter(({ found }) => !found);
    expect(unknown.length).toBeGreaterThan(10);
    for (const row of unknown) {
      expect(row).toMatchObject({ funder: '', amount: 0n, slot: 0 });
      expect(row.retry_at > 0).toBe(row.outcome === 'not_kept');
    }
    // The chain began with wallets that had lamports already: their making lies before what the node keeps.
    expect(unknown.filter(({ outcome }) => outcome === 'not_kept').length).toBeGreaterThan(10);
  });

  it('asks once for each wallet, a bounded number of times', () => {
    expect(passes).toBeGreaterThan(2);
    expect(new Set(rows.map(({ wallet }) => wallet)).size).toBe(rows.length);
    const histories = calls.filter((call) => call.startsWith('getSignaturesForAddress'));
    expect(new Set(histories).size).toBe(histories.length);
    expect(calls.length).toBeLessThanOrEqual(2 * rows.length);
  });

  it('gives first fundings together with the blocks, the earlier first', async () => {
    const mark = seen.at(-1)!.slot;
    const before = making(unseen);
    const since = making(seen);
    const looked = rows.flatMap((row) => (row.found ? [row.wallet] : []));
    const wallets = [...looked, ...since.keys()];
    const first = await readFirstFundings(test.store.client, wallets, mark);
    expect(first.size).toBe(new Set(wallets).size);
    for (const wallet of wallets) {
      const { slot, funder } = before.get(wallet) ?? since.get(wallet)!;
      if (looked.includes(wallet) || !before.has(wallet)) expect(first.get(wallet)).toMatchObject({ slot, funder });
      expect(first.get(wallet)!.looked_up).toBe(looked.includes(wallet));
    }
  });

  it('moves the first known funding when a block with an earlier one comes late', async () => {
    const mark = seen.at(-1)!.slot;
    const before = making(unseen);
    const { wallet } = seen.flatMap(({ fundings }) => fundings).find((each) => !before.has(each.wallet))!;
    const early = { ...unseen[0]!, slot: unseen[0]!.slot - 1, swaps: [], created: [] };
    const funding = { ...seen.flatMap(({ fundings }) => fundings)[0]!, wallet, slot: early.slot, amount: 77n };
    await test.store.writer.flush([toRowBatch({ ...early, fundings: [funding] }, [])]);
    const first = await readFirstFundings(test.store.client, [wallet], mark);
    expect(first.get(wallet)).toMatchObject({ slot: early.slot, amount: 77n });
  });
});

describe('a history that the node does not tell', () => {
  const clock = { ...systemClock, now: () => 1_800_000_000_000 };
  /** A node that refuses some wallets and knows nothing of the others. */
  const lookUp = async (isRefused: (wallet: Address) => boolean) => {
    const wallets: Address[] = [];
    const rpc = {
      call: async (method: string, [wallet]: readonly unknown[]) => {
        wallets.push(wallet as Address);
        if (isRefused(wallet as Address)) throw new RpcError(method, -32_602, 'no');
        return [];
      },
    };
    const { client } = test.store;
    const lookup = createFundingLookup({ client, rpc, clock, log: silentLogger, journal: failingJournal });
    return { wallets, looked: await lookup.pass(signal).catch(String) };
  };

  it('is asked for again later and keeps nobody else from being looked up', async () => {
    await test.store.client.command({ query: 'TRUNCATE TABLE funding_lookups' });
    const all = await lookUp(() => true);
    expect(all.looked).toContain('RpcError');
    const again = await lookUp((wallet) => wallet === all.wallets[0]);
    expect(again.wallets).toEqual(all.wallets);
    expect(again.looked).toBe(WALLETS_PER_PASS);
    const others = await lookUp(() => false);
    expect(others.wallets.length).toBeGreaterThan(0);
    for (const wallet of others.wallets) expect(all.wallets).not.toContain(wallet);
  });
});

describe('the history of a wallet', () => {
  const wallet = 'GsP9hnBL1kVHvVqwNNmqkVzfLmwNGfRRhZ4kvUoRqAqT' as Address;

  /** A node that has so many signatures of the wallet and knows no transaction. */
  function nodeWith(count: number) {
    const asked: string[] = [];
    const rpc = {
      call: async (method: string, params: readonly unknown[]) => {
        asked.push(method);
        if (method === 'getTransaction') return null;
        const { limit, before } = params[1] as { limit: number; before?: string };
        const from = before === undefined ? 0 : Number(before) + 1;
        const length = Math.max(0, Math.min(limit, count - from));
        return Array.from({ length }, (_, place) => ({ signature: String(from + place) }));
      },
    };
    return { rpc, asked, journal: failingJournal };
  }

  it('is followed over pages to its end', async () => {
    const node = nodeWith(2 * SIGNATURES_PER_PAGE);
    expect(await findWalletOrigin(node, wallet, signal)).toEqual({ outcome: 'not_kept' });
    expect(node.asked).toEqual([...new Array(3).fill('getSignaturesForAddress'), 'getTransaction']);
  });

  it('is given up when it is too long, and empty when there is none', async () => {
    const node = nodeWith(MAX_SIGNATURE_PAGES * SIGNATURES_PER_PAGE);
    expect(await findWalletOrigin(node, wallet, signal)).toEqual({ outcome: 'too_long' });
    expect(node.asked).toHaveLength(MAX_SIGNATURE_PAGES);
    expect(await findWalletOrigin(nodeWith(0), wallet, signal)).toEqual({ outcome: 'not_kept' });
  });
});
