import type { FastifyInstance } from 'fastify';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import { bindRoutes, type RouteAnswers } from '../../src/bound-routes.ts';
import { ANNOUNCED_PRICES, type AnnouncedPrices, createPriceBook } from '../../src/contract/price-book.ts';
import type { RouteContract } from '../../src/contract/route.ts';
import type { KeyPrincipal } from '../../src/handlers/caller.ts';
import { type AppDependencies, buildApp } from '../../src/http/app.ts';
import type { Gate } from '../../src/http/authenticate.ts';
import { createClientAddress } from '../../src/http/client-address.ts';
import { createSocketBounds } from '../../src/http/sockets/socket-bounds.ts';
import { SOCKET_LIMITS } from '../../src/http/sockets/socket-limits.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { ROUTES } from '../../src/routes.ts';
import { accountDouble } from './answers/account.ts';
import { authDouble } from './answers/auth.ts';
import { creditsDouble } from './answers/credits.ts';
import { listsDouble } from './answers/lists.ts';
import { metadataDouble } from './answers/metadata.ts';
import { sessionsDouble } from './answers/sessions.ts';
import { createMemoryMeter } from './memory-meter.ts';
import { createAnswersDouble, KNOWN_MINT } from './token-answers.ts';

export const TEST_KEY = 'a-key-of-the-tests';

/** The principal of the tests' key. */
export const TEST_PRINCIPAL: KeyPrincipal = {
  id: 1,
  name: 'tests',
  accountId: 1,
  wallet: KNOWN_MINT,
  accountState: 'active',
  plan: 'operator',
  state: 'active',
  rate: { rps: 1_000_000, burst: 1_000_000 },
  poolId: 1,
};

/** Origin of the tests' pages. */
export const TEST_ORIGIN = 'https://mintscope.example';

const { rate } = TEST_PRINCIPAL;
const UNLIMITED = { reads: rate, sign_in: rate, pages: rate, documents: rate, metrics: rate, probes: rate };

/** A gate over doubles: nobody asks too often. */
export function testGate(): Gate & Pick<AppDependencies, 'clock'> {
  return {
    keys: { find: (text) => (text === TEST_KEY ? TEST_PRINCIPAL : undefined) },
    sessions: sessionsDouble(),
    limits: createRateLimits({ clock: systemClock, addressRates: UNLIMITED, accountRate: TEST_PRINCIPAL.rate }),
    ownOrigin: createOwnOrigin({ publicUrl: TEST_ORIGIN, host: '127.0.0.1', port: () => undefined }),
    clock: systemClock,
  };
}

/** Doubles of all answers, by their names among the parts of the application. */
export function answerDoubles() {
  return {
    answers: createAnswersDouble(),
    metadata: metadataDouble(),
    auth: authDouble(),
    account: accountDouble(),
    credits: creditsDouble(),
    lists: listsDouble(),
  } as const satisfies Partial<RouteAnswers>;
}

/** Parts of the tests' API: answers in place of the routes that are bound to them. */
export type TestParts = Omit<AppDependencies, 'routes' | 'documented' | 'prices' | 'indexedSlot'> &
  Omit<RouteAnswers, 'prices'> & {
    /** Instead of those that this release announces. */
    readonly announcedPrices?: AnnouncedPrices | undefined;
  };

/** Doubles for all that the API needs: one key is known, credits are counted, data is 400 ms old. */
export function testDependencies(overrides: Partial<TestParts> = {}): AppDependencies {
  const parts: TestParts = {
    ...answerDoubles(),
    ...testGate(),
    clientAddress: createClientAddress(0),
    meter: createMemoryMeter({ credits: 1000, enforce: false }),
    sockets: createSocketBounds({
      limits: { ...SOCKET_LIMITS, maxPerAddress: 0 },
      clientAddress: createClientAddress(0),
      clock: systemClock,
      log: silentLogger,
    }),
    clock: systemClock,
    log: silentLogger,
    health: () => ({ status: 'ok' }),
    probes: { health: () => ({ status: 'ok' }), unready: () => undefined },
    dataLagMs: () => 400,
    ...overrides,
  };
  const { clock, announcedPrices: announced = ANNOUNCED_PRICES, answers } = parts;
  const prices = createPriceBook({ routes: ROUTES, announced, now: () => clock.now() });
  return {
    ...parts,
    routes: bindRoutes({ ...parts, prices }),
    documented: ROUTES,
    prices,
    indexedSlot: () => answers.indexedSlot(),
  };
}

/** The API over doubles. */
export function buildTestApp(overrides: Partial<TestParts> = {}): FastifyInstance {
  return buildApp(testDependencies(overrides));
}

/** Parameters that a route's query cannot be without: one of the words that it knows, or a mint. */
export function requiredQuery({ query }: RouteContract): URLSearchParams {
  const names = Object.keys(query).filter((name) => query[name]!.required);
  return new URLSearchParams(names.map((name): [string, string] => [name, wordOf(query[name]!) ?? KNOWN_MINT]));
}

function wordOf({ schema }: RouteContract['query'][string]): string | undefined {
  return (schema as { readonly enum?: readonly string[] }).enum?.[0];
}
