import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { type BookShelf, createBookShelf } from '../../src/books/book-shelf.ts';
import type { Address } from '../../src/chain/address.ts';
import { slotOfBody } from '../../src/contract/stamp.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { type ClosableDiscoveryAnswers, createDiscoveryAnswers } from '../../src/features/discovery/answers.ts';
import type { CrossPair, MarketEvent, NameRow, TweetToken } from '../../src/features/discovery/contract.ts';
import { readEvents } from '../../src/features/discovery/event-reads.ts';
import { createFeed, type InProcessFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createMetadataTransport } from '../../src/simulator/metadata-transport.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Scheme } from '../../src/simulator/truth.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { storeDocuments } from '../golden/golden-store.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { timeOf, trueEvents, trueNames, trueTips } from './discovery-truth.ts';

const SEED = 'discovery';
const BLOCKS = 380;
const STORED = 320;
/** Of the stored blocks, one that comes late. */
const LATE = 200;
const MAX_HELD = 200;
/** Longer than any answer is kept, and than what stands is read again. */
const A_WHILE_MS = 120_000;
const WEEK_S = 604_800;
const SOL = 1_000_000_000n;
const LEAST = SOL / 10n;

const facts: BlockFacts[] = [];
const schemes: Scheme[] = [];
let batches: readonly RowBatch[];
let test: TestStore;

beforeAll(async () => {
  const simulator = createSimulator({ seed: SEED, sign: false, copycats: true });
  for (let count = 0; count < BLOCKS; count += 1) {
    const { truth } = simulator.next();
    facts.push(truth.facts('decoded'));
    schemes.push(...truth.schemes);
  }
  batches = foldedBatches(facts);
  test = await openTestStore();
  await test.store.writer.flush(batches.slice(0, STORED).filter((_, place) => place !== LATE));
  await storeDocuments(test.store.client, facts.slice(0, STORED), SEED);
});
afterAll(() => test?.close());

/** The lists over the store, and a feed that lies where it does. */
function open(committed = STORED): {
  answers: ClosableDiscoveryAnswers;
  feed: InProcessFeed;
  pass: () => void;
  shelf: BookShelf;
} {
  const clock = createHandClock(facts.at(-1)!.time * 1_000);
  const feed = createFeed({ maxHeldBatches: MAX_HELD });
  feed.commit(facts[committed - 1]!.slot, 0);
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const { client } = test.store;
  const answers = createDiscoveryAnswers({ client, feed, clock, log: silentLogger, shelf });
  return { answers, feed, shelf, pass: () => clock.freeze(A_WHILE_MS) };
}

async function told<T>(
  body: Buffer | Promise<Buffer>,
): Promise<{ data: T[]; slot: number | undefined; since?: string }> {
  const bytes = await body;
  return { ...JSON.parse(bytes.toString()), slot: slotOfBody(bytes) };
}

/** Blocks that are known up to one, without the late one as long as it has not come. */
const upTo = (block: number, withLate: boolean) =>
  facts.slice(0, block).filter((_, place) => withLate || place !== LATE);

const THRESHOLDS = [LEAST, SOL, 40n * SOL];

describe('names that several tokens share', () => {
  it('are counted as they are served, of the window that ends with the newest stored block', async () => {
    const { answers, feed, shelf } = open();
    for (const batch of batches.slice(STORED, BLOCKS)) feed.publish(batch);
    for (const window of [WEEK_S, 60]) {
      const { data, slot } = await told<NameRow>(answers.names(window, 200));
      expect(slot).toBe(facts[STORED - 1]!.slot);
      expect(data).toEqual(trueNames(upTo(STORED, true), window));
    }
    const { data } = await told<NameRow>(answers.names(WEEK_S, 200));
    expect(data.length).toBeGreaterThan(3);
    // Names that were taken over are there, and clones in other letters are not counted with them.
    const takers = schemes.filter(({ kind }) => kind === 'name_taken').map(({ mint }) => mint);
    const created = upTo(STORED, true).flatMap((block) => block.created);
    const taken = created.filter(({ mint }) => takers.includes(mint)).map(({ name }) => name);
    expect(taken.every((name) => data.some((row) => row.name === name))).toBe(true);
    answers.close();
    shelf.close();
  });
});

describe('tips by provider', () => {
  it('are those of the newest stored block and all before it, in transactions', async () => {
    const { answers, feed, shelf } = open();
    for (const batch of batches.slice(STORED, BLOCKS)) feed.publish(batch);
    const now = facts[STORED - 1]!.time;
    const known = upTo(STORED, false);
    for (const window of ['5m', '24h'] as const) {
      const body = JSON.parse((await answers.tips(window)).toString());
      expect(body.providers).toEqual(trueTips(known, now - 300));
      expect([body.window, body.providers.length > 2]).toEqual([window, true]);
    }
    answers.close();
    shelf.close();
  });
});

describe('tokens that link posts', () => {
  it('are the newest whose document does, shared posts among them', async () => {
    const { answers, shelf } = open();
    const document = createMetadataTransport(SEED);
    const linkOf = (uri: string): string | undefined => {
      try {
        const { twitter } = JSON.parse(document(uri) ?? '{}') as { twitter?: string };
        return twitter?.includes('/status/') ? twitter : undefined;
      } catch {
        return undefined;
      }
    };
    const expected = upTo(STORED, true)
      .flatMap((block) => block.created)
      .toReversed()
      .flatMap(({ mint, uri }) => {
        const twitter = linkOf(uri);
        return twitter === undefined ? [] : [[mint, twitter]];
      });
    const { data, slot } = await told<TweetToken>(answers.tweets(200));
    expect(slot).toBe(facts[STORED - 1]!.slot);
    expect(data.map(({ mint, twitter }) => [mint, twitter])).toEqual(expected);
    const posts = data.map(({ twitter }) => /\d+(?=\D*$)/.exec(twitter.split(/[?]|\/photo/)[0]!)![0]);
    expect(new Set(posts).size).toBeLessThan(posts.length);
    const short = await told<TweetToken>(answers.tweets(3));
    expect(short.data).toEqual(data.slice(0, 3));
    answers.close();
    shelf.close();
  });
});

/** What is asked of pairs: who trades in the blocks that are fed, a pair among them that one of these brings. */
function crossQuestion() {
  const traded = (known: readonly BlockFacts[]) =>
    known.flatMap(({ swaps }) => swaps.filter((swap) => !swap.protocolActor));
  const textOf = ({ mint, trader }: BlockFacts['swaps'][number]) => `${mint} ${trader}`;
  const before = new Set(traded(facts.slice(0, STORED)).map(textOf));
  const fresh = traded(facts.slice(STORED)).filter((swap) => !before.has(textOf(swap)));
  const newest = fresh.findLast((swap) => fresh.find((each) => textOf(each) === textOf(swap)) === swap)!;
  const often = (values: readonly Address[], most: number) => {
    const counts = new Map<Address, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const byCount = [...counts].sort(([, a], [, b]) => b - a);
    return byCount.map(([value]) => value).slice(0, most);
  };
  const late = traded(facts.slice(STORED));
  const mints = [
    ...new Set([
      newest.mint,
      ...often(
        late.map(({ mint }) => mint),
        40,
      ),
    ]),
  ];
  const wallets = [
    ...new Set([
      newest.trader,
      ...often(
        late.map(({ trader }) => trader),
        50,
      ),
    ]),
  ];
  return {
    ask: async (answers: ClosableDiscoveryAnswers) => {
      const { data, slot } = await told<CrossPair>(answers.cross(mints, wallets));
      return { pairs: data.map(({ mint, wallet }) => `${mint} ${wallet}`), slot };
    },
    /** The truth of blocks up to the last of some. */
    trueOf(known: readonly BlockFacts[]) {
      const pairs = traded(known).filter(({ mint, trader }) => mints.includes(mint) && wallets.includes(trader));
      return { pairs: [...new Set(pairs.map(textOf))].sort(), slot: known.at(-1)!.slot };
    },
    /** Number of the block in which that pair begins. */
    begins: facts.findIndex(({ slot }) => slot === newest.slot),
  };
}

describe('pairs of tokens and wallets', () => {
  it('are those that have a position, of stored blocks and of those that are not', async () => {
    const { answers, feed, shelf } = open();
    const { ask, trueOf, begins } = crossQuestion();
    expect(await ask(answers)).toEqual(trueOf(facts.slice(0, STORED)));
    for (const batch of batches.slice(STORED, BLOCKS)) feed.publish(batch);
    expect(await ask(answers)).toEqual(trueOf(facts));
    // A block that comes while the store is asked is in the answer, and one that goes is not.
    for (let block = BLOCKS - 1; block > STORED; block -= 1) feed.withdraw(facts[block]!.slot);
    const asked = ask(answers);
    for (const batch of batches.slice(STORED + 1, begins + 1)) feed.publish(batch);
    feed.withdraw(facts[begins]!.slot);
    expect(await asked).toEqual(trueOf(facts.slice(0, begins)));
    expect(trueOf(facts.slice(0, begins)).pairs).not.toEqual(trueOf(facts.slice(0, begins + 1)).pairs);
    answers.close();
    shelf.close();
  });
});

describe('events', () => {
  async function compare(answers: ClosableDiscoveryAnswers, known: readonly BlockFacts[], slot: number) {
    for (const least of THRESHOLDS) {
      const list = await told<MarketEvent>(answers.events(least, 200));
      expect(list.slot).toBe(slot);
      const rows = list.data.map(({ symbol: _symbol, mayhem: _mayhem, ...row }) => row);
      expect(rows).toEqual(trueEvents(known, least, 200));
    }
  }

  it('name the token, and list nobody of the protocol’s own', async () => {
    const { answers, shelf } = open();
    const created = new Map(facts.flatMap((block) => block.created).map((each) => [each.mint, each]));
    const { data } = await told<MarketEvent>(answers.events(LEAST, 200));
    const own = new Set(
      facts.flatMap(({ swaps }) => swaps.filter((swap) => swap.protocolActor).map(({ trader }) => trader)),
    );
    expect(own.size).toBeGreaterThan(0);
    for (const { mint, symbol, mayhem, actor } of data) {
      const creation = created.get(mint as Address);
      expect([mayhem, own.has(actor as Address)]).toEqual([creation?.mayhem, false]);
      if (creation !== undefined) expect(symbol).toBe(creation.symbol.replace('\u200b', ''));
    }
    answers.close();
    shelf.close();
  });

  it('are those of the chain, through blocks that come, are withdrawn, are stored and come late', async () => {
    const { answers, feed, shelf } = open();
    await compare(answers, upTo(STORED, false), facts[STORED - 1]!.slot);
    for (const batch of batches.slice(STORED, STORED + 40)) feed.publish(batch);
    await compare(answers, upTo(STORED + 40, false), facts[STORED + 39]!.slot);
    for (let block = STORED + 39; block >= STORED + 30; block -= 1) feed.withdraw(facts[block]!.slot);
    await compare(answers, upTo(STORED + 30, false), facts[STORED + 29]!.slot);
    for (const batch of batches.slice(STORED + 30, BLOCKS)) feed.publish(batch);
    await compare(answers, upTo(BLOCKS, false), facts[BLOCKS - 1]!.slot);
    // A block comes behind newer ones: while it waits to be stored nobody knows what a read has seen.
    feed.publish(batches[LATE]!);
    await compare(answers, upTo(STORED, false), facts[STORED - 1]!.slot);
    answers.close();
    shelf.close();
    await test.store.writer.flush(batches.slice(STORED, BLOCKS));
    const later = open(BLOCKS);
    await compare(later.answers, upTo(BLOCKS, false), facts[BLOCKS - 1]!.slot);
    await test.store.writer.flush([batches[LATE]!]);
    later.feed.changed([facts[LATE]!.swaps[0]!.mint]);
    later.pass();
    await compare(later.answers, upTo(BLOCKS, true), facts[BLOCKS - 1]!.slot);
    later.answers.close();
    later.shelf.close();
    // What the store has beyond the slot that it answers for is in no answer.
    const mark = facts[STORED - 1]!.slot;
    const { events } = (await readEvents(test.store.client, mark, () => 0)).newest(LEAST, 200);
    const rows = events.map(({ time, mint, actor }) => ({ time: timeOf(time), mint, actor }));
    const expected = trueEvents(upTo(STORED, true), LEAST, 200);
    expect(rows).toEqual(expected.map(({ time, mint, actor }) => ({ time, mint, actor })));
    const behind = open();
    const { ask, trueOf } = crossQuestion();
    expect(await ask(behind.answers)).toEqual(trueOf(facts.slice(0, STORED)));
    behind.answers.close();
    behind.shelf.close();
  });
});
