import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/kernel/clock.ts';
import { provideGrownStore, SHORT_SWAPS } from './recovery/grown-store.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, rounded } from './run/statistics.ts';

/**
 * A service with many swaps stored is killed by SIGKILL while it ingests, and
 * started again at once: how long until token routes answer what they answered
 * before, and until market routes answer at all. The bar is five seconds; the
 * ratio says how many times faster.
 */
const BAR_S = 5;
const DEFAULT_SWAPS = 20_000_000;
/** Kills. */
const ROUNDS = { whole: 3, short: 1 };
const KEY = 'recovery-bench-key';
/** Ingest under way before the kill. */
const INGEST_MS = 3_000;
const PAGE_ROWS = 50;
const MAX_LIST_PAGES = 50;
const POLL_MS = 20;
const MAX_WAIT_MS = 120_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Round {
  readonly readyS: number;
  readonly snapshotS: number;
  readonly swapsS: number;
  readonly marketS: number;
}

interface Service {
  readonly child: ChildProcess;
  readonly api: Promise<string>;
}

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const swaps = short ? SHORT_SWAPS : Number(words[0] ?? DEFAULT_SWAPS);
  const count = short ? ROUNDS.short : ROUNDS.whole;
  const dataDir = await provideGrownStore(swaps);
  let service = start(dataDir);
  const rounds: Round[] = [];
  try {
    const { mint, expected } = await pickToken(await service.api);
    for (let round = 0; round < count; round += 1) {
      await systemClock.sleep(INGEST_MS);
      service.child.kill('SIGKILL');
      const killedAt = performance.now();
      service = start(dataDir);
      rounds.push(await measure(service, mint, expected, killedAt));
      console.log(`killed and started again: ${JSON.stringify(rounds.at(-1))}`);
    }
  } finally {
    await stop(service);
  }
  const swapsS = median(rounds.map((round) => round.swapsS));
  return {
    bench: 'recovery',
    ratio: rounded(BAR_S / swapsS),
    bar: 1,
    stored_swaps: swaps,
    rounds: count,
    ready_s: median(rounds.map((round) => round.readyS)),
    token_snapshot_s: median(rounds.map((round) => round.snapshotS)),
    token_swaps_s: swapsS,
    market_s: median(rounds.map((round) => round.marketS)),
  };
}

async function measure(service: Service, mint: string, expected: string, killedAt: number): Promise<Round> {
  const since = () => Math.round(performance.now() - killedAt) / 1_000;
  const api = await service.api;
  const readyS = since();
  const market = until(api, '/tokens?limit=100&sort=last_trade').then(since);
  await until(api, `/tokens/${mint}`);
  const snapshotS = since();
  if ((await page(api, mint)) !== expected) throw new Error('the swaps of a token are not those of before the kill');
  return { readyS, snapshotS, swapsS: since(), marketS: await market };
}

/** A token's oldest swaps. */
async function page(api: string, mint: string): Promise<string> {
  return (await until(api, `/tokens/${mint}/swaps?limit=${PAGE_ROWS}&order=asc`)).body;
}

function start(dataDir: string): Service {
  // Runs what the command line does once it has looked whether sources are newer than the build.
  const script = `const { main } = await import('./dist/main.js'); await main(['serve']);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      MINTSCOPE_PORT: '0',
      MINTSCOPE_DATA_DIR: dataDir,
      MINTSCOPE_DEV_KEY: KEY,
      MINTSCOPE_LOG_LEVEL: process.env.MINTSCOPE_LOG_LEVEL ?? 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const api = new Promise<string>((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the service ended with ${code ?? signal}`)));
    createInterface({ input: child.stdout! }).once('line', (line) =>
      resolve((JSON.parse(line) as { api: string }).api),
    );
  });
  // A service that is killed before it is ready is no fault of its own.
  api.catch(() => {});
  return { child, api };
}

/** Asks until the answer is 200: a book that is not there yet says `warming_up`, and a read that was too slow `query_timeout`. */
async function until(api: string, path: string): Promise<{ readonly body: string }> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const answer = await fetch(`${api}${path}`, { headers: { 'x-api-key': KEY } });
    const body = await answer.text();
    if (answer.status === 200) return { body };
    if (![503, 504].includes(answer.status) || performance.now() > deadline)
      throw new Error(`${path}: ${answer.status} ${body}`);
    await systemClock.sleep(POLL_MS);
  }
}

/**
 * A listed token whose oldest page is full: what is simulated meanwhile does not
 * change it. Runs before this one left young tokens at the head of the list.
 */
async function pickToken(api: string): Promise<{ readonly mint: string; readonly expected: string }> {
  let cursor = '';
  for (let pages = 0; pages < MAX_LIST_PAGES; pages += 1) {
    const { body } = await until(api, `/tokens?limit=100&sort=last_trade${cursor}`);
    const list = JSON.parse(body) as { data: readonly { mint: string }[]; next_cursor?: string };
    for (const { mint } of list.data) {
      const expected = await page(api, mint);
      const { data } = JSON.parse(expected) as { data: readonly unknown[] };
      if (data.length === PAGE_ROWS) return { mint, expected };
    }
    if (list.next_cursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(list.next_cursor)}`;
  }
  throw new Error(`no listed token has ${PAGE_ROWS} swaps`);
}

async function stop({ child }: Service): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
