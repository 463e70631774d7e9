import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createImagePlaces, IMAGE_LIMITS, type ImageLimits } from './image-places.ts';

type Said = 'confirmed' | 'refused' | 'unknown';

const HOUR_MS = 3_600_000;
const WAIT_MS = 1_500;
const urls = ['https://one/ipfs/x', 'https://two/ipfs/x', 'https://three/ipfs/x', 'https://four/ipfs/x'];

/** Gateways that answer when the test says so. */
function race(limits: Partial<ImageLimits> = {}) {
  const clock = createHandClock();
  const asked: { readonly url: string; readonly signal: AbortSignal; readonly say: (said: Said) => void }[] = [];
  const looked: string[] = [];
  let isPublic: boolean | undefined | Promise<never> = true;
  const places = createImagePlaces({
    probe: {
      confirm: (url, signal) => new Promise((say) => asked.push({ url, signal, say })),
      isPublic: async (url) => {
        looked.push(url);
        return isPublic;
      },
    },
    clock,
    limits: { ...IMAGE_LIMITS, ...limits },
  });
  return {
    clock,
    places,
    asked,
    looked,
    setPublic(value: typeof isPublic) {
      isPublic = value;
    },
  };
}

describe('an image on gateways', () => {
  it('is had from the first that confirms it, and the others are let go', async () => {
    const { clock, places, asked } = race();
    const found = places.find(urls, WAIT_MS);
    expect(asked.map(({ url }) => url)).toEqual(urls.slice(0, 3));
    asked[0]!.say('refused');
    asked[2]!.say('confirmed');
    expect(await found).toEqual({ url: urls[2], confirmed: true });
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    // An answer that comes too late changes nothing.
    asked[1]!.say('confirmed');
    await clock.advance(HOUR_MS - 1);
    expect(await places.find(urls, WAIT_MS)).toEqual({ url: urls[2], confirmed: true });
    expect(asked).toHaveLength(3);
    await clock.advance(1);
    void places.find(urls, WAIT_MS);
    expect(asked).toHaveLength(6);
  });

  it.each<[string, readonly (Said | undefined)[], string | undefined]>([
    ['nobody has said anything', [undefined, undefined, undefined], urls[0]],
    ['the first has refused', ['refused', undefined, undefined], urls[1]],
    ['the first could not say', ['unknown', undefined, undefined], urls[0]],
    ['two have refused', ['refused', 'refused', undefined], urls[2]],
    ['all have refused', ['refused', 'refused', 'refused'], undefined],
    ['none could say', ['unknown', 'unknown', 'unknown'], urls[0]],
  ])('when in time %s is that of the first that has not refused', async (_what, said, url) => {
    const { clock, places, asked } = race();
    const found = places.find(urls, WAIT_MS);
    for (const [index, word] of said.entries()) if (word !== undefined) asked[index]!.say(word);
    await setImmediate();
    await clock.advance(WAIT_MS);
    expect(await found).toEqual(url === undefined ? undefined : { url, confirmed: false });
  });

  it('that is confirmed later is so for the next question, without another race', async () => {
    const { clock, places, asked } = race();
    const first = places.find(urls, WAIT_MS);
    await clock.advance(WAIT_MS);
    expect((await first)?.confirmed).toBe(false);
    asked[1]!.say('confirmed');
    await setImmediate();
    expect(await places.find(urls, WAIT_MS)).toEqual({ url: urls[1], confirmed: true });
    expect(asked).toHaveLength(3);
  });

  it('that nobody confirmed is raced for again after 90 seconds', async () => {
    const { clock, places, asked } = race();
    const first = places.find(urls, WAIT_MS);
    for (const { say } of asked) say('unknown');
    await first;
    await clock.advance(89_999);
    await places.find(urls, WAIT_MS);
    expect(asked).toHaveLength(3);
    await clock.advance(1);
    void places.find(urls, WAIT_MS);
    expect(asked).toHaveLength(6);
  });

  it('is raced for once, however many ask', async () => {
    const { places, asked } = race();
    const all = Promise.all(Array.from({ length: 50 }, () => places.find(urls, WAIT_MS)));
    expect(asked).toHaveLength(3);
    asked[0]!.say('confirmed');
    expect(new Set((await all).map((place) => place?.url))).toEqual(new Set([urls[0]]));
  });

  it('is named unasked when as many are raced for as may be', async () => {
    const { places, asked } = race({ racing: 2 });
    for (const name of ['a', 'b']) void places.find([`https://one/ipfs/${name}`], WAIT_MS);
    expect(places.racing).toBe(2);
    expect(await places.find(['https://one/ipfs/c'], WAIT_MS)).toEqual({ url: 'https://one/ipfs/c', confirmed: false });
    expect(asked).toHaveLength(2);
    for (const { say } of asked) say('unknown');
    await setImmediate();
    expect(places.racing).toBe(0);
  });
});

describe('the host of a stranger', () => {
  it('is looked up once an hour', async () => {
    const { clock, places, looked } = race();
    for (const path of ['a', 'b']) expect(await places.isPublic(`https://example.com/${path}`, WAIT_MS)).toBe(true);
    expect(looked).toHaveLength(1);
    await clock.advance(HOUR_MS);
    await places.isPublic('https://example.com/c', WAIT_MS);
    expect(looked).toHaveLength(2);
  });

  it('that leads inside is remembered, and what is not known is asked again', async () => {
    const { places, looked, setPublic } = race();
    setPublic(undefined);
    expect(await places.isPublic('https://example.com/', WAIT_MS)).toBeUndefined();
    setPublic(false);
    expect(await places.isPublic('https://example.com/', WAIT_MS)).toBe(false);
    setPublic(true);
    expect(await places.isPublic('https://example.com/', WAIT_MS)).toBe(false);
    expect(looked).toHaveLength(2);
  });

  it('that takes too long is not known', async () => {
    const { clock, places, setPublic } = race();
    setPublic(new Promise<never>(() => {}));
    const answer = places.isPublic('https://example.com/', WAIT_MS);
    await clock.advance(WAIT_MS);
    expect(await answer).toBeUndefined();
  });
});
