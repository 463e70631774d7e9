import { describe, expect, it } from 'vitest';
import { createNetworkDocuments, createSimulatedDocuments } from './documents.ts';
import { FetchFault, type FetchFaultKind } from './fetch-fault.ts';
import { chooseGateways } from './gateways.ts';
import type { SafeFetch } from './safe-fetch.ts';
import { readUri } from './token-uri.ts';

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const gateways = chooseGateways('one.example.com,two.example.com,three.example.com,four.example.com');
const signal = new AbortController().signal;

type Played = number | FetchFaultKind | string | 'silence';

/** Hosts by name: a status, a fault, a body, or silence until they are let go. */
function hosts(plays: Readonly<Record<string, Played>>) {
  const asked: string[] = [];
  const released: string[] = [];
  const fetch: SafeFetch = async (url, wish) => {
    const name = new URL(url).hostname.split('.')[0]!;
    asked.push(name);
    const play = plays[name] ?? 404;
    if (play === 'silence') {
      return new Promise((_resolve, reject) => {
        wish.signal.addEventListener('abort', () => {
          released.push(name);
          reject(new FetchFault('unreachable', 'let go'));
        });
      });
    }
    if (typeof play === 'number') return { status: play, type: '', body: Buffer.alloc(0) };
    if (!play.startsWith('{')) throw new FetchFault(play as FetchFaultKind, 'played');
    return { status: 200, type: 'application/json', body: Buffer.from(play) };
  };
  const documents = createNetworkDocuments(fetch, gateways, {
    isPublic: async (url) => ({ public: true, inside: false })[new URL(url).hostname.split('.')[0] ?? ''],
  });
  return { asked, released, read: (uri: string) => documents.read(uri, readUri(uri)!, signal) };
}

const DOCUMENT = '{"description":"here"}';

describe('content on gateways', () => {
  it('is had from the first, and no other is asked', async () => {
    const { read, asked } = hosts({ one: DOCUMENT });
    expect(await read(`ipfs://${CID}`)).toMatchObject({ metadata: { description: 'here' } });
    expect(asked).toEqual(['one']);
  });

  it('is asked of the next at once when one has it not, and a while later when one is silent', async () => {
    const { read, asked, released } = hosts({ one: 404, two: 'silence', four: DOCUMENT });
    const started = performance.now();
    expect(await read(`ipfs://${CID}`)).toMatchObject({ metadata: { description: 'here' } });
    // Three of four, the last one among them.
    expect(asked).toEqual(['one', 'two', 'four']);
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(released).toEqual(['two']);
  });

  it('is asked last of the host that the URI names', async () => {
    const { read, asked } = hosts({ own: DOCUMENT });
    expect(await read(`https://own.example.com/ipfs/${CID}`)).toMatchObject({ metadata: { description: 'here' } });
    expect(asked).toEqual(['one', 'two', 'own']);
  });

  it.each<[Played, Played, string]>([
    [404, 404, 'gone'],
    [404, 503, 'unreachable'],
    [404, 'unusable', 'unusable'],
    ['refused', 404, 'gone'],
    ['busy', 404, 'busy'],
    ['unreachable', 'unusable', 'unreachable'],
  ])('that one answers with %s and the others with %s is %s', async (one, others, fault) => {
    const { read } = hosts({ one, two: others, four: others });
    expect(await read(`ipfs://${CID}`)).toEqual({ fault });
  });
});

describe('a document on a host', () => {
  it.each<[Played, string]>([
    [404, 'gone'],
    [410, 'gone'],
    [403, 'gone'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    ['refused', 'refused'],
    ['unusable', 'unusable'],
    ['unreachable', 'unreachable'],
    ['busy', 'busy'],
    ['{"description":', 'unusable'],
  ])('that answers with %s is %s', async (play, fault) => {
    const { read } = hosts({ host: play });
    expect(await read('https://host.example.com/a.json')).toEqual({ fault });
  });
});

describe('a simulated document', () => {
  it.each([
    [undefined, { fault: 'gone' }],
    ['{"name":"x","symbol":', { fault: 'unusable' }],
    [DOCUMENT, { metadata: { image: '', twitter: '', website: '', telegram: '', description: 'here' } }],
  ])('with the body %j', async (body, answer) => {
    const documents = createSimulatedDocuments(() => body, gateways);
    expect(await documents.read('x', { kind: 'web', url: 'x' }, signal)).toEqual(answer);
  });
});

describe('the image that a document names', () => {
  it.each([
    ['https://public.example.com/a.png', 'https://public.example.com/a.png'],
    ['https://inside.example.com/a.png', ''],
    // Nobody knows now; whoever asks for it is told once somebody does.
    ['https://unknown.example.com/a.png', 'https://unknown.example.com/a.png'],
    [`https://inside.example.com/ipfs/${CID}`, `https://one.example.com/ipfs/${CID}`],
  ])('is kept unless the name of its host leads inside: %s', async (image, kept) => {
    const { read } = hosts({ one: JSON.stringify({ image, description: 'here' }) });
    expect(await read(`ipfs://${CID}`)).toMatchObject({ metadata: { image: kept, description: 'here' } });
  });
});
