import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string) => app.inject({ url: `/api${url}`, headers: { 'x-api-key': TEST_KEY } });

/** The API, and what reaches its answers. */
function listen() {
  const asked: unknown[] = [];
  const note = async (question: unknown) => {
    asked.push(question);
    return Buffer.from('{}');
  };
  app = buildTestApp({ answers: createAnswersDouble({ ecosystem: { report: note, history: note } }) });
  return asked;
}

const HISTORY = { metric: 'volume', step: '1h', from: undefined, to: undefined };

describe('GET /ecosystem', () => {
  it.each([
    ['/ecosystem', '1', '1h'],
    ['/ecosystem?window=24h', '1', '24h'],
    ['/ecosystem?window=7d', '1', '7d'],
    ['/ecosystem?window=168h', '1', '7d'],
    ['/ecosystem?window=60m', '1', '1h'],
    ['/ecosystem/history?metric=volume', '3', HISTORY],
    ['/ecosystem/history?metric=new_tokens&step=1d', '3', { ...HISTORY, metric: 'new_tokens', step: '1d' }],
    [
      '/ecosystem/history?metric=fees_1h&from=2026-08-01T10:00:00.9Z&to=1785578400001',
      '3',
      { ...HISTORY, metric: 'fees_1h', from: 1_785_578_400, to: 1_785_578_401 },
    ],
  ])('%s costs %s', async (path, cost, question) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, cost]);
    expect(asked).toEqual([question]);
  });

  it.each([
    ['/ecosystem?window=6h', 'invalid_window'],
    ['/ecosystem?window=5m', 'invalid_window'],
    ['/ecosystem?window=1d', 'invalid_window'],
    ['/ecosystem/history', 'invalid_param'],
    ['/ecosystem/history?metric=tippers', 'invalid_param'],
    ['/ecosystem/history?metric=volume&step=5m', 'invalid_param'],
    ['/ecosystem/history?metric=volume&from=yesterday', 'invalid_time'],
  ])('%s is %s', async (path, code) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(asked).toEqual([]);
  });
});
