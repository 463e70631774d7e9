import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { TOKEN_METADATA } from '../../store/clickhouse/schema/background-tables.ts';
import { appendRows } from '../../store/clickhouse/write/append-rows.ts';
import { shownName, unprintableClass } from '../../token/shown-name.ts';
import { readEvents } from './event-reads.ts';
import { readTweets } from './tweet-reads.ts';
import { POST_LINK } from './tweet-rules.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

/** Answers of the engine to a question of one column. */
async function column(query: string, query_params: Record<string, unknown>): Promise<string[]> {
  const answer = await test.store.client.query({ query, query_params, format: 'JSONCompactEachRow' });
  return (await answer.json<[string]>()).map(([value]) => value);
}

const POSTS = [
  'https://x.com/name/status/1900000000000000001',
  'https://x.com/a/status/1',
  'https://www.x.com/name_15_chars__/status/20',
  'https://mobile.twitter.com/name/status/20',
  'https://twitter.com/name/status/20?s=20&t=a%20b',
  'https://twitter.com/name/status/20/photo/1',
  'https://x.com/name/status/20#m',
  'http://twitter.com/name/status/20',
  'https://x.com/i/web/status/20',
  'https://x.com/i/status/20',
];

const OTHERS = [
  '',
  'https://x.com/name',
  'https://x.com/i/communities/1900000000000000001',
  'https://x.com/i/communities/1/status/2',
  'https://x.com/name/status/',
  'https://x.com/name/status/abc',
  'https://x.com/name/status/20abc',
  'https://x.com/name/status/-20',
  'https://x.com/name/status/%32%30',
  'https://x.com/name/status/２０',
  'https://x.com/name/status/٢٠',
  'https://x.com/name/status/12345678901234567890',
  'https://x.com/name/statuses/20',
  'https://x.com/name/Status/20',
  'https://x.com/status/20',
  'https://x.com//status/20',
  'https://x.com/name//status/20',
  'https://x.com/name_of_16_chars_/status/20',
  'https://x.com/na.me/status/20',
  'https://x.com/name/with_replies/status/20',
  'https://x.com/search?q=x.com/name/status/20',
  'https://x.com./name/status/20',
  'https://x.com:8443/name/status/20',
  'https://name@x.com/name/status/20',
  'https://x.com@evil.example/name/status/20',
  'https://x.com.evil.example/name/status/20',
  'https://evil.example/x.com/name/status/20',
  'https://evilx.com/name/status/20',
  'https://xn--x-bga.com/name/status/20',
  'https://х.com/name/status/20',
  'https://xxcom/name/status/20',
  'https://api.x.com/name/status/20',
  'https://m.twitter.com/name/status/20',
  'https://www.mobile.x.com/name/status/20',
  'https://x.co/name/status/20',
  'https://t.co/status/20',
  'https://nitter.net/name/status/20',
  'ftp://x.com/name/status/20',
  'javascript:https://x.com/name/status/20',
  ' https://x.com/name/status/20',
  'HTTPS://X.COM/name/status/20',
  'x.com/name/status/20',
  'https://x.com\\name\\status\\20',
  'https://evil.example/\nhttps://x.com/name/status/20',
  'https://x.com/name/status/20\n',
];

describe('links to posts', () => {
  it('are told from everything else, by the engine as here', async () => {
    const all = [...POSTS, ...OTHERS];
    const told = new RegExp(POST_LINK);
    expect(all.filter((link) => told.test(link))).toEqual(POSTS);
    const query =
      'SELECT arrayJoin(arrayFilter(link -> match(link, {post:String}), {links:Array(String)})) AS link ORDER BY link';
    expect(await column(query, { post: POST_LINK, links: all })).toEqual(POSTS.toSorted());
  });

  it('are looked for among the newest tokens, a few at first, and no further than the list says', async () => {
    const { writer, client } = test.store;
    const maker = createFactsMaker({ seed: 3, swapsPerBlock: 2 });
    const blocks = Array.from({ length: 9 }, (_, number) => {
      const facts = maker.next();
      const { slot, time } = facts;
      const created = { ...creation(number), slot, time };
      return { ...facts, created: [created] };
    });
    await writer.flush(blocks.map((facts) => maker.toBatch(facts)));
    const mints = blocks.map(({ created }) => created[0]!.mint);
    const links = new Map([
      [0, POSTS[0]!],
      [3, POSTS[1]!],
      [5, OTHERS[1]!],
      [6, POSTS[2]!],
    ]);
    const documents = [...links].map(([number, twitter]) => document(mints[number]!, twitter));
    await appendRows(client, TOKEN_METADATA, [...documents, { ...document(mints[8]!, POSTS[3]!), state: 'waiting' }]);
    const mark = blocks.at(-1)!.slot;
    const told = async (limit: number, among: readonly number[], until = mark) => {
      const { rows, since } = await readTweets(client, until, limit, among);
      return [rows.map(({ mint }) => mints.indexOf(mint as Address)), since];
    };
    expect(await told(1, [3])).toEqual([[6], undefined]);
    expect(await told(2, [3, 6])).toEqual([[6, 3], undefined]);
    expect(await told(9, [3, 6])).toEqual([[6, 3], blocks[3]!.time]);
    expect(await told(9, [3, 6, 9])).toEqual([[6, 3, 0], undefined]);
    expect(await told(9, [100])).toEqual([[6, 3, 0], undefined]);
    expect(await told(9, [100], blocks[4]!.slot)).toEqual([[3, 0], undefined]);
  });
});

describe('what is taken out of names', () => {
  it('is the same in the engine as here, whatever characters its tables know', async () => {
    const points = Array.from({ length: 0x11_0000 }, (_, point) => point).filter((p) => p < 0xd800 || p > 0xdfff);
    const query = `
      SELECT toString(point) FROM (SELECT arrayJoin({points:Array(UInt32)}) AS point, char(240 + bitShiftRight(point, 18),
        128 + bitAnd(bitShiftRight(point, 12), 63), 128 + bitAnd(bitShiftRight(point, 6), 63), 128 + bitAnd(point, 63)) AS four,
        char(224 + bitShiftRight(point, 12), 128 + bitAnd(bitShiftRight(point, 6), 63), 128 + bitAnd(point, 63)) AS three,
        char(192 + bitShiftRight(point, 6), 128 + bitAnd(point, 63)) AS two,
        multiIf(point > 65535, four, point > 2047, three, point > 127, two, char(point)) AS text)
      WHERE replaceRegexpAll(concat('a', text, 'b'), {unprintable:String}, '') = 'ab' ORDER BY point`;
    const out = points.filter((point) => shownName(String.fromCodePoint(point)) === '');
    // Those that are taken out, and their neighbours.
    const asked = [...new Set(out.flatMap((point) => [point - 1, point, point + 1]))].filter((point) => point >= 0);
    expect(await column(query, { points: asked, unprintable: unprintableClass() })).toEqual(out.map(String));
    expect(out.length).toBeGreaterThan(100);
    expect(shownName('\u200c\u200d')).toBe('\u200c\u200d');
  });
});

describe('events of a store', () => {
  it('say from when on they are whole where there were too many to be read', async () => {
    const maker = createFactsMaker({ seed: 4, swapsPerBlock: 10 });
    const sized = Array.from({ length: 30 }, () => maker.next()).map((facts) => ({
      ...facts,
      swaps: facts.swaps.map((swap) => ({ ...swap, venue: 0 as const, quoteMint: undefined, quoteAmount: 10n ** 10n })),
    }));
    const own = await openTestStore();
    try {
      await own.store.writer.flush(sized.map((facts) => maker.toBatch(facts)));
      const mark = sized.at(-1)!.slot;
      const all = sized.flatMap(({ swaps }) => swaps.filter((swap) => !swap.protocolActor));
      const whole = (await readEvents(own.store.client, mark, () => 0)).newest(10n ** 9n, 200);
      expect([whole.events.length, whole.lostAt]).toEqual([Math.min(200, all.length), undefined]);
      const cut = (await readEvents(own.store.client, mark, () => 0, 20)).newest(10n ** 9n, 200);
      expect(cut.lostAt).toBeDefined();
      expect(cut.events.length).toBeLessThanOrEqual(20);
      expect(cut.events.every(({ time }) => time > cut.lostAt!)).toBe(true);
      const last = sized.at(-1)!;
      const ahead = { ...last, slot: mark + 1, parentSlot: mark, time: last.time + 3_600 };
      ahead.swaps = last.swaps.map((swap) => ({ ...swap, slot: ahead.slot, time: ahead.time, protocolActor: false }));
      await own.store.writer.flush([maker.toBatch(ahead)]);
      const log = await readEvents(own.store.client, ahead.slot, () => 0);
      const isAhead = ({ slot }: { readonly slot: number }) => slot === ahead.slot;
      expect(log.newest(10n ** 9n, 200).events).toEqual(whole.events);
      for (let slot = ahead.slot + 1; slot <= ahead.slot + 16; slot += 1) {
        const block = { firstSlot: slot, lastSlot: slot, time: ahead.time + 1, trades: [], graduations: [] };
        log.add(block, ahead.slot);
      }
      // Its time has come.
      expect(log.newest(10n ** 9n, 200).events.filter(isAhead)).toHaveLength(ahead.swaps.length);
      const none = await readEvents(own.store.client, 0, () => 0);
      expect(none.newest(10n ** 9n, 200).events).toEqual([]);
    } finally {
      await own.close();
    }
  });
});

function creation(number: number) {
  const mint = address(100 + number);
  return {
    ...{
      blockIndex: 900,
      ixIndex: 1,
      signature: new Uint8Array(64),
      mint,
      creator: address(1),
      feeCreator: address(1),
    },
    ...{
      name: `Token ${number}`,
      symbol: 'T',
      uri: '',
      bondingCurve: address(2),
      decimals: 6,
      tokenProgram: address(3),
    },
    ...{ quoteMint: undefined, mayhem: false, cashback: false, holderReward: false, creatorFeeBps: undefined },
    ...{ curveDepth: 0, virtualTokenReserves: 1n, virtualQuoteReserves: 1n, realTokenReserves: 1n, supply: 1n },
  };
}

function document(mint: Address, twitter: string) {
  return {
    ...{ mint, checked_at: 1, retry_at: 0, state: 'stored', tries: 0, outcome: '', uri: 'u', image: '', twitter },
    ...{ website: '', telegram: '', description: '' },
  };
}
