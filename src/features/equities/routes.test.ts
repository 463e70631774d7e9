import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';
import type { Address } from '../../chain/address.ts';
import { equityExample } from './contract.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api${url}`, headers: { 'x-api-key': TEST_KEY, ...headers } });

/** The API, and what reaches its answers. */
function listen() {
  const asked: (Address | undefined)[] = [];
  const note = (mint?: Address) => {
    asked.push(mint);
    return Buffer.from('{"known":true}');
  };
  app = buildTestApp({ answers: createAnswersDouble({ equities: { list: () => note(), equity: note } }) });
  return asked;
}

describe('the routes of tokenized shares', () => {
  it.each([
    ['/equities', undefined],
    [`/equities/${equityExample.mint}`, equityExample.mint],
  ])('%s costs a credit', async (path, mint) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, '1']);
    expect(asked).toEqual([mint]);
  });

  it('tell the list by its tag, and say when it is known already', async () => {
    listen();
    const { headers } = await get('/equities');
    const known = await get('/equities', { 'if-none-match': String(headers.etag) });
    expect([known.statusCode, known.body, known.headers['x-credits-cost']]).toEqual([304, '', '1']);
    expect((await get(`/equities/${equityExample.mint}`)).headers).not.toHaveProperty('etag');
  });

  it.each(['/equities/AAPL', `/equities/${equityExample.mint}x`])('%s is refused', async (path) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_mint']);
    expect(asked).toEqual([]);
  });

  it('know nothing of what is no tokenized share', async () => {
    app = buildTestApp({ answers: createAnswersDouble({}) });
    const response = await get('/equities/So11111111111111111111111111111111111111112');
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'equity_not_found']);
  });
});
