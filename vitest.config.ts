import { randomInt } from 'node:crypto';
import { configDefaults, defineConfig } from 'vitest/config';
import { manyHistoriesPlugin } from './test/support/many-histories-plugin.ts';
import { runReport } from './test/support/run-report.ts';

/** Below this: a seed of fast-check has 32 bits. */
const MAX_SEED = 2 ** 31;
const seed = process.env.MINTSCOPE_TEST_SEED || String(randomInt(1, MAX_SEED));
if (!(Number.isInteger(Number(seed)) && Number(seed) > 0 && Number(seed) < MAX_SEED)) {
  throw new Error(`MINTSCOPE_TEST_SEED is a whole number from 1 to ${MAX_SEED - 1}, not ${seed}`);
}

const isFull = process.env.MINTSCOPE_TEST_EXTENT === 'full';
/** Factor by which properties run more histories than they name: `npm run properties`. */
const times = Number(process.env.MINTSCOPE_TEST_HISTORIES || 1);
if (!(Number.isInteger(times) && times > 0))
  throw new Error(`MINTSCOPE_TEST_HISTORIES is a whole number, not ${times}`);
const hasMany = times > 1;

export default defineConfig({
  plugins: [runReport(seed), ...(hasMany ? [manyHistoriesPlugin()] : [])],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'tools/**/*.test.ts'],
    // Tests that simulate or kill for minutes run at full extent alone: `npm run test:full`, as in CI.
    exclude: [...configDefaults.exclude, ...(isFull || hasMany ? [] : ['**/*.long.test.ts'])],
    globalSetup: ['test/support/run-folder.ts', 'test/support/postgres-for-tests.ts'],
    setupFiles: ['test/support/seeded-tests.ts'],
    env: { MINTSCOPE_TEST_SEED: seed },
    pool: 'forks',
    // Tests of engines wait for other processes half of the time: two cores bear one worker more.
    maxWorkers: 3,
    // Reading the same modules anew took a third of the time. What a test changes beyond its file it puts back.
    isolate: false,
    // Nothing that passes comes near, on a machine that is ten times slower either: they end what hangs.
    testTimeout: 300_000 * times,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
  },
});
