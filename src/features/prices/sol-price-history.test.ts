import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { openSolPrice } from '../../commands/sol-price.ts';
import { createFeed } from '../../feed/in-process.ts';
import { silentLogger } from '../../kernel/log.ts';
import { simulatedSolUsd } from '../../simulator/sol-price.ts';
import { createStoreClient, runStatement, type StoreClient } from '../../store/clickhouse/client.ts';
import { createPriceAnswers, NO_SOL_PRICE } from './answers.ts';
import { getSolPriceHistory, type SolPriceHistory } from './contract-sol.ts';
import type { SolHistoryFilter } from './sol-history-rules.ts';

/** A full day. */
const START = 1_789_948_800;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

/** A service over the store as it is now. */
function service(client: StoreClient, nowS: number) {
  const clock = createHandClock(nowS * 1_000);
  const feed = createFeed({ maxHeldBatches: 1 });
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const prices = createPriceAnswers({ client, feed, clock, shelf, solPrice: NO_SOL_PRICE });
  return {
    prices,
    async history(filter: Partial<SolHistoryFilter>): Promise<SolPriceHistory> {
      const body = await prices.solPriceHistory({ step: '1m', from: undefined, to: undefined, ...filter });
      const answer = JSON.parse(body.toString()) as SolPriceHistory;
      expect(answerFaults(getSolPriceHistory, answer)).toEqual([]);
      return answer;
    },
  };
}

/** A process that is told the simulated price for some minutes, and is stopped in order or killed. */
async function run(client: StoreClient, { seed, since, minutes, isKilled = false }: Run): Promise<void> {
  const clock = createHandClock(since * 1_000);
  const config = { solPrice: 'on', source: 'simulator', simulatorSeed: seed };
  const price = openSolPrice(config as Parameters<typeof openSolPrice>[0], { client, clock, log: silentLogger })!;
  // Up to the last quote of the last minute.
  for (let at = 0; at < minutes * 12 - 1; at += 1) {
    await clock.advance(5_000);
    if (at % 12 === 11) await new Promise((resolve) => setTimeout(resolve, 30));
  }
  if (!isKilled) await price.stop();
  else clock.freeze(DAY_S * 1_000);
}

interface Run {
  readonly seed: number;
  readonly since: number;
  readonly minutes: number;
  readonly isKilled?: boolean;
}

const usdAt = (seed: number, second: number) => simulatedSolUsd(String(seed), second * 1_000);
const lastOf = (seed: number, minute: number) => usdAt(seed, minute + 55);

describe('the price of SOL over time', () => {
  it('is told by minute, survives a restart, a second host and a kill, and leaves holes out', async () => {
    const { client } = test.store;
    const seed = 5;
    await run(client, { seed, since: START, minutes: 3 });
    // Nobody ran for two minutes; then two hosts did, of whose quotes the newer counts.
    const second = createStoreClient(test.store.connection);
    const again = START + 5 * MINUTE_S;
    await run(second, { seed: 6, since: again, minutes: 2 });
    await run(client, { seed, since: again + 1, minutes: 2 });
    await second.close();
    await run(client, { seed, since: START + 20 * MINUTE_S, minutes: 2, isKilled: true });
    const before = await service(client, START + HOUR_S).history({ from: START, to: START + HOUR_S });
    const minuteOf = (at: number) => START + at * MINUTE_S;
    const told = new Map(before.t.map((start, at) => [start, before.usd[at]]));
    for (const at of [0, 1, 2]) expect([at, told.get(minuteOf(at))]).toEqual([at, lastOf(seed, minuteOf(at))]);
    for (const at of [3, 4, 10, 19, 30]) expect([at, told.has(minuteOf(at))]).toEqual([at, false]);
    for (const at of [5, 6]) expect([at, told.get(minuteOf(at))]).toEqual([at, usdAt(seed, minuteOf(at) + 56)]);
    // What a kill cannot take: each minute stands with its first quote at least.
    expect(told.get(minuteOf(20))).toBe(lastOf(seed, minuteOf(20)));
    expect(told.get(minuteOf(21))).toBe(usdAt(seed, minuteOf(21)));
    await runStatement(client, 'OPTIMIZE TABLE sol_prices FINAL');
    const after = await service(client, START + HOUR_S).history({ from: START, to: START + HOUR_S });
    expect(after).toEqual(before);
  });

  it('is the last quote of each hour and day, in steps that begin in the span', async () => {
    const { client } = test.store;
    const { history } = service(client, START + 2 * HOUR_S);
    const last = await history({ from: START, to: START + HOUR_S });
    const newest = last.usd.at(-1);
    expect(await history({ step: '1h' })).toEqual({ step: '1h', t: [START], usd: [newest] });
    expect(await history({ step: '1d', from: START + 5, to: START + 6 })).toEqual({
      step: '1d',
      t: [START],
      usd: [newest],
    });
    expect(await history({ step: '1d', to: START })).toEqual({ step: '1d', t: [], usd: [] });
    expect(await history({ from: START + 61, to: START + 120 })).toMatchObject({ t: [START + 60] });
    expect((await history({ to: START + 180 })).t).toEqual([START, START + 60, START + 120]);
    expect(await history({ from: START + 120, to: START })).toEqual({ step: '1m', t: [], usd: [] });
    expect(await history({ from: -5, to: 1 })).toMatchObject({ t: [] });
  });

  it('has at most 1,500 points, costs one credit, and refuses what it cannot read', async () => {
    const { prices } = service(test.store.client, START + 2 * HOUR_S);
    const app = buildTestApp({ answers: createAnswersDouble({ prices }) });
    const ask = (query: string) =>
      app.inject({ url: `/api/sol-price/history?${query}`, headers: { 'x-api-key': TEST_KEY } });
    const whole = await ask(`step=1m&from=${START}&to=${START + 1_500 * MINUTE_S}`);
    expect([whole.statusCode, whole.headers['x-credits-cost']]).toEqual([200, '1']);
    const beyond = await ask(`step=1m&from=${START}&to=${START + 1_500 * MINUTE_S + 1}`);
    expect([beyond.statusCode, beyond.json().error]).toMatchObject([
      400,
      { code: 'invalid_param', param: 'from', details: { max: 1_500 } },
    ]);
    for (const [query, code] of [
      ['step=5m', 'invalid_param'],
      ['from=yesterday', 'invalid_time'],
      ['to=12', 'invalid_time'],
      [`step=1m&from=${START}&to=4294967295`, 'invalid_param'],
    ] as const) {
      const refused = await ask(query);
      expect([query, refused.statusCode, refused.json().error?.code]).toEqual([query, 400, code]);
    }
    expect((await app.inject('/api/sol-price/history')).statusCode).toBe(401);
    await app.close();
  });
});
