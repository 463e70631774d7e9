import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import corpus from '../../test/fixtures/refused-urls.json' with { type: 'json' };
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Address } from '../chain/address.ts';
import { ApiError } from '../contract/errors.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { createCollector } from './collector.ts';
import type { DocumentAnswer } from './documents.ts';
import { readTarget } from './fetch-target.ts';
import { chooseGateways } from './gateways.ts';
import { createImagePlaces } from './image-places.ts';
import type { ImageProbe } from './image-probe.ts';
import { createMetadataAnswers, type MetadataReply } from './metadata-answers.ts';
import { createMetadataFinder } from './metadata-finder.ts';

const MINT = 'So11111111111111111111111111111111111111112' as Address;
const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const EMPTY = { image: '', twitter: '', website: '', telegram: '', description: '' };
const ROW: TokenMetadataRow = {
  mint: MINT,
  checked_at: 1,
  retry_at: 0,
  state: 'stored',
  tries: 0,
  outcome: '',
  uri: `ipfs://${CID}`,
  ...EMPTY,
};
const gateways = chooseGateways('one.example,two.example');
const HOUR = 'private, max-age=3600';
const FIVE_MINUTES = 'private, max-age=300';
const NINETY_SECONDS = 'private, max-age=90';

/** The answers over a store of one mint, hosts and gateways that the test plays. */
function open(known: { row?: TokenMetadataRow; uri?: string }, probe: Partial<ImageProbe> = {}) {
  const clock = createHandClock();
  const store = { ...known };
  let looks = 0;
  let finish: (answer: DocumentAnswer) => void = () => {};
  const collector = createCollector({
    documents: { read: () => new Promise((resolve) => (finish = resolve)) },
    clock,
    note: () => {},
    random: () => 0.5,
  });
  const stop = new AbortController();
  void collector.run(stop.signal);
  const reads = {
    row: async () => {
      looks += 1;
      return store.row;
    },
    uri: async () => store.uri,
  };
  const finder = createMetadataFinder({ reads, collector, clock });
  const images: ImageProbe = { confirm: async () => 'confirmed', isPublic: async () => true, ...probe };
  const places = createImagePlaces({ probe: images, clock });
  const answers = createMetadataAnswers({ finder, places, gateways, clock });
  /** Asks, and lets so much time pass; the answer must be there then. */
  async function ask(what: 'meta' | 'image', mint: string = MINT, waitMs = 0): Promise<string> {
    let told = 'nothing yet';
    const said = async () => shown(await answers[what](mint));
    void said()
      .catch(refused)
      .then((text) => {
        told = text;
      });
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    if (waitMs > 0) await clock.advance(waitMs);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    return told;
  }
  return { clock, store, ask, collector, finish: (answer: DocumentAnswer) => finish(answer), looks: () => looks };
}

const shown = ({ body, location, cacheControl }: MetadataReply) => `${location ?? body} | ${cacheControl}`;
const refused = (error: unknown) =>
  error instanceof ApiError ? `${error.entry.status} ${error.code} | ${error.cacheControl}` : String(error);
const noImage = (caching: string) => `404 image_not_found | ${caching}`;
const PENDING = '{"pending":true} | no-store';

describe('what is stored', () => {
  it('is final', async () => {
    const { ask, clock } = open({ row: { ...ROW, image: `https://one.example/ipfs/${CID}`, description: 'a "b"' } });
    const told = `{"image":"https://one.example/ipfs/${CID}","description":"a \\"b\\""} | ${HOUR}`;
    expect(await ask('meta')).toBe(told);
    await clock.advance(10_000_000);
    expect(await ask('meta')).toBe(told);
    expect(await ask('image')).toBe(`https://one.example/ipfs/${CID} | ${HOUR}`);
  });

  it.each([
    ['stored without a field', { state: 'stored' }, HOUR],
    ['unfetchable', { state: 'none', outcome: 'unreachable' }, HOUR],
    ['deleted by its host', { state: 'none', outcome: 'gone' }, HOUR],
    ['a URI that is none', { state: 'none', outcome: 'bad_uri' }, HOUR],
    ['no URI', { state: 'none', outcome: 'no_uri' }, FIVE_MINUTES],
  ])('as nothing is an empty object, and no image: %s', async (_what, row, caching) => {
    const { ask } = open({ row: { ...ROW, ...row } });
    expect(await ask('meta')).toBe(`{} | ${caching}`);
    expect(await ask('image')).toBe(noImage(caching));
  });

  it('as waiting for another try is pending, and its image is not there for 90 s', async () => {
    const { ask, clock, collector } = open({ row: { ...ROW, state: 'waiting', retry_at: clock0 + 600, tries: 2 } });
    expect(await ask('meta')).toBe(PENDING);
    expect(await ask('image')).toBe(noImage(NINETY_SECONDS));
    // The wait goes on although nobody in this process began it.
    expect(collector.figures.waiting).toBe(1);
    await clock.advance(601_000);
    expect(collector.figures.underWay).toBe(1);
  });
});

const clock0 = 1_790_000_000;

describe('what is not an address', () => {
  it.each(['x', '', 'null', '0'.repeat(44), `${MINT}1`])('has nothing, at once and for good: %j', async (text) => {
    const { ask, looks } = open({});
    expect(await ask('meta', text)).toBe(`{} | ${HOUR}`);
    expect(await ask('image', text)).toBe(noImage(HOUR));
    expect(looks()).toBe(0);
  });
});

describe('a mint that is not known', () => {
  it('is pending for 2 minutes from the first question, then has nothing, kept for 5 minutes', async () => {
    const { ask, clock, looks } = open({});
    expect(await ask('meta')).toBe(PENDING);
    expect(await ask('image')).toBe(noImage('no-store'));
    await clock.advance(119_999);
    expect(await ask('meta')).toBe(PENDING);
    await clock.advance(1);
    expect(await ask('meta')).toBe(`{} | ${FIVE_MINUTES}`);
    await clock.advance(1_000);
    expect(await ask('image')).toBe(noImage(FIVE_MINUTES));
    const looked = looks();
    await clock.advance(299_999);
    expect(await ask('meta')).toBe(`{} | ${FIVE_MINUTES}`);
    expect(looks()).toBe(looked);
    await clock.advance(1);
    expect(await ask('meta')).toBe(`{} | ${FIVE_MINUTES}`);
    expect(looks()).toBe(looked + 1);
  });

  it('costs the store one look a second', async () => {
    const { ask, clock, looks } = open({});
    for (let question = 0; question < 20; question += 1) await ask('meta');
    expect(looks()).toBe(1);
    await clock.advance(1_000);
    await ask('meta');
    expect(looks()).toBe(2);
  });

  it('and is created meanwhile has its metadata as soon as they are read', async () => {
    const { ask, clock, collector, finish } = open({});
    await ask('meta');
    await clock.advance(130_000);
    expect(await ask('meta')).toBe(`{} | ${FIVE_MINUTES}`);
    collector.want({ mint: MINT, uri: `ipfs://${CID}`, tries: 0 });
    expect(await ask('meta', MINT, 1_500)).toBe(PENDING);
    finish({ metadata: { ...EMPTY, twitter: 'https://x.com/a' } });
    expect(await ask('meta')).toBe(`{"twitter":"https://x.com/a"} | ${HOUR}`);
  });
});

describe('a token whose document is not read yet', () => {
  it('is waited for, as long as 1.5 s and no longer', async () => {
    const { ask } = open({ uri: `ipfs://${CID}` });
    expect(await ask('meta', MINT, 1_499)).toBe('nothing yet');
    const other = open({ uri: `ipfs://${CID}` });
    expect(await other.ask('meta', MINT, 1_500)).toBe(PENDING);
    expect(await other.ask('image', MINT, 1_500)).toBe(noImage('no-store'));
  });

  it('is answered when it comes in time, and stays answered', async () => {
    const { ask, finish, store } = open({ uri: `ipfs://${CID}` });
    expect(await ask('meta', MINT, 1_000)).toBe('nothing yet');
    finish({ metadata: { ...EMPTY, website: 'https://example.com/' } });
    store.uri = '';
    expect(await ask('meta')).toBe(`{"website":"https://example.com/"} | ${HOUR}`);
  });

  it('and fails is pending until the next try', async () => {
    const { ask, finish } = open({ uri: `ipfs://${CID}` });
    await ask('meta');
    finish({ fault: 'unreachable' });
    expect(await ask('meta')).toBe(PENDING);
    expect(await ask('image')).toBe(noImage(NINETY_SECONDS));
  });

  it('and has no URI has nothing', async () => {
    const { ask } = open({ uri: '' });
    expect(await ask('meta')).toBe(`{} | ${FIVE_MINUTES}`);
    expect(await ask('image')).toBe(noImage(FIVE_MINUTES));
  });
});

describe('an image', () => {
  const onIpfs = { row: { ...ROW, image: `https://one.example/ipfs/${CID}` } };
  const onHost = { row: { ...ROW, image: 'https://images.example.com/a.png' } };

  it('is at the gateway that confirms it', async () => {
    const { ask } = open(onIpfs, { confirm: async (url) => (url.includes('two') ? 'confirmed' : 'unknown') });
    expect(await ask('image')).toBe(`https://two.example/ipfs/${CID} | ${HOUR}`);
  });

  it('that none confirms in time is at the first that has not refused, for 90 s', async () => {
    const { ask } = open(onIpfs, {
      confirm: (url) => (url.includes('one') ? Promise.resolve('refused') : new Promise(() => {})),
    });
    expect(await ask('image', MINT, 1_499)).toBe('nothing yet');
    expect(await ask('image', MINT, 1_500)).toBe(`https://two.example/ipfs/${CID} | ${NINETY_SECONDS}`);
  });

  it('that all refuse is not there, for 90 s', async () => {
    const { ask } = open(onIpfs, { confirm: async () => 'refused' });
    expect(await ask('image')).toBe(noImage(NINETY_SECONDS));
  });

  it.each([
    [true, `https://images.example.com/a.png | ${HOUR}`],
    [false, noImage(HOUR)],
    [undefined, noImage('no-store')],
  ])('on a stranger’s host is sent to when that is public: %s', async (isPublic, told) => {
    const { ask } = open(onHost, { isPublic: async () => isPublic });
    expect(await ask('image')).toBe(told);
  });

  it.each(['https://127.0.0.1/a.png', 'javascript:alert(1)', 'http://10.0.0.1/', 'https://localhost/a.png'])(
    'that a row of before holds is judged again: %s',
    async (image) => {
      const { ask } = open({ row: { ...ROW, image } });
      expect(await ask('image')).toBe(noImage(HOUR));
    },
  );
});

describe('what is told of a stored image', () => {
  const image = 'https://images.example.com/a.png';
  const row = { ...ROW, image, description: 'here' };
  const WHOLE = `{"image":"${image}","description":"here"}`;
  const WITHOUT = '{"description":"here"}';

  it.each([
    [true, `${WHOLE} | ${HOUR}`],
    [false, `${WITHOUT} | ${HOUR}`],
    [undefined, `${WITHOUT} | no-store`],
  ])('is its URL when what the name of its host leads to is public: %s', async (isPublic, told) => {
    expect(await open({ row }, { isPublic: async () => isPublic }).ask('meta')).toBe(told);
  });

  it('waits no longer than an answer may', async () => {
    const { ask } = open({ row }, { isPublic: () => new Promise(() => {}) });
    expect(await ask('meta')).toBe('nothing yet');
    expect(await open({ row }, { isPublic: () => new Promise(() => {}) }).ask('meta', MINT, 1_500)).toBe(
      `${WITHOUT} | no-store`,
    );
  });

  it('asks nobody of content that lies on a gateway', async () => {
    const image = `https://one.example/ipfs/${CID}`;
    const isPublic = () => Promise.reject(new Error('asked'));
    expect(await open({ row: { ...ROW, image } }, { isPublic }).ask('meta')).toBe(`{"image":"${image}"} | ${HOUR}`);
  });

  it('names a gateway, and no host of somebody’s own, for content by its hash', async () => {
    const { ask } = open(
      { row: { ...ROW, image: `https://own.example.com/ipfs/${CID}` } },
      { confirm: async () => 'unknown' },
    );
    expect(await ask('meta')).toBe(`{"image":"https://one.example/ipfs/${CID}"} | ${HOUR}`);
    expect(await ask('image')).toBe(`https://one.example/ipfs/${CID} | ${NINETY_SECONDS}`);
  });

  it.each<readonly [url: string, why: string]>([
    ...corpus.urls.map(({ url, why }) => [url, why] as const),
    ['https://localhost./a.png', 'loopback, the full name'],
    ['https://LOCALHOST/a.png', 'loopback in capitals'],
    ['https://metadata.google.INTERNAL./a.png', 'an inner name, in capitals, with a final dot'],
    ['https://user@images.example.com/a.png', 'a name of somebody'],
    ['https://images.example.com@127.0.0.1/a.png', 'a public name as the name of somebody'],
    ['https://[::ffff:10.0.0.1]/a.png', 'a mapped address'],
    ['https://images.example.com:8443/a.png', 'another port'],
    ['http://10.0.0.1/a.png', 'plain http'],
    ['//10.0.0.1/a.png', 'no scheme'],
    ['data:image/png;base64,AAAA', 'no host at all'],
  ])('is nothing where a row of before names %s (%s), and neither are its links', async (url, _why) => {
    const links = { twitter: url, website: url, telegram: url };
    // A name that leads inside is for the look-up to find; every other way is refused unasked.
    const { ask } = open({ row: { ...ROW, image: url, description: 'here' } }, { isPublic: async () => false });
    expect(await ask('meta')).toBe(`${WITHOUT} | ${HOUR}`);
    expect(await ask('image')).toBe(noImage(HOUR));
    const told = await open({ row: { ...ROW, ...links } }).ask('meta');
    const linked = [...told.matchAll(/https?:[^"]+/g)].map(([link]) => new URL(link).hostname);
    expect(linked.map((hostname) => typeof readTarget(`https://${hostname}/`))).toEqual(linked.map(() => 'object'));
  });
});
