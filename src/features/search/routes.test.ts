import { describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';
import { tokenListRowExample } from '../../contract/examples.ts';

async function ask(
  path: string,
): Promise<{ readonly status: number; readonly code: string | undefined; readonly rows: number }> {
  const app = buildTestApp({ answers: createAnswersDouble() });
  const response = await app.inject({ url: `/api${path}`, headers: { 'x-api-key': TEST_KEY } });
  await app.close();
  const body = response.json<{ error?: { code: string }; data?: unknown[] }>();
  return { status: response.statusCode, code: body.error?.code, rows: body.data?.length ?? 0 };
}

describe.each(['/search', '/search/suggest'])('GET %s', (path) => {
  it.each([
    ['', 400, 'invalid_query'],
    ['?q=', 400, 'invalid_query'],
    ['?q=p', 400, 'invalid_query'],
    ['?q=p!', 400, 'invalid_query'],
    [`?q=p${encodeURIComponent('\u200b\u200b')}`, 400, 'invalid_query'],
    ['?q=!!', 400, 'invalid_param'],
    [`?q=${encodeURIComponent('\u200b\u0301')}`, 400, 'invalid_param'],
    [`?q=${'p'.repeat(129)}`, 400, 'invalid_query'],
    [`?q=${'p'.repeat(128)}`, 200, undefined],
    [`?q=${encodeURIComponent('🐸🐸')}`, 200, undefined],
    ['?q=pe', 200, undefined],
  ])('answers %s by %d %s', async (query, status, code) => {
    expect(await ask(path + query)).toMatchObject({ status, code });
  });
});

it('finds exact names alone by their name', async () => {
  const { name } = tokenListRowExample;
  expect(await ask(`/tokens-by-name?name=${name}`)).toMatchObject({ status: 200, rows: 1 });
  expect(await ask(`/tokens-by-name?name=${name?.toLowerCase()}`)).toMatchObject({ status: 200, rows: 0 });
  expect(await ask('/tokens-by-name')).toMatchObject({ status: 400, code: 'invalid_param' });
  expect(await ask(`/tokens-by-name?name=${'n'.repeat(1_233)}`)).toMatchObject({ status: 400, code: 'invalid_param' });
  expect(await ask(`/tokens-by-name?name=${name}&limit=501`)).toMatchObject({ status: 400, code: 'invalid_limit' });
});
