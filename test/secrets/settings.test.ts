import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { extent } from '../support/extent.ts';
import { TEST_SEED } from '../support/random.ts';

/** Part of every secret here, and of nothing else: no line of any command may hold it. */
const SECRET = 'hunter2hunter2';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 60_000;
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:9';

/** In base64url, with the secret in it. */
const OTHER_KEY = `${SECRET}-AbCdEfGhIjKlMnOpQrStUvWxYzE`.padEnd(43, 'A');

type Settings = Readonly<Record<string, string>>;

/** Commands that meet what they cannot reach, or cannot understand, with a secret in each setting that has one. */
const RUNS: readonly (readonly [string, readonly string[], Settings])[] = [
  [
    'accounts that cannot be reached',
    ['admin', 'key', 'list'],
    { DATABASE_URL: `postgres://mintscope:${SECRET}@${NOWHERE}/accounts` },
  ],
  [
    'accounts at a name that nobody knows',
    ['admin', 'key', 'list'],
    { DATABASE_URL: `postgres://mintscope:${SECRET}@nowhere.invalid/accounts` },
  ],
  ['accounts at a URL that is none', ['serve'], { DATABASE_URL: `postgre://mintscope:${SECRET}@${NOWHERE}/accounts` }],
  [
    'a store that cannot be reached, verified',
    ['verify'],
    { CLICKHOUSE_URL: `http://mintscope:${SECRET}@${NOWHERE}/mintscope` },
  ],
  ['a store at a URL that is none', ['serve'], { CLICKHOUSE_URL: `http//mintscope:${SECRET}@${NOWHERE}` }],
  ['a node at a URL that is none', ['serve'], { SOLANA_RPC_URL: `ftp://${NOWHERE}/?api-key=${SECRET}` }],
  [
    'a stream at a URL that is none',
    ['serve'],
    { MINTSCOPE_SOURCE: 'yellowstone', YELLOWSTONE_URL: `${SECRET}://x`, YELLOWSTONE_TOKEN: SECRET },
  ],
  ['a key of secrets that is none', ['serve'], { MINTSCOPE_SECRETS_KEY: `${SECRET}${SECRET}${SECRET}` }],
  [
    'a key of secrets that has as many characters as one',
    ['admin', 'key', 'list'],
    { MINTSCOPE_SECRETS_KEY: `${SECRET}+${SECRET.repeat(2)}`.padEnd(43, 'x') },
  ],
  ['a key of secrets that is another', ['serve'], { MINTSCOPE_SECRETS_KEY: OTHER_KEY }],
  ['a development key that is none', ['serve'], { MINTSCOPE_DEV_KEY: `${SECRET} ${SECRET}` }],
  ['a development key for strangers', ['serve'], { MINTSCOPE_DEV_KEY: SECRET, MINTSCOPE_HOST: '0.0.0.0' }],
  ['a price at a URL that is none', ['serve'], { MINTSCOPE_SOL_PRICE: `http://${SECRET}:x` }],
  ['closes at a URL that is none', ['serve'], { MINTSCOPE_EQUITY_CLOSES: `http://{ticker}:x/${SECRET}` }],
  ['a token of the metrics that is none', ['serve'], { MINTSCOPE_METRICS_TOKEN: `${SECRET} ${SECRET}` }],
  [
    'a token of the metrics, where something else is wrong',
    ['serve'],
    { MINTSCOPE_METRICS_TOKEN: `${SECRET}-${SECRET}`, CLICKHOUSE_URL: 'http://mintscope@127.0.0.1/no-name' },
  ],
  ['a key on the command line', ['admin', 'key', 'revoke', `ms_live_${SECRET}`], {}],
];

/** In the short form every third of them, which third by the run's seed: each is a process. */
const PLAYED = RUNS.filter((_, place) => extent(place % 3 === TEST_SEED % 3, true));

describe('a command that fails', () => {
  let dataDir: string;
  beforeAll(async () => {
    spawnSync(process.execPath, ['bin/build.mjs'], { cwd: ROOT });
    dataDir = mkdtempSync(join(tmpdir(), 'mintscope-secrets-'));
    // Secrets that are sealed with another key than any that is tried.
    const key = { setting: undefined, file: join(dataDir, 'secrets.key'), mayMake: true };
    const accounts = await openAccountsDatabase({ url: undefined, path: join(dataDir, 'accounts.db'), key, clock });
    await accounts.secrets();
    await accounts.close();
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  it.each(PLAYED)('tells nothing secret of %s', { timeout: TIMEOUT_MS }, async (_what, words, settings) => {
    const { code, output } = await run(words, {
      MINTSCOPE_DATA_DIR: dataDir,
      MINTSCOPE_LOG_LEVEL: 'debug',
      ...settings,
    });
    // It ends by itself: nothing of what was begun goes on behind the message.
    expect([code, output]).toEqual([expect.any(Number), expect.stringMatching(/\S/)]);
    expect(code).not.toBe(0);
    expect(output.replaceAll(SECRET, '█')).toBe(output);
  });

  it('tells nothing secret while it waits for a store that is not up', { timeout: TIMEOUT_MS }, async () => {
    const settings = {
      MINTSCOPE_DATA_DIR: dataDir,
      CLICKHOUSE_URL: `http://mintscope:${SECRET}@${NOWHERE}/mintscope`,
    };
    const { code, output } = await run(['serve'], settings, 'the store does not open yet');
    expect([code, output]).toEqual([0, expect.stringContaining(NOWHERE)]);
    expect(output.replaceAll(SECRET, '█')).toBe(output);
  });
});

/** Runs the command line as it is built, and resolves with every byte that it wrote. One that does not end by itself is told to where it says `until`. */
async function run(
  words: readonly string[],
  settings: Settings,
  until?: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['bin/mintscope.mjs', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, MINTSCOPE_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (until !== undefined && output.includes(until)) child.kill('SIGTERM');
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS - 5_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, output };
}
