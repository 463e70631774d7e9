import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/kernel/clock.ts';
import { silentLogger } from '../src/kernel/log.ts';
import { connectionUrl } from '../src/store/clickhouse/client.ts';
import { startEmbeddedServer } from '../src/store/clickhouse/embedded/embedded-server.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { rounded } from './run/statistics.ts';
import { type ClaimScore, f1, NOTHING, precision, recall, type Score, ScoreBoard } from './truth/claim.ts';
import type { Misjudged, SeedResult } from './truth/judge.ts';
import type { SeedTask } from './truth/seeds-process.ts';

/** Required precision and recall of what /sends flags, by what was meant. */
const BAR = 0.95;
const BARRED: readonly string[] = ['sends: relay_chain (intent)', 'sends: manufactured_holders (intent)'];
/** Claims whose definitions leave no room: every single one has to be true. `--short` fails when one is not. */
const EXACT: readonly string[] = [
  'bundles (rule)',
  'bundle wallets (rule)',
  "the developer's sales (rule)",
  'winners of launch races (rule)',
  'outcomes in launch races (rule)',
  'balances (rule)',
  'mempool buyers (rule)',
];
const SEEDS = 50;
const SECONDS = 120;
const SHORT = { seeds: 2, seconds: 15 };
const PROCESSES = Math.min(2, availableParallelism());

/**
 * Holds the answers' claims about tokens of simulated chains against the truth: precision and recall of each claim,
 * beside those of a naive rule over the same facts. Blocks go through the service's own ingest into the embedded store.
 * `--seeds N --first N --seconds N`, `--cases FILE` for every claim that was not true.
 */
export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seeds: { type: 'string' },
      first: { type: 'string', default: '1' },
      seconds: { type: 'string' },
      cases: { type: 'string' },
    },
  });
  const count = Number(values.seeds ?? (short ? SHORT.seeds : SEEDS));
  const seconds = Number(values.seconds ?? (short ? SHORT.seconds : SECONDS));
  const seeds = Array.from({ length: count }, (_, place) => String(Number(values.first) + place));
  const startedAt = performance.now();
  const results = await judgeSeeds(seeds, seconds);
  if (values.cases !== undefined) await writeCases(values.cases, results);
  const board = new ScoreBoard();
  for (const { scores } of results) for (const score of scores) board.add(score);
  const scores = board.scores();
  console.table(Object.fromEntries(scores.map((score) => [titleOf(score), row(score)])));
  const inexact = scores.filter((score) => EXACT.includes(titleOf(score)) && isFaulty(score.ours)).map(titleOf);
  if (short && inexact.length > 0) throw new Error(`not exact: ${inexact.join(', ')}`);
  return { ...report(scores, results, seconds, (performance.now() - startedAt) / 1_000), inexact };
}

async function judgeSeeds(seeds: readonly string[], seconds: number): Promise<SeedResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-truth-store-'));
  const server = await startEmbeddedServer({ dir: join(folder, 'clickhouse'), log: silentLogger, clock: systemClock });
  const children: ChildProcess[] = [];
  try {
    const serverUrl = connectionUrl(server.connection);
    const waiting = [...seeds];
    const results: SeedResult[] = [];
    const work = async () => {
      const child = fork(fileURLToPath(new URL('truth/seeds-process.ts', import.meta.url)), {
        execArgv: ['--import', 'tsx'],
      });
      children.push(child);
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        results.push(await ask(child, { seed, seconds, serverUrl }));
      }
    };
    await Promise.all(Array.from({ length: Math.min(PROCESSES, seeds.length) }, work));
    return results;
  } finally {
    for (const child of children) child.kill();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function ask(child: ChildProcess, task: SeedTask): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`seed ${task.seed}: the process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (result) => {
      child.off('exit', ended);
      resolve(result as SeedResult);
    });
    child.send(task);
  });
}

function isFaulty({ missed, wrong }: Score): boolean {
  return wrong + missed > 0;
}

function titleOf({ by, name }: ClaimScore): string {
  return `${name} (${by})`;
}

function row({ naive, ours }: ClaimScore) {
  return {
    n: ours.right + ours.missed,
    right: ours.right,
    wrong: ours.wrong,
    missed: ours.missed,
    precision: shown(precision(ours)),
    recall: shown(recall(ours)),
    ...(naive === undefined
      ? {}
      : { 'naive precision': shown(precision(naive)), 'naive recall': shown(recall(naive)) }),
  };
}

function report(scores: readonly ClaimScore[], results: readonly SeedResult[], seconds: number, wallS: number) {
  const barred = scores.filter((score) => BARRED.includes(titleOf(score)));
  const each = barred.flatMap(({ ours }) => [precision(ours), recall(ours)]).filter((part) => part !== undefined);
  const mean = (read: (score: ClaimScore) => Score) => {
    const parts = barred.map((score) => f1(read(score)) ?? 0);
    return parts.reduce((sum, part) => sum + part, 0) / parts.length;
  };
  const ours = mean((score) => score.ours);
  const naive = mean((score) => score.naive ?? NOTHING);
  const sum = (read: (result: SeedResult) => number) => results.reduce((total, result) => total + read(result), 0);
  return {
    bench: 'truth',
    ratio: shown(ours / naive),
    ratio_of: 'f1 of the sends verdicts, over that of a naive rule',
    bar: BAR,
    lowest_of_sends_verdicts: shown(Math.min(...each)),
    seeds: results.length,
    chain_s_per_seed: seconds,
    tokens: sum(({ tokens }) => tokens),
    swaps: sum(({ swaps }) => swaps),
    claims: Object.fromEntries(scores.map((score) => [titleOf(score), figures(score.ours)])),
    wall_s: Math.round(wallS),
    s_per_seed: shown(wallS / results.length),
  };
}

function figures(score: Score) {
  return { n: score.right + score.missed, precision: shown(precision(score)), recall: shown(recall(score)) };
}

function shown(value: number | undefined): number | undefined {
  return value === undefined ? undefined : rounded(value, 3);
}

/** One line of JSON for each. */
async function writeCases(path: string, results: readonly SeedResult[]): Promise<void> {
  const lines = results.flatMap(({ misjudged }) => misjudged.map((each: Misjudged) => JSON.stringify(each)));
  await writeFile(path, `${lines.join('\n')}\n`);
}
