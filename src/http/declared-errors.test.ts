import type { FastifyInstance, InjectOptions } from 'fastify';
import { Value } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_ORIGIN, TEST_PRINCIPAL } from '../../test/support/api-app.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { type Answer, ask, outcomeOf } from '../../test/support/walk/ask.ts';
import { oneRequestOnly, provoke, surroundingsOf } from '../../test/support/walk/provocations.ts';
import { requestOf } from '../../test/support/walk/requests.ts';
import { Problem } from '../contract/error-body.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { type RouteContract, routeErrors, routeName } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

/** Errors that a route declares and no test can bring it to, with the reason. */
const OUT_OF_REACH: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  'GET /credits/costs': ['internal', 'the table is bytes that were made at the start'],
};

const CREDITS = 1_000_000;

/** An application for each kind of trouble, built when it is asked for first. */
function createApps() {
  const apps = new Map<string, { readonly app: FastifyInstance; readonly left: () => number }>();
  afterAll(() => Promise.all([...apps.values()].map(({ app }) => app.close())));
  return (code: ErrorCode, refuses: boolean) => {
    const name = `${code} ${refuses}`;
    const meter = createMemoryMeter({ credits: CREDITS, enforce: false });
    const known = apps.get(name) ?? {
      app: buildTestApp({ meter, ...surroundingsOf(code, refuses) }),
      left: () => meter.remaining(TEST_PRINCIPAL) ?? Number.NaN,
    };
    apps.set(name, known);
    return known;
  };
}

const appFor = createApps();

/** Cost of a refusal: nothing, but for a credit when a call asked for something that is not there. */
function costOf(route: RouteContract, code: ErrorCode): number {
  const mayCost = ERRORS[code].status === 404 && route.access === 'key' && !route.freeWhenAbsent;
  return mayCost ? 1 : 0;
}

/** The same error for a client that reads RFC 9457. */
async function expectProblem(app: FastifyInstance, request: InjectOptions, plain: Answer): Promise<void> {
  const headers = { ...request.headers, accept: 'application/problem+json' };
  const { statusCode, headers: told, body } = await app.inject({ ...request, headers });
  const { code, message, request_id: _id, ...rest } = plain.json().error;
  expect([statusCode, told['content-type']]).toEqual([plain.statusCode, 'application/problem+json; charset=utf-8']);
  const problem = JSON.parse(body);
  expect([...Value.Errors(Problem, problem)]).toEqual([]);
  expect(problem).toEqual({
    type: `${TEST_ORIGIN}/errors/${code}`,
    title: ERRORS[code as ErrorCode].message,
    status: statusCode,
    code,
    detail: message,
    instance: `/req/${told['x-request-id']}`,
    ...rest,
  });
}

/** Each error that a route declares, brought about through the whole application. `ask` holds that none comes undeclared. */
describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
  const [unreachable] = OUT_OF_REACH[name] ?? [];
  const declared = routeErrors(route).filter((code) => code !== unreachable && code !== 'rate_limited');

  it.each(declared)('answers %s, for a credit at most', async (code) => {
    const { request, refuses } = provoke(route, code);
    const { app, left } = appFor(code, refuses);
    const before = left();
    const answer = await ask(app, route, request);
    expect(outcomeOf(answer)).toBe(code);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toContain('secret');
    expect(before - left()).toBe(costOf(route, code));
    expect(answer.headers['x-credits-cost'] ?? '0').toBe(String(costOf(route, code)));
    await expectProblem(app, request, answer);
  });

  it('answers rate_limited to whoever asks too often, for nothing', async () => {
    const meter = createMemoryMeter({ credits: CREDITS, enforce: false });
    const app = buildTestApp({ meter, ...oneRequestOnly() });
    expect((await ask(app, route, requestOf(route))).statusCode).toBeLessThan(400);
    const left = meter.remaining(TEST_PRINCIPAL);
    const answer = await ask(app, route, requestOf(route));
    expect([outcomeOf(answer), answer.headers['retry-after']]).toEqual(['rate_limited', '1']);
    expect(answer.headers['x-ratelimit-remaining']).toBe(route.access === 'public' ? undefined : '0');
    expect(meter.remaining(TEST_PRINCIPAL)).toBe(left);
    await app.close();
  });
});

it('leaves out no error without a reason', () => {
  const names = ROUTES.map(routeName);
  for (const [name, [code, reason]] of Object.entries(OUT_OF_REACH)) {
    expect(names).toContain(name);
    expect([code, reason.length > 10]).toEqual([code, true]);
  }
});
