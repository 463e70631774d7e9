import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Address } from '../chain/address.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { COLLECTOR_LIMITS, type CollectorLimits, createCollector } from './collector.ts';
import type { DocumentAnswer } from './documents.ts';

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const FOUND: DocumentAnswer = {
  metadata: { image: '', twitter: '', website: '', telegram: '', description: 'found' },
};
const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

const mint = (name: string) => name as Address;

/** A collector over hosts that answer when the test says so. */
function collect(limits: Partial<CollectorLimits> = {}) {
  const clock = createHandClock(1_790_000_000_000);
  const rows: TokenMetadataRow[] = [];
  const asked: { readonly uri: string; readonly answer: (answer: DocumentAnswer) => void }[] = [];
  const collector = createCollector({
    documents: { read: (uri) => new Promise((answer) => asked.push({ uri, answer })) },
    clock,
    note: (row) => rows.push(row),
    random: () => 0.5,
    limits: { ...COLLECTOR_LIMITS, ...limits },
  });
  const stop = new AbortController();
  stops.push(stop);
  const done = collector.run(stop.signal);
  const uris = () => asked.map(({ uri }) => uri);
  /** Answers what was asked last. */
  const answer = async (given: DocumentAnswer) => {
    asked.at(-1)?.answer(given);
    await setImmediate();
  };
  return { clock, collector, rows, asked, uris, answer, stop, done };
}

const web = (name: string, site = `${name}.com`) => ({ mint: mint(name), uri: `https://${site}/${name}`, tries: 0 });
const content = (name: string) => ({ mint: mint(name), uri: `ipfs://${CID}/${name}`, tries: 0 });

describe('a document that is wanted', () => {
  it('is read at once, once, and noted', async () => {
    const { collector, answer, rows, uris } = collect();
    collector.want(content('a'));
    collector.want(content('a'));
    await answer(FOUND);
    collector.want(content('a'));
    expect(uris()).toEqual([content('a').uri]);
    expect(rows).toMatchObject([
      {
        mint: 'a',
        state: 'stored',
        retry_at: 0,
        tries: 0,
        outcome: '',
        description: 'found',
        checked_at: 1_790_000_000,
      },
    ]);
    expect(collector.latest(mint('a'))).toBe(rows[0]);
    expect(collector.figures).toMatchObject({ queued: 0, underWay: 0, waiting: 0, tries: { read: 1 } });
  });

  it.each([
    ['', 'no_uri'],
    [' \u0000', 'bad_uri'],
    ['hello', 'bad_uri'],
    ['https://127.0.0.1/', 'bad_uri'],
  ])('under the URI %j is none for good, and nobody is asked', (uri, outcome) => {
    const { collector, rows, uris } = collect();
    collector.want({ mint: mint('a'), uri, tries: 0 });
    expect(uris()).toEqual([]);
    expect(rows).toMatchObject([{ state: 'none', outcome: uri.trim() === '' ? 'no_uri' : outcome }]);
  });

  it.each([
    ['unreachable', [5, 30, 120, 600, 3_600, 21_600]],
    ['gone', [5, 30, 120]],
    ['unusable', [5, 30]],
    ['refused', []],
  ] as const)('and is %s is asked for again after %j seconds, and then never', async (fault, delays) => {
    const { clock, collector, answer, rows, uris } = collect();
    collector.want(web('a'));
    for (const [index, delay] of delays.entries()) {
      await answer({ fault });
      expect(rows.at(-1)).toMatchObject({ state: 'waiting', outcome: fault, tries: index + 1 });
      expect(rows.at(-1)!.retry_at - rows.at(-1)!.checked_at).toBe(delay);
      await clock.advance((delay - 1) * 1_000);
      expect(uris()).toHaveLength(index + 1);
      await clock.advance(2_000);
      expect(uris()).toHaveLength(index + 2);
    }
    await answer({ fault });
    expect(rows.at(-1)).toMatchObject({ state: 'none', outcome: fault, retry_at: 0 });
    await clock.advance(60_000);
    collector.want(web('a'));
    expect(uris()).toHaveLength(delays.length + 1);
    expect(collector.figures.waiting).toBe(0);
  });

  it('goes on counting where a row of before stopped', async () => {
    const { clock, collector, answer, rows } = collect();
    collector.resume({
      ...ROW,
      mint: mint('a'),
      state: 'waiting',
      tries: 2,
      retry_at: 1_790_000_010,
      uri: web('a').uri,
    });
    expect(collector.figures.waiting).toBe(1);
    await clock.advance(11_000);
    await answer({ fault: 'unusable' });
    expect(rows).toMatchObject([{ state: 'none', tries: 3 }]);
  });

  it('and was let go is not told of as waiting: whoever asks has it taken up again', async () => {
    const { clock, collector, answer, rows, uris } = collect({ remembered: 2 });
    for (const name of ['a', 'b', 'c']) {
      collector.want(web(name));
      await answer({ fault: 'unreachable' });
      expect(collector.latest(mint('a'))?.state).toBe(name === 'c' ? undefined : 'waiting');
    }
    collector.resume(rows[0]!);
    expect(collector.latest(mint('a'))).toBe(rows[0]);
    await clock.advance(7_000);
    expect(uris().slice(3)).toContain(web('a').uri);
  });

  it('and has come meanwhile is not taken back by an older row', async () => {
    const { collector, answer, rows } = collect();
    collector.want(web('a'));
    await answer(FOUND);
    collector.resume({ ...rows[0]!, state: 'waiting', retry_at: 1_790_000_001 });
    expect(collector.latest(mint('a'))).toBe(rows[0]);
    expect(collector.figures.waiting).toBe(0);
  });

  it('is not held against its host while nobody had room to ask', async () => {
    const { clock, collector, answer, rows, uris } = collect();
    collector.want(web('a'));
    for (let time = 0; time < 20; time += 1) {
      await answer({ fault: 'busy' });
      expect(rows.at(-1)).toMatchObject({ state: 'waiting', tries: 0 });
      await clock.advance(4_000);
    }
    expect(uris()).toHaveLength(21);
  });
});

describe('bounds', () => {
  it('content by its hash and strangers’ hosts have workers of their own', async () => {
    const { collector, uris } = collect({ underWay: { gateways: 2, strangers: 3 } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) collector.want(web(name));
    for (const name of ['f', 'g', 'h']) collector.want(content(name));
    expect(uris()).toEqual([
      ...['a', 'b', 'c'].map((name) => web(name).uri),
      ...['f', 'g'].map((name) => content(name).uri),
    ]);
    expect(collector.figures).toMatchObject({ queued: 3, underWay: 5 });
  });

  it('a stranger’s site that is slow lets others pass, however many names it has', async () => {
    const { collector, uris } = collect();
    for (const name of ['a', 'b', 'c', 'd']) collector.want(web(name, `${name}.slow.com`));
    collector.want(web('quick'));
    expect(uris()).toEqual(['https://a.slow.com/a', 'https://b.slow.com/b', 'https://quick.com/quick']);
  });

  it('when too many wait the oldest goes, and whoever waits for it is told', async () => {
    const { collector, asked, uris, rows } = collect({ underWay: { gateways: 1, strangers: 1 }, queued: 2 });
    collector.want(content('first'));
    const waited = collector.read(content('a'));
    for (const name of ['b', 'c']) collector.want(content(name));
    expect(await waited).toBeUndefined();
    expect([rows.length, collector.figures.queued]).toEqual([0, 2]);
    asked[0]!.answer(FOUND);
    await setImmediate();
    // The newest first.
    expect(uris().at(-1)).toBe(content('c').uri);
  });

  it('what a look into the store finds comes behind what is wanted already, the newest first', async () => {
    const { collector, asked, uris } = collect({ underWay: { gateways: 1, strangers: 1 } });
    for (const name of ['first', 'new']) collector.want(content(name));
    for (const name of ['old', 'older']) collector.want(content(name), 'later');
    for (let at = 0; at < 3; at += 1) {
      asked[at]!.answer(FOUND);
      await setImmediate();
    }
    expect(uris()).toEqual(['first', 'new', 'old', 'older'].map((name) => content(name).uri));
  });

  it('a crowd of strangers leaves room for content by its hash', () => {
    const { collector } = collect({ queued: 4, underWay: { gateways: 8, strangers: 8 } });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) collector.want(web(name, `${name}.slow.com`));
    expect([collector.figures.queued, collector.hasRoom()]).toEqual([4, true]);
    for (let at = 0; at < 10; at += 1) collector.want(content(`${at}`));
    expect([collector.figures.queued, collector.hasRoom()]).toEqual([6, false]);
  });

  // A collector that looked through all that ever came, for each that comes, would not be done in the time of a test.
  it('hundreds of thousands come for one host, and as many wait as may', () => {
    const { collector } = collect();
    let at = 0;
    const want = (count: number) => {
      for (const end = at + count; at < end; at += 1)
        collector.want(web(`${at}`, 'slow.com'), at < 3_000 ? 'next' : 'later');
    };
    want(4_000);
    expect(collector.figures).toMatchObject({ queued: 2_000, underWay: 2 });
    want(300_000);
    expect(collector.figures).toMatchObject({ queued: 2_000, underWay: 2 });
  });

  it('what somebody waits for comes first', async () => {
    const { collector, asked, uris } = collect({ underWay: { gateways: 1, strangers: 1 } });
    for (const name of ['first', 'a', 'b', 'c']) collector.want(content(name));
    const joined = collector.join(mint('a'));
    asked[0]!.answer(FOUND);
    await setImmediate();
    expect(uris().at(-1)).toBe(content('a').uri);
    asked[1]!.answer(FOUND);
    expect(await joined).toMatchObject({ mint: 'a', state: 'stored' });
    expect(collector.join(mint('a'))).toBeUndefined();
  });

  it('a stop tells all who wait, and notes nothing of what it broke off', async () => {
    const { collector, rows, stop, done } = collect({ underWay: { gateways: 1, strangers: 1 } });
    const waited = [collector.read(content('a')), collector.read(content('b'))];
    stop.abort();
    await done;
    expect(await Promise.all(waited)).toEqual([undefined, undefined]);
    expect(rows).toEqual([]);
  });
});

const ROW: TokenMetadataRow = {
  mint: '11111111111111111111111111111111' as Address,
  checked_at: 0,
  retry_at: 0,
  state: 'none',
  tries: 0,
  outcome: '',
  uri: '',
  image: '',
  twitter: '',
  website: '',
  telegram: '',
  description: '',
};
