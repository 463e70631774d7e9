import { createRateLimits, type RateLimits } from '../../src/accounts/rate-limits.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { type RouteContract, routeErrors } from '../../src/contract/route.ts';
import { buildTestApp, TEST_PRINCIPAL } from '../support/api-app.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { createMemoryMeter } from '../support/memory-meter.ts';
import { oneRequestOnly, provoke, surroundingsOf } from '../support/walk/provocations.ts';
import { refusedFields, refusedParameters } from '../support/walk/refused-values.ts';
import { requestOf } from '../support/walk/requests.ts';
import { masked } from './masks.ts';
import { answerText, type UsualHeaders } from './talk.ts';

/** Applications in each kind of trouble, over doubles: what goes wrong inside cannot be had from parts that work. */
export interface TroubledApps {
  /** An application in no trouble. */
  readonly calm: ReturnType<typeof buildTestApp>;
  /** Every error that the route declares, and what it says to each parameter and field that it refuses. */
  refusals(route: RouteContract, usual: UsualHeaders): Promise<string>;
  /** The route's answer with the code to a client that reads RFC 9457. */
  problem(route: RouteContract, code: ErrorCode, usual: UsualHeaders): Promise<string>;
  close(): Promise<void>;
}

interface Troubled {
  readonly app: ReturnType<typeof buildTestApp>;
  /** Nobody has asked yet. */
  forget(): void;
}

const CREDITS = 1_000_000;
const { rate } = TEST_PRINCIPAL;
const UNLIMITED = { reads: rate, sign_in: rate, pages: rate, documents: rate, metrics: rate, probes: rate };

export function createTroubledApps(): TroubledApps {
  const apps = new Map<string, Troubled>();

  function appFor(code: ErrorCode | undefined, refuses: boolean): Troubled {
    const name = `${code} ${refuses}`;
    const known = apps.get(name) ?? openTroubled(code, refuses);
    apps.set(name, known);
    return known;
  }

  return {
    calm: appFor(undefined, false).app,
    async refusals(route, usual) {
      const parts: string[] = [];
      const add = async (title: string, { app, forget }: Troubled, request: ReturnType<typeof requestOf>) => {
        forget();
        parts.push(masked(`--- ${title}\n${answerText(await app.inject(request), usual)}`));
      };
      for (const code of routeErrors(route)) {
        if (code === 'rate_limited') continue;
        const { request, refuses } = provoke(route, code);
        await add(code, appFor(code, refuses), request);
      }
      for (const [name, value] of firstOfEach(refusedParameters(route))) {
        const place = name in route.params ? 'params' : 'query';
        await add(`${name}=${value}`, appFor(undefined, false), requestOf(route, { [place]: { [name]: value } }));
      }
      for (const [name, value, code] of firstOfEach(refusedFields(route))) {
        await add(
          `${name} in a body: ${code}`,
          appFor(undefined, false),
          requestOf(route, { fields: { [name]: value } }),
        );
      }
      const limited = appFor('rate_limited', false);
      limited.forget();
      await limited.app.inject(requestOf(route));
      parts.push(masked(`--- rate_limited\n${answerText(await limited.app.inject(requestOf(route)), usual)}`));
      return parts.join('\n\n');
    },
    async problem(route, code, usual) {
      const { request, refuses } = provoke(route, code);
      const { app, forget } = appFor(code, refuses);
      forget();
      if (code === 'rate_limited') await app.inject(request);
      const headers = { ...request.headers, accept: 'application/problem+json' };
      return masked(answerText(await app.inject({ ...request, headers }), usual));
    },
    async close() {
      await Promise.all([...apps.values()].map(({ app }) => app.close()));
    },
  };
}

function openTroubled(code: ErrorCode | undefined, refuses: boolean): Troubled {
  const clock = createHandClock();
  const unlimited = () => createRateLimits({ clock, addressRates: UNLIMITED, accountRate: rate });
  const newLimits = () => (code === 'rate_limited' ? oneRequestOnly().limits! : unlimited());
  const newMeter = () => createMemoryMeter({ credits: CREDITS, enforce: false });
  let [limits, meter] = [newLimits(), newMeter()];
  const app = buildTestApp({
    clock,
    meter: forwarded(() => meter),
    ...(code === 'rate_limited' ? oneRequestOnly() : {}),
    ...(code === undefined ? {} : surroundingsOf(code, refuses)),
    limits: forwarded((): RateLimits => limits),
  });
  return {
    app,
    forget() {
      [limits, meter] = [newLimits(), newMeter()];
    },
  };
}

/** Forwards to the object that is current when it is used. */
function forwarded<T extends object>(current: () => T): T {
  return new Proxy({} as T, { get: (_target, name) => Reflect.get(current(), name) });
}

/** The first value of each name and code. */
function firstOfEach<T extends readonly [string, unknown, ErrorCode]>(refused: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return refused.filter(([name, , code]) => !seen.has(`${name} ${code}`) && seen.add(`${name} ${code}`));
}
