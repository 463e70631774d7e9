import { afterEach, describe, expect, it } from 'vitest';
import { failing } from '../../test/support/answers/failing.ts';
import { metadataDouble } from '../../test/support/answers/metadata.ts';
import { buildTestApp, requiredQuery, TEST_KEY, TEST_PRINCIPAL, type TestParts } from '../../test/support/api-app.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { createAnswersDouble, KNOWN_MINT, UNKNOWN_MINT } from '../../test/support/token-answers.ts';
import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { BASE_PATH } from '../contract/headers.ts';
import { defaultPrice, type RouteContract, routeName } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

const CREDITS = 1_000;
/** Faults of ours and of the store, and being asked too much: nothing of it is the caller's to pay. */
const FAULTS: readonly ErrorCode[] = ['internal', 'storage_unavailable', 'warming_up', 'query_timeout', 'rate_limited'];
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Asks once and tells the status, what the header says it cost, and what the key has paid. */
async function charge(
  url: string,
  overrides: Partial<TestParts> = {},
  headers: Readonly<Record<string, string>> = { 'x-api-key': TEST_KEY },
) {
  const meter = createMemoryMeter({ credits: CREDITS, enforce: false });
  const app = buildTestApp({ meter, ...overrides });
  closing.push(() => app.close());
  const answer = await app.inject({ url, headers });
  const spent = CREDITS - (meter.remaining(TEST_PRINCIPAL) ?? Number.NaN);
  return { status: answer.statusCode, told: answer.headers['x-credits-cost'], spent, tag: answer.headers.etag };
}

function pathOf(route: RouteContract, mint: string, query: Readonly<Record<string, string>> = {}): string {
  const whole = requiredQuery(route);
  for (const [name, value] of Object.entries(query)) whole.set(name, value);
  return `${BASE_PATH}${route.path.replace(/\{\w+\}/g, mint)}?${whole}`;
}

const keyed = ROUTES.filter(({ access }) => access === 'key').map((route) => [routeName(route), route] as const);

describe.each(keyed)('what is charged for %s', (_name, route) => {
  const price = defaultPrice(route);
  const known = pathOf(route, KNOWN_MINT);

  it('is its price when it is answered', async () => {
    const status = route.redirects ? 302 : 200;
    expect(await charge(known)).toMatchObject({ status, told: String(price), spent: price });
  });

  it.each(FAULTS)('is nothing when it fails with %s', async (code) => {
    const fail = () => Promise.reject(new ApiError(code));
    const answers = failing(createAnswersDouble(), fail);
    const outcome = await charge(known, { answers, metadata: failing(metadataDouble(), fail) });
    expect(outcome).toMatchObject({ status: ERRORS[code].status, told: '0', spent: 0 });
  });

  it('is nothing for a request that is refused', async () => {
    expect(await charge(known, {}, {})).toMatchObject({ status: 401, told: undefined, spent: 0 });
    const unknownKey = { 'x-api-key': 'nobody' };
    expect(await charge(known, {}, unknownKey)).toMatchObject({ status: 403, told: '0', spent: 0 });
    if (route.query.limit !== undefined) {
      const none = pathOf(route, KNOWN_MINT, { limit: '0' });
      expect(await charge(none)).toMatchObject({ status: 400, told: '0', spent: 0 });
    }
  });

  if (route.absent !== undefined) {
    it('is a credit at most when nothing is known of what it names', async () => {
      const spent = route.freeWhenAbsent ? 0 : Math.min(1, price);
      const outcome = await charge(pathOf(route, UNKNOWN_MINT));
      expect(outcome).toMatchObject({ status: 404, told: String(spent), spent });
    });
  }

  if (route.etag) {
    it('is a credit at most when nothing has changed', async () => {
      const { tag } = await charge(known);
      const headers = { 'x-api-key': TEST_KEY, 'if-none-match': String(tag) };
      expect(await charge(known, {}, headers)).toMatchObject({ status: 304, spent: Math.min(1, price) });
    });
  }
});

describe('what is charged for a 404', () => {
  it('is nothing for the image and the pack alone', () => {
    const free = ROUTES.filter(({ freeWhenAbsent }) => freeWhenAbsent).map(({ path }) => path);
    expect(free.sort()).toEqual(['/tokens/{mint}/image', '/tokens/{mint}/pack']);
  });
});
