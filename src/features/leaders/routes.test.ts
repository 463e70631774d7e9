import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../../test/support/api-app.ts';
import { createAnswersDouble } from '../../../test/support/token-answers.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api${url}`, headers: { 'x-api-key': TEST_KEY, ...headers } });

/** The API, and what reaches its answers. */
function listen() {
  const asked: unknown[] = [];
  const note = (...question: unknown[]) => {
    asked.push(question);
    return Buffer.from('{"known":true}');
  };
  app = buildTestApp({ answers: createAnswersDouble({ leaders: { schedule: note, distribution: note } }) });
  return asked;
}

describe('the routes of leaders', () => {
  it.each([
    ['/leaders', [40, 160]],
    ['/leaders?past=1&future=4', [1, 4]],
    ['/leaders?past=400&future=1600', [400, 1_600]],
    ['/leaders?past=040', [40, 160]],
    ['/leaders/distribution', ['city']],
    ['/leaders/distribution?by=city', ['city']],
    ['/leaders/distribution?by=country', ['country']],
    ['/leaders/distribution?by=datacenter', ['datacenter']],
    ['/leaders/distribution?by=client', ['client']],
  ])('%s costs a credit', async (path, question) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.headers['x-credits-cost']]).toEqual([200, '1']);
    expect(asked).toEqual([question]);
  });

  it.each([
    '/leaders?past=0',
    '/leaders?past=401',
    '/leaders?past=-1',
    '/leaders?future=3',
    '/leaders?future=1601',
    '/leaders?future=4.5',
    '/leaders?future=all',
    '/leaders/distribution?by=asn',
    '/leaders/distribution?by=City',
  ])('%s is refused', async (path) => {
    const asked = listen();
    const response = await get(path);
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_param']);
    expect(response.json().error.param).toBe(/[?](\w+)/.exec(path)?.[1]);
    expect(asked).toEqual([]);
  });

  it('tell a distribution by its tag, and say when it is known already', async () => {
    listen();
    const { headers } = await get('/leaders/distribution');
    const known = await get('/leaders/distribution', { 'if-none-match': String(headers.etag) });
    expect([known.statusCode, known.body, known.headers['x-credits-cost']]).toEqual([304, '', '1']);
    expect((await get('/leaders')).headers).not.toHaveProperty('etag');
  });
});
