import { describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { type AnswerCall, createAnswersDouble, KNOWN_MINT } from '../../../test/support/token-answers.ts';
import { encodeTokenCursor } from '../../contract/token-cursor.ts';

const WSOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const NEWEST = encodeTokenCursor({ sort: 'newest', slot: 5, blockIndex: 1, ixIndex: 2, mint: KNOWN_MINT });

/** The call that reaches the answers for a URL, or the status when none does. */
async function asked(path: string): Promise<AnswerCall | number> {
  const answers = createAnswersDouble();
  const app = buildTestApp({ answers });
  const response = await app.inject({ url: `/api${path}`, headers: { 'x-api-key': TEST_KEY } });
  await app.close();
  return answers.calls[0] ?? response.statusCode;
}

describe('GET /tokens', () => {
  const defaults = {
    sort: 'newest',
    graduated: undefined,
    creator: undefined,
    from: undefined,
    to: undefined,
    limit: 100,
    cursor: undefined,
    screen: undefined,
    spark: false,
  };

  it.each([
    ['', {}],
    ['?status=0', { graduated: false }],
    ['?status=bonding', { graduated: false }],
    ['?status=1', { graduated: true }],
    ['?status=graduated', { graduated: true }],
    [`?creator=${USDC}&limit=500&sort=last_trade`, { creator: USDC, limit: 500, sort: 'last_trade' }],
    ['?from=2026-08-01T10:00:00Z&to=1785578401000', { from: 1_785_578_400_000, to: 1_785_578_401_000 }],
    ['?from=1785578400', { from: 1_785_578_400_000 }],
    ['?cursor=&limit=', {}],
    [`?cursor=${NEWEST}`, { cursor: NEWEST }],
    ['?spark=1', { spark: true }],
    ['?min_vol=18446744073709551615', { screen: { minVolume: 18_446_744_073_709_551_615n } }],
    ['?min_traders=7&mayhem=0', { screen: { minTraders: 7, mayhem: false } }],
    ['?quote=', { screen: { quote: '' } }],
    [`?quote=${USDC}&min_progress=99.5`, { screen: { quote: USDC, minProgress: 99.5 } }],
  ])('reads %j', async (query, expected) => {
    expect(await asked(`/tokens${query}`)).toEqual(['list', { ...defaults, ...expected }]);
  });

  it('refuses a cursor of another sort', async () => {
    expect(await asked(`/tokens?sort=last_trade&cursor=${NEWEST}`)).toBe(400);
  });
});

describe('GET /tokens/trending', () => {
  it.each([
    ['', 86_400, 50],
    ['?window=5m&limit=200', 300, 200],
    ['?window=90s', 120, 50],
    ['?window=1h30m', 5_400, 50],
    ['?window=168h&spark=1', 604_800, 50, true],
  ])('reads %j', async (query, window, limit, spark = false) => {
    expect(await asked(`/tokens/trending${query}`)).toEqual(['trending', window, limit, spark]);
  });

  it.each(['window=7d', 'window=59s', 'window=168h0.1s', 'limit=201', 'limit=0'])('refuses %s', async (query) => {
    expect(await asked(`/tokens/trending?${query}`)).toBe(400);
  });
});

describe('GET /tokens/graduating', () => {
  const defaults = { min_progress: 0, sort: 'velocity', limit: 50, spark: false };

  it.each([
    ['', {}],
    ['?min_progress=99.5&sort=eta&limit=200', { min_progress: 99.5, sort: 'eta', limit: 200 }],
    ['?min_progress=100.00&spark=1', { min_progress: 100, spark: true }],
  ])('reads %j', async (query, expected) => {
    expect(await asked(`/tokens/graduating${query}`)).toEqual(['graduating', { ...defaults, ...expected }]);
  });

  it.each(['min_progress=-1', 'min_progress=100.01', 'min_progress=1e1', 'min_progress=.5', 'sort=age', 'limit=201'])(
    'refuses %s',
    async (query) => {
      expect(await asked(`/tokens/graduating?${query}`)).toBe(400);
    },
  );
});

describe('GET /tokens/{mint}/swaps', () => {
  const defaults = { order: 'desc', limit: 100, cursor: undefined, failed: false, transfers: false };

  it.each([
    ['', {}],
    ['?order=asc&limit=1&failed=1&transfers=1', { order: 'asc', limit: 1, failed: true, transfers: true }],
    ['?cursor=2026-08-01T10:00:00Z', { cursor: { kind: 'time', time: 1_785_578_400 } }],
    [
      '?cursor=2026-08-01T10:00:00.651230001234000017Z',
      { cursor: { kind: 'position', time: 1_785_578_400, slotModulo: 65_123, blockIndex: 1234, ixIndex: 17 } },
    ],
  ])('reads %j', async (query, expected) => {
    expect(await asked(`/tokens/${KNOWN_MINT}/swaps${query}`)).toEqual([
      'swaps',
      KNOWN_MINT,
      { ...defaults, ...expected },
    ]);
  });
});

describe('GET /tokens/{mint}/candles', () => {
  const defaults = { interval: '1m', from: undefined, to: undefined, limit: 300, quote: undefined, fill: false };

  it.each([
    ['', {}],
    ['?tf=4h&limit=1500&fill=1', { interval: '4h', limit: 1500, fill: true }],
    ['?quote=', { quote: '' }],
    [`?quote=${WSOL}`, { quote: '' }],
    [`?quote=${USDC}`, { quote: USDC }],
    ['?from=1785578400500&to=1785578460500', { from: 1_785_578_401, to: 1_785_578_461 }],
  ])('reads %j', async (query, expected) => {
    expect(await asked(`/tokens/${KNOWN_MINT}/candles${query}`)).toEqual([
      'candles',
      KNOWN_MINT,
      { ...defaults, ...expected },
    ]);
  });
});

describe('GET /tokens/{mint}/ticks', () => {
  it('hands its cursors on', async () => {
    const page = { quote: undefined, before: 'p1-5-1-2', after: undefined, limit: 2000 };
    expect(await asked(`/tokens/${KNOWN_MINT}/ticks?before=p1-5-1-2`)).toEqual(['ticks', KNOWN_MINT, page]);
  });
});

describe('GET /tokens/{mint}/holders', () => {
  it('reads its limit', async () => {
    expect(await asked(`/tokens/${KNOWN_MINT}/holders`)).toEqual(['holders', KNOWN_MINT, 50]);
    expect(await asked(`/tokens/${KNOWN_MINT}/holders?limit=500`)).toEqual(['holders', KNOWN_MINT, 500]);
  });
});
