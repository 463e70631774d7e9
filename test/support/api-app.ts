import type { FastifyInstance } from 'fastify';
import { type AppDependencies, buildApp } from '../../src/api/app.ts';
import { createMemoryMeter } from '../../src/api/credits/credit-meter.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { metadataDouble } from './answers/metadata.ts';
import { createAnswersDouble } from './token-answers.ts';

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
