import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import corpus from '../../test/fixtures/refused-urls.json' with { type: 'json' };
import type { DialTarget } from './dial.ts';
import { createSafeFetch, type FetchWish } from './safe-fetch.ts';

const PUBLIC = '93.184.216.34';
const GATE = { inAll: 10, perSite: () => 10 };
const wish: FetchWish = {
  accept: '*/*',
  acceptsType: () => true,
  maxBytes: 1_000,
  method: 'GET',
  signal: new AbortController().signal,
};

/** Notes what would be dialled, and fails there. */
function noting() {
  const dialled: DialTarget[] = [];
  const dial = (target: DialTarget) => {
    dialled.push(target);
    const socket = new Socket();
    socket.destroy(new Error('the line is cut'));
    return socket;
  };
  return { dialled, dial };
}

describe('what is never asked', () => {
  it('has at least sixty ways round', () => {
    expect(new Set(corpus.urls.map(({ url }) => url)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(corpus.urls)('$url ($why)', async ({ url, dns = [PUBLIC] }) => {
    const { dialled, dial } = noting();
    const fetch = createSafeFetch({ gate: GATE, dial, resolve: async () => dns });
    await expect(fetch(url, wish)).rejects.toMatchObject({ name: 'FetchFault', kind: 'refused' });
    expect(dialled).toEqual([]);
  });

  it.each([
    ['https://example.com/a.json', [PUBLIC], [PUBLIC]],
    ['https://EXAMPLE.com:443/', [PUBLIC], [PUBLIC]],
    ['https://93.184.216.34/', [], [PUBLIC]],
    ['https://[2606:2800:220:1:248:1893:25c8:1946]/', [], ['2606:2800:220:1:248:1893:25c8:1946']],
  ])('and what is: %s', async (url, dns, addresses) => {
    const { dialled, dial } = noting();
    const fetch = createSafeFetch({ gate: GATE, dial, resolve: async () => dns });
    await expect(fetch(url, wish)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(dialled).toMatchObject([{ addresses, port: 443, encrypted: true }]);
  });
});

describe('a name that changes its address', () => {
  it('is dialled at the address that was checked, and is not looked up for it again', async () => {
    const { dialled, dial } = noting();
    const answers = [[PUBLIC], ['127.0.0.1']];
    let lookUps = 0;
    const resolve = async () => answers[Math.min(lookUps++, 1)]!;
    const fetch = createSafeFetch({ gate: GATE, dial, resolve });
    await expect(fetch('https://rebind.example.com/', wish)).rejects.toMatchObject({ kind: 'unreachable' });
    expect([lookUps, dialled.map(({ addresses }) => addresses)]).toEqual([1, [[PUBLIC]]]);
    await expect(fetch('https://rebind.example.com/', wish)).rejects.toMatchObject({ kind: 'refused' });
    expect([lookUps, dialled.length]).toEqual([2, 1]);
  });
});
