import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string) => app.inject({ url: `/api${url}`, headers: { 'x-api-key': TEST_KEY } });

/** The API, and what reaches its answers. */
function listen() {
  const asked: unknown[] = [];
  const note = async (...question: readonly unknown[]) => {
    asked.push(question);
    return Buffer.from('{}');
  };
  app = buildTestApp({ answers: createAnswersDouble({ feeMarket: { routers: note, tips: note } }) });
  return asked;
}

describe('GET /routers and /tip-market', () => {
  it.each([
    ['/routers', [{ window: '1h', venue: undefined }]],
    ['/routers?window=5m&venue=0', [{ window: '5m', venue: '0' }]],
    ['/routers?window=168h&venue=2', [{ window: '7d', venue: '2' }]],
    ['/tip-market', ['1h', undefined]],
    ['/tip-market?window=7d', ['7d', undefined]],
    ['/tip-market?window=60m&provider=Falcon%20(Corvus%20Labs)', ['1h', 'Falcon (Corvus Labs)']],
  ])('%s costs 2', async (path, question) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, '2']);
    expect(asked).toEqual([question]);
  });

  it.each([
    ['/routers?window=4h', 'invalid_window'],
    ['/routers?window=1d', 'invalid_window'],
    ['/routers?venue=3', 'invalid_param'],
    ['/routers?venue=curve', 'invalid_param'],
    ['/routers?venue=0,1', 'invalid_param'],
    ['/tip-market?window=30m', 'invalid_window'],
    [`/tip-market?provider=${'x'.repeat(61)}`, 'invalid_param'],
  ])('%s is %s', async (path, code) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(asked).toEqual([]);
  });
});
