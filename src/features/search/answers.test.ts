import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { hydratedToken } from '../../../test/support/intelligence-rows.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { DEFAULT_LIST_LIMITS } from '../../books/book-limits.ts';
import type { Address } from '../../chain/address.ts';
import { slotOfBody } from '../../contract/stamp.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { createFeed, type InProcessFeed } from '../../feed/in-process.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createMarket } from '../../market/market.ts';
import { createWindowReads } from '../../market/market-reads.ts';
import { readQuery } from '../../search/query.ts';
import type { SearchLimits } from '../../search/search-index.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { readJson } from '../../store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../store/clickhouse/derived/derived-tables.ts';
import { HYDRATED_TOKENS } from '../../store/clickhouse/schema/background-tables.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { appendRows } from '../../store/clickhouse/write/append-rows.ts';
import { shownName } from '../../token/shown-name.ts';
import { type ClosableSearchAnswers, createSearchAnswers } from './answers.ts';
import { listTokensByName, searchTokens, suggest } from './contract.ts';

/** Blocks that are stored before anybody asks, and those that come by the feed afterwards. */
const STORED_BLOCKS = 130;
const FED_BLOCKS = 45;

/** Machines that have other things to do are waited for. */
const patient: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(30 * ms, signal) };

let test: TestStore;
let simulator: Simulator;
let feed: InProcessFeed;
const facts: BlockFacts[] = [];
const opened: { close(): void }[] = [];
const NAMES = DERIVED_TABLES.find(({ name }) => name === 'tokens_by_name')!;

/** Names that fool an eye, for the first tokens that the simulator makes. */
const STRANGE = ['РЕРЕ Original', 'Pe\u0000pe\u202e Original', 'pépé original', '', '🐸🐸'];

/** Tokens whose creation nobody saw, by the order in which they are made. */
const UNSEEN = [6, 7];
const unseen: Address[] = [];
let made = 0;

function nextBatches(blocks: number): RowBatch[] {
  return Array.from({ length: blocks }, () => {
    const block = simulator.next().truth.facts('decoded');
    const created = block.created.flatMap((fact) => {
      const place = made++;
      if (UNSEEN.includes(place)) unseen.push(fact.mint);
      return UNSEEN.includes(place) ? [] : [{ ...fact, name: STRANGE[place] ?? fact.name }];
    });
    facts.push({ ...block, created });
    return toRowBatch({ ...block, created }, []);
  });
}

/** What answers are made of, with windows of their own that follow the same feed. */
function openDeps() {
  const { client } = test.store;
  const rest = { feed, clock: patient, log: silentLogger };
  const market = createMarket({ reads: createWindowReads(client), ...rest });
  opened.push(market);
  return { ...rest, client, market, limits: DEFAULT_LIST_LIMITS };
}

function open(searchLimits?: SearchLimits): ClosableSearchAnswers {
  const deps = openDeps();
  const answers = createSearchAnswers({
    ...deps,
    solUsd: () => 150,
    ...(searchLimits === undefined ? {} : { searchLimits }),
  });
  opened.push(answers);
  return {
    ...answers,
    // Until windows stand searches are the store's.
    async search(...question) {
      await deps.market.open();
      return answers.search(...question);
    },
  };
}

interface Row {
  readonly mint?: string;
  readonly wallet?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly created_slot?: number;
}

async function found(answers: ClosableSearchAnswers, q: string, limit = 50) {
  const body = await answers.search(readQuery(q), limit);
  const answer = JSON.parse(body.toString()) as { readonly data: readonly Row[]; readonly partial?: true };
  expect(answerFaults(searchTokens, answer)).toEqual([]);
  return { ...answer, mints: answer.data.map(({ mint }) => mint), slot: slotOfBody(body) };
}

async function named(answers: ClosableSearchAnswers, name: string, limit = 100): Promise<readonly Row[]> {
  const answer = JSON.parse((await answers.byName(name, limit)).toString()) as { readonly data: readonly Row[] };
  expect(answerFaults(listTokensByName, answer)).toEqual([]);
  return answer.data;
}

async function suggested(answers: ClosableSearchAnswers, text: string): Promise<readonly Row[]> {
  const answer = JSON.parse((await answers.suggest(text, readQuery(text))).toString()) as {
    readonly data: readonly Row[];
  };
  expect(answerFaults(suggest, answer)).toEqual([]);
  return answer.data;
}

const created = () => facts.flatMap((block) => block.created);

beforeAll(async () => {
  test = await openTestStore();
  simulator = createSimulator({ seed: 'search', sign: false });
  feed = createFeed({ maxHeldBatches: 1_000 });
  await test.store.writer.flush(nextBatches(STORED_BLOCKS));
  feed.commit(facts.at(-1)!.slot, 0);
});

afterAll(async () => {
  for (const each of opened) each.close();
  await test?.close();
});

describe('searches over a store', () => {
  it('find names that look alike, and give them as they are served', async () => {
    const answers = open();
    const { data } = await found(answers, 'PEPE original');
    const strange = data.filter(({ name }) => name?.toLowerCase().includes('original'));
    expect(strange.map(({ name }) => name).sort()).toEqual(STRANGE.slice(0, 3).map(shownName).sort());
    expect((await found(answers, '🐸🐸')).mints).toEqual([created()[4]!.mint]);
    expect((await found(answers, created()[3]!.mint)).mints[0]).toBe(created()[3]!.mint);
  });

  it('find out of memory, which the feed grows and takes back, what is found out of the store read anew', async () => {
    const hot = open();
    await found(hot, 'cat');
    const batches = nextBatches(FED_BLOCKS);
    for (const batch of batches) feed.publish(batch);
    const newborn = facts.slice(-FED_BLOCKS).flatMap((block) => block.created)[0]!;
    expect((await found(hot, newborn.mint)).mints[0]).toBe(newborn.mint);
    const texts = ['cat', 'do', 'pe', 'moon', 'MOOFROG', 'ronud', newborn.mint.slice(0, 3)];
    const live = await Promise.all(texts.map((text) => found(open(), text)));
    for (const [at, text] of texts.entries()) {
      const ofHot = await found(hot, text);
      expect(ofHot.mints, text).toEqual(live[at]!.mints);
      expect(ofHot.slot).toBe(feed.headSlot);
    }
    for (const { lastSlot } of batches.toReversed()) feed.withdraw(lastSlot);
    const stored = open();
    for (const text of texts) expect((await found(hot, text)).mints, text).toEqual((await found(stored, text)).mints);
    expect((await found(hot, newborn.mint)).mints).not.toContain(newborn.mint);
    for (const batch of batches) feed.publish(batch);
    await test.store.writer.flush(batches);
    feed.commit(facts.at(-1)!.slot, batches.length);
    const anew = open();
    for (const text of texts) expect((await found(hot, text)).mints, text).toEqual((await found(anew, text)).mints);
  });

  it('tell what an address is besides a token', async () => {
    const answers = open();
    const { creator } = created()[0]!;
    const trader = facts
      .flatMap((block) => block.swaps)
      .find((swap) => created().every((each) => each.creator !== swap.trader))!;
    expect((await suggested(answers, creator))[0]).toEqual({ wallet: creator, kind: 'creator' });
    expect((await suggested(answers, trader.trader))[0]).toEqual({ wallet: trader.trader, kind: 'wallet' });
    const mint = created()[4]!.mint;
    expect(await suggested(answers, mint)).toMatchObject([{ mint, name: '🐸🐸', kind: 'token' }]);
    expect(await suggested(answers, 'ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7')).toEqual([]);
    const many = await suggested(answers, 'Pepe');
    expect(many.length).toBeGreaterThan(1);
    expect(many.length).toBeLessThanOrEqual(10);
  });

  it('keep the newest and those that trade where there is no room for all, and say so', async () => {
    const tokens = 12;
    const answers = open({ tokens, bytes: 1e9 });
    const traded = new Set(facts.flatMap((block) => block.swaps).map(({ mint }) => mint));
    expect(new Set([...created().map(({ mint }) => mint), ...traded]).size).toBeGreaterThan(tokens);
    const all = await found(answers, created()[0]!.mint.slice(0, 2));
    expect(all.partial).toBe(true);
    expect(answers.names().books).toBeLessThanOrEqual(tokens);
    const newest = facts.flatMap((block) => block.swaps).at(-1)!.mint;
    expect((await found(answers, newest)).mints).toEqual([newest]);
  });

  it('refuse with a pause to wait while names are read', async () => {
    const hours = { ...systemClock, sleep: async () => {} };
    const answers = createSearchAnswers({
      ...{ ...openDeps(), clock: hours },
      solUsd: () => undefined,
    });
    opened.push(answers);
    await expect(answers.search(readQuery('pe'), 5)).rejects.toMatchObject({ code: 'warming_up', retryAfter: 5 });
  });
});

describe('names of tokens', () => {
  it('are compared as they are served, capitals and all, the newest first', async () => {
    const answers = open();
    const served = new Map<string, string[]>();
    for (const { name, mint } of created()) {
      served.set(shownName(name), [mint, ...(served.get(shownName(name)) ?? [])]);
    }
    const [common] = [...served].sort(([, a], [, b]) => b.length - a.length)[0]!;
    expect((await named(answers, common)).map(({ mint }) => mint)).toEqual(served.get(common));
    expect((await named(answers, common, 1)).map(({ mint }) => mint)).toEqual(served.get(common)!.slice(0, 1));
    expect((await named(answers, 'Pepe Original')).map(({ mint }) => mint)).toEqual([created()[1]!.mint]);
    expect(await named(answers, 'pepe original')).toEqual([]);
    expect(await named(answers, 'PEPE Original')).toEqual([]);
  });

  it('are found where accounts tell them, with what is not shown in them', async () => {
    const [older, other] = unseen;
    expect(facts.flatMap((block) => block.swaps).map(({ mint }) => mint)).toEqual(expect.arrayContaining(unseen));
    await appendRows(test.store.client, HYDRATED_TOKENS, [
      hydratedToken(older!, { name: 'Old\u0000 \u202eTimer', named: true }),
      hydratedToken(other!, { name: 'Old Timers', named: true }),
    ]);
    const answers = open();
    expect((await named(answers, 'Old Timer')).map(({ mint }) => mint)).toEqual([older]);
    expect((await named(answers, 'Old Timers')).map(({ mint }) => mint)).toEqual([other]);
    expect(await named(answers, 'Old\u0000 \u202eTimer')).toEqual([]);
    expect((await found(answers, 'old timer')).mints.slice(0, 2)).toEqual([older, other]);
  });

  it('lack in the store exactly the characters that answers lack', async () => {
    const texts = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const mint = created()[0]!.mint as Address;
    const pages = 256;
    for (let page = 0; page < pages; page += 1) {
      const size = Math.ceil(texts.length / pages);
      const text = texts.slice(page * size, (page + 1) * size).join('');
      const query = `SELECT name FROM (${unprintableSelect()})`;
      const [row] = await readJson<{ name: string }>(test.store.client, query, { text, mint });
      expect(row?.name === shownName(text), `page ${page}`).toBe(true);
    }
  });
});

/** What fills the table of names, over one text. */
function unprintableSelect(): string {
  const rows = `(SELECT {text:String} AS name, 1 AS slot, 1 AS block_index, 1 AS ix_index, false AS partial, {mint:String} AS mint)`;
  return NAMES.select.replace('$rows', rows);
}
