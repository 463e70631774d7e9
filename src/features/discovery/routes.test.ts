import { afterEach, describe, expect, it } from 'vitest';
import { discoveryDouble } from '../../../test/support/answers/discovery.ts';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string) => app.inject({ url: `/api${url}`, headers: { 'x-api-key': TEST_KEY } });
const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => encodeAddress(new Uint8Array(32).fill(i + 1)));

/** The API, and what reaches its answers. */
function listen() {
  const asked: unknown[][] = [];
  const note =
    (name: string) =>
    async (...question: unknown[]) => {
      asked.push([name, ...question]);
      return Buffer.from('{"data":[]}');
    };
  const discovery = {
    ...discoveryDouble(),
    ...{ cross: note('cross'), names: note('names'), tweets: note('tweets') },
    ...{ events: note('events'), tips: note('tips'), launchpad: note('launchpad') },
  };
  app = buildTestApp({ answers: createAnswersDouble({ discovery }) });
  return asked;
}

describe('GET /cross', () => {
  it.each([
    [100, 25],
    [25, 100],
    [50, 50],
    [1, 100],
    [1, 1],
  ])('of %i mints and %i wallets is answered for 5 credits', async (mints, wallets) => {
    const asked = listen();
    const response = await get(`/cross?mints=${addresses(mints)}&wallets=${addresses(wallets)}`);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, '5']);
    expect(asked).toEqual([['cross', addresses(mints), addresses(wallets)]]);
  });

  it.each([
    [101, 1, 'mints'],
    [1, 101, 'wallets'],
    [51, 50, undefined],
    [100, 26, undefined],
  ])('of %i mints and %i wallets is too much, and free', async (mints, wallets, param) => {
    const asked = listen();
    const response = await get(`/cross?mints=${addresses(mints)}&wallets=${addresses(wallets)}`);
    expect(response.statusCode).toBe(422);
    const details = { max: 100, max_pairs: 2_500 };
    expect(response.json().error).toMatchObject({ code: 'too_many_items', details, ...(param && { param }) });
    expect(response.headers['x-credits-cost']).toBe('0');
    expect(asked).toEqual([]);
  });

  it('counts what is named twice once, however it is named', async () => {
    const asked = listen();
    const [one = '', two = ''] = addresses(2);
    const response = await get(`/cross?mints=${one},${two}&mints=${one}&wallets=${Array(200).fill(two).join()}`);
    expect(response.statusCode).toBe(200);
    expect(asked).toEqual([['cross', [one, two], [two]]]);
  });

  it.each([
    ['mints=', 'invalid_mint'],
    ['', 'invalid_mint'],
    [`mints=${addresses(1)}`, 'invalid_wallet'],
    [`mints=${addresses(1)}&wallets=x`, 'invalid_wallet'],
    [`mints=${addresses(1)},&wallets=${addresses(1)}`, 'invalid_mint'],
  ])('of %j is %s', async (query, code) => {
    listen();
    const response = await get(`/cross?${query}`);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
  });
});

describe('lists over all tokens', () => {
  it.each([
    ['/trending-names', '1', ['names', 86_400, 50]],
    ['/trending-names?window=1h30m&limit=200', '1', ['names', 5_400, 200]],
    ['/trending-names?window=168h', '1', ['names', 604_800, 50]],
    ['/trending-names?window=61s', '1', ['names', 120, 50]],
    ['/trending-names?window=59m1s', '1', ['names', 3_600, 50]],
    ['/trending-names?window=60m1s', '1', ['names', 4_500, 50]],
    ['/trending-names?window=23h46m', '1', ['names', 86_400, 50]],
    ['/trending-names?window=24h1m', '1', ['names', 90_000, 50]],
    ['/trending-names?window=167h0m1s', '1', ['names', 604_800, 50]],
    ['/tweet-tokens', '1', ['tweets', 50]],
    ['/tweet-tokens?limit=200', '1', ['tweets', 200]],
    ['/launchpad-24h', '1', ['launchpad']],
    ['/tips/by-provider', '1', ['tips', '1h']],
    ['/tips/by-provider?window=60m', '1', ['tips', '1h']],
    ['/tips/by-provider?window=0.5h', '1', ['tips', '30m']],
    ['/tips/by-provider?window=24h', '1', ['tips', '24h']],
    ['/events', '2', ['events', 3_000_000_000n, 50]],
    ['/events?min_sol=100000000&limit=200', '2', ['events', 100_000_000n, 200]],
    ['/events?min_sol=18446744073709551615', '2', ['events', 2n ** 64n - 1n, 50]],
  ])('%s costs %s', async (path, cost, question) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, cost]);
    expect(asked).toEqual([question]);
  });

  it.each([
    ['/trending-names?window=7d', 'invalid_window'],
    ['/tips/by-provider?window=2h', 'invalid_window'],
    ['/tips/by-provider?window=1H', 'invalid_window'],
    ['/trending-names?window=30s', 'invalid_window'],
    ['/trending-names?window=168h1s', 'invalid_window'],
    ['/trending-names?limit=201', 'invalid_limit'],
    ['/tweet-tokens?limit=201', 'invalid_limit'],
    ['/events?limit=201', 'invalid_limit'],
    ['/events?min_sol=99999999', 'invalid_param'],
    ['/events?min_sol=3.5', 'invalid_param'],
    ['/events?min_sol=18446744073709551616', 'invalid_param'],
  ])('%s is %s', async (path, code) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(asked).toEqual([]);
  });
});
