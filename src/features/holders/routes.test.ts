import { describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL } from '../../../test/support/api-app.ts';
import { createMemoryMeter } from '../../../test/support/memory-meter.ts';
import { createAnswersDouble, KNOWN_MINT, UNKNOWN_MINT } from '../../../test/support/token-answers.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';

const MINTS = Array.from({ length: 51 }, (_, place) => encodeAddress(new Uint8Array(32).fill(place + 1)));

/** Answer to a URL, its cost, and the questions that reached the answers. */
async function get(path: string) {
  const asked: unknown[] = [];
  const note = (...question: unknown[]) => {
    asked.push(question);
    return Promise.resolve(Buffer.from('{"data":[]}'));
  };
  const meter = createMemoryMeter({ credits: 1000, enforce: false });
  const app = buildTestApp({
    answers: createAnswersDouble({ traders: note, holderHistory: note, batch: note }),
    meter,
  });
  const response = await app.inject({ url: `/api${path}`, headers: { 'x-api-key': TEST_KEY } });
  await app.close();
  return {
    status: response.statusCode,
    error: response.json().error,
    asked,
    cost: 1000 - (meter.remaining(TEST_PRINCIPAL) ?? 0),
  };
}

describe('GET /tokens/batch', () => {
  it.each([
    ['separated by commas', `mints=${KNOWN_MINT},${UNKNOWN_MINT}`],
    ['one by one', `mints=${KNOWN_MINT}&mints=${UNKNOWN_MINT}`],
    ['either way, each once', `mints=${KNOWN_MINT},${UNKNOWN_MINT}&mints=${KNOWN_MINT}`],
  ])('takes mints %s', async (_how, query) => {
    expect((await get(`/tokens/batch?${query}`)).asked).toEqual([[[KNOWN_MINT, UNKNOWN_MINT]]]);
  });

  it('is no token of that name, and costs nothing when it names none', async () => {
    const { status, error, asked, cost } = await get('/tokens/batch');
    expect([status, error.code, error.param, asked, cost]).toEqual([400, 'invalid_mint', 'mints', [], 0]);
  });

  it.each([
    [1, 1],
    [5, 1],
    [6, 2],
    [50, 10],
  ])('of %i mints costs %i', async (count, cost) => {
    expect(await get(`/tokens/batch?mints=${MINTS.slice(0, count)}`)).toMatchObject({ status: 200, cost });
  });

  it('of the same mint over and over costs as one', async () => {
    expect((await get(`/tokens/batch?mints=${MINTS[0]}${`,${MINTS[0]}`.repeat(60)}`)).cost).toBe(1);
  });

  it('refuses more than fifty, and says how many are taken', async () => {
    const { status, error, asked, cost } = await get(`/tokens/batch?mints=${MINTS}`);
    expect([status, error.code, error.param, error.details]).toEqual([400, 'invalid_mint', 'mints', { max: 50 }]);
    expect([asked, cost]).toEqual([[], 0]);
  });
});

describe('GET /tokens/{mint}/traders', () => {
  it.each([
    ['', { sort: 'realized', limit: 50 }, 5],
    ['?sort=volume&limit=500', { sort: 'volume', limit: 500 }, 32],
    ['?sort=bought&limit=20', { sort: 'bought', limit: 20 }, 2],
    ['?sort=trades', { sort: 'trades', limit: 50 }, 5],
  ])('reads %j', async (query, order, cost) => {
    const answer = await get(`/tokens/${KNOWN_MINT}/traders${query}`);
    expect(answer).toMatchObject({ asked: [[KNOWN_MINT, order]], cost });
  });

  it('refuses another order', async () => {
    expect((await get(`/tokens/${KNOWN_MINT}/traders?sort=held`)).error.code).toBe('invalid_param');
  });
});

describe('GET /tokens/{mint}/holders/history', () => {
  it.each([
    ['', '1h'],
    ['?tf=5m', '5m'],
    ['?tf=1d', '1d'],
  ])('reads %j, for three credits', async (query, interval) => {
    const answer = await get(`/tokens/${KNOWN_MINT}/holders/history${query}`);
    expect(answer).toMatchObject({ asked: [[KNOWN_MINT, interval]], cost: 3 });
  });

  it('refuses the intervals of candles that it does not have', async () => {
    expect((await get(`/tokens/${KNOWN_MINT}/holders/history?tf=1s`)).error.code).toBe('invalid_tf');
  });
});
