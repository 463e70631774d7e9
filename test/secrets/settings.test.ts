import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Part of every secret here, and of nothing else: no line of any command may hold it. */
const SECRET = 'hunter2hunter2';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 60_000;
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:9';

const MAIN = "const { main } = await import('./src/main.ts'); await main(process.argv.slice(1));";

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
  ['a store that cannot be reached', ['serve'], { CLICKHOUSE_URL: `http://mintscope:${SECRET}@${NOWHERE}/mintscope` }],
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
  ['a development key that is none', ['serve'], { MINTSCOPE_DEV_KEY: `${SECRET} ${SECRET}` }],
  ['a development key for strangers', ['serve'], { MINTSCOPE_DEV_KEY: SECRET, MINTSCOPE_HOST: '0.0.0.0' }],
  ['a price at a URL that is none', ['serve'], { MINTSCOPE_SOL_PRICE: `http://${SECRET}:x` }],
  ['a token of the metrics that is none', ['serve'], { MINTSCOPE_METRICS_TOKEN: `${SECRET} ${SECRET}` }],
  [
    'a token of the metrics, where something else is wrong',
    ['serve'],
    { MINTSCOPE_METRICS_TOKEN: `${SECRET}-${SECRET}`, CLICKHOUSE_URL: `http://mintscope@${NOWHERE}/mintscope` },
  ],
  ['a key on the command line', ['admin', 'key', 'revoke', `ms_live_${SECRET}`], {}],
];

describe('a command that fails', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintscope-secrets-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  it.each(RUNS)('tells nothing secret of %s', { timeout: TIMEOUT_MS }, async (_what, words, settings) => {
    const { code, output } = await run(words, {
      MINTSCOPE_DATA_DIR: dataDir,
      MINTSCOPE_LOG_LEVEL: 'debug',
      ...settings,
    });
    expect([code === 0, output]).toEqual([false, expect.stringMatching(/\S/)]);
    expect(output.replaceAll(SECRET, '█')).toBe(output);
  });
});

/** Runs the command line of the sources, and resolves with every byte that it wrote. */
async function run(words: readonly string[], settings: Settings): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', MAIN, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, MINTSCOPE_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS - 5_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, output };
}
