import type { FastifyInstance } from 'fastify';
import { type AppDependencies, buildApp } from '../../src/api/app.ts';
import type { RouteContract } from '../../src/api/contract/route.ts';
import { createMemoryMeter } from '../../src/api/credits/credit-meter.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { metadataDouble } from './answers/metadata.ts';
import { createAnswersDouble, KNOWN_MINT } from './token-answers.ts';

export const TEST_KEY = 'a-key-of-the-tests';

/** The API over doubles: one key is known, credits are counted, data is 400 ms old. */
export function buildTestApp(overrides: Partial<AppDependencies> = {}): FastifyInstance {
  return buildApp({
    answers: createAnswersDouble(),
    metadata: metadataDouble(),
    keys: { find: (text) => (text === TEST_KEY ? { id: 1, name: 'tests' } : undefined) },
    meter: createMemoryMeter({ credits: 1000, enforce: false }),
    clock: systemClock,
    log: silentLogger,
    health: () => ({ status: 'ok' }),
    dataLagMs: () => 400,
    ...overrides,
  });
}

/** What a route's query cannot be without. */
export function requiredQuery({ query }: RouteContract): URLSearchParams {
  const names = Object.keys(query).filter((name) => query[name]!.required);
  return new URLSearchParams(names.map((name): [string, string] => [name, KNOWN_MINT]));
}
