import { afterEach, describe, expect, it } from 'vitest';
import { pricesDouble } from '../../../test/support/answers/prices.ts';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble, KNOWN_MINT, UNKNOWN_MINT } from '../../../test/support/token-answers.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { ApiError } from '../../contract/errors.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string) => app.inject({ url, headers: { 'x-api-key': TEST_KEY } });

describe('GET /sol-price', () => {
  it('needs no key and costs nothing', async () => {
    app = buildTestApp();
    const response = await app.inject('/api/sol-price');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ usd: 142.37, stale_s: 2 });
    expect(response.headers['cache-control']).toBe('public, max-age=1');
    expect(response.headers['x-credits-cost']).toBeUndefined();
  });

  it('is warming up, never zero, until somebody told the price', async () => {
    const prices = {
      ...pricesDouble(),
      solPrice() {
        throw new ApiError('warming_up', { message: 'the price of SOL is not known yet' });
      },
    };
    app = buildTestApp({ answers: createAnswersDouble({ prices }) });
    const response = await app.inject('/api/sol-price');
    expect(response.statusCode).toBe(503);
    expect(response.json().error.code).toBe('warming_up');
    expect(response.headers['retry-after']).toBe('5');
  });
});

describe('GET /prices', () => {
  const mints = Array.from({ length: 101 }, (_, i) => encodeAddress(new Uint8Array(32).fill(i + 1)));

  it.each([
    [1, '1'],
    [25, '1'],
    [26, '2'],
    [100, '4'],
  ])('of %i mints costs %s', async (count, credits) => {
    app = buildTestApp();
    const response = await get(`/api/prices?mints=${mints.slice(0, count).join(',')}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-credits-cost']).toBe(credits);
    expect(response.json().missing).toHaveLength(count);
  });

  it('refuses more than a hundred', async () => {
    app = buildTestApp();
    const response = await get(`/api/prices?mints=${mints.join(',')}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ code: 'invalid_mint', param: 'mints', details: { max: 100 } });
  });

  it('takes mints one by one as well, and tells which have none', async () => {
    app = buildTestApp();
    const response = await get(`/api/prices?mints=${KNOWN_MINT}&mints=${UNKNOWN_MINT}`);
    expect(response.json()).toMatchObject({ data: [{ mint: KNOWN_MINT }], missing: [UNKNOWN_MINT] });
  });
});
