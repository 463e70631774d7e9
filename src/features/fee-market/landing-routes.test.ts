import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

/** The API, and what reaches its answers. */
function listen() {
  const asked: unknown[] = [];
  const conditions = (...question: unknown[]) => {
    asked.push(question);
    return Buffer.from('{"known":true}');
  };
  app = buildTestApp({ answers: createAnswersDouble({ landing: { conditions } }) });
  return asked;
}

const get = (query: string) =>
  app.inject({ url: `/api/landing-conditions${query}`, headers: { 'x-api-key': TEST_KEY } });

describe('the route of landing conditions', () => {
  it.each([
    ['', ['1h', 0]],
    ['?window=&venue=', ['1h', 0]],
    ['?window=5m', ['5m', 0]],
    ['?window=24h&venue=1', ['24h', 1]],
    ['?window=60m&venue=2', ['1h', 2]],
    ['?window=300s&venue=0', ['5m', 0]],
  ])('with %s costs five credits', async (query, question) => {
    const asked = listen();
    const response = await get(query);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, '5']);
    expect(asked).toEqual([question]);
  });

  it.each([
    ['?window=7d', 'invalid_window', 'window'],
    ['?window=2h', 'invalid_window', 'window'],
    ['?venue=3', 'invalid_param', 'venue'],
    ['?venue=00', 'invalid_param', 'venue'],
    ['?venue=-1', 'invalid_param', 'venue'],
    ['?venue=1.0', 'invalid_param', 'venue'],
    ['?venue=curve', 'invalid_param', 'venue'],
  ])('with %s is refused', async (query, code, param) => {
    const asked = listen();
    const response = await get(query);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(response.json().error.param).toBe(param);
    expect(asked).toEqual([]);
  });
});
