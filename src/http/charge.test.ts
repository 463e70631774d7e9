import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../test/support/api-app.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { createAnswersDouble, KNOWN_MINT } from '../../test/support/token-answers.ts';
import type { CreditMeter, Reservation } from '../accounts/credits/credit-meter.ts';
import { ApiError } from '../contract/errors.ts';

type Taken = Reservation | undefined;
const apps: ReturnType<typeof buildTestApp>[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** A route over a meter that says what `reserve` says, and how often it was run. */
function serve(reserve: (take: () => Taken) => ReturnType<CreditMeter['reserve']>, fails?: Error) {
  const inner = createMemoryMeter({ credits: 100, enforce: true });
  const meter: CreditMeter = {
    ...inner,
    reserve: (...call) => reserve(() => inner.reserve(...call) as Taken),
  };
  const snapshot = vi.fn(() => {
    if (fails !== undefined) throw fails;
    return Buffer.from('{}');
  });
  const app = buildTestApp({ meter, answers: createAnswersDouble({ snapshot }) });
  apps.push(app);
  return {
    snapshot,
    async ask(key = TEST_KEY, query = '') {
      const url = `/api/tokens/${KNOWN_MINT}${query}`;
      const { statusCode, headers, body } = await app.inject({ url, headers: { 'x-api-key': key } });
      const code: unknown = statusCode === 200 ? undefined : JSON.parse(body).error.code;
      return { status: statusCode, code, remaining: headers['x-credits-remaining'] };
    },
  };
}

const WAYS = [
  ['at once', (taken: Taken) => taken],
  ['in a while', (taken: Taken) => new Promise<Taken>((resolve) => setTimeout(() => resolve(taken), 5))],
] as const;

describe.each(WAYS)('credits that come %s', (_when, give) => {
  it('let the call run once, and are told', async () => {
    const { ask, snapshot } = serve((take) => give(take()));
    expect(await ask()).toEqual({ status: 200, code: undefined, remaining: '99' });
    expect(snapshot).toHaveBeenCalledTimes(1);
  });

  it('are too few: 402, and nothing runs', async () => {
    const { ask, snapshot } = serve(() => give(undefined));
    expect(await ask()).toMatchObject({ status: 402, code: 'credits_exhausted' });
    expect(snapshot).not.toHaveBeenCalled();
  });

  it.each([
    ['a refusal', new ApiError('query_timeout'), 504, 'query_timeout'],
    ['a fault', new Error('a fault'), 500, 'internal'],
  ])('come back when the call throws %s', async (_what, error, status, code) => {
    const { ask } = serve((take) => give(take()), error);
    expect(await ask()).toEqual({ status, code, remaining: '100' });
  });

  it('are not asked for when the key is not known', async () => {
    const reserve = vi.fn((take: () => Taken) => give(take()));
    const { ask, snapshot } = serve(reserve);
    expect(await ask('another-key')).toMatchObject({ status: 403 });
    expect(reserve).not.toHaveBeenCalled();
    expect(snapshot).not.toHaveBeenCalled();
  });
});

it('says so when credits cannot be asked for, and runs nothing', async () => {
  const { ask, snapshot } = serve(() => Promise.reject(new Error('disk')));
  expect(await ask()).toMatchObject({ status: 503, code: 'credits_unavailable' });
  expect(snapshot).not.toHaveBeenCalled();
});
