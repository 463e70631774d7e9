import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../src/kernel/clock.ts';
import { openAccountsDatabase } from '../src/store/accounts-db/accounts-db.ts';
import { KNOWN_MINT } from '../test/support/token-answers.ts';
import { BOOK_PLANS, fillAccountBook } from './metering/account-book.ts';
import { cpuOfRequest, type MeasuredServer, startServer } from './metering/measure.ts';
import { skewed } from './metering/skewed.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, medianRatio, rounded } from './run/statistics.ts';

/**
 * Processor time of a request with key, rate limit, reservation and settlement,
 * against the same app, route, answer and headers without them. Each side in a
 * process of its own, in rounds that take turns; what is written behind counts,
 * because the whole process is measured.
 *
 * One key, and many: as customers use them, few often and many seldom, and all of them
 * evenly. What those cost more is writing behind: each key in use is a row of usage
 * every 250 ms, whatever it asks. Each ratio is the median over pairs of processes.
 */
const BAR = 1.12;
const MANY_KEYS_BAR = 1.4;
interface Size {
  /**
   * Pairs of processes, one after the other. How the engine compiles a process is
   * settled while it warms up and differs by a fifth from one to the next on either
   * side, so that a single pair would measure that.
   */
  readonly pairs: number;
  readonly rounds: number;
  /** With many keys. */
  readonly manyRounds: number;
  /** A round takes about as many seconds as a bucket needs to be filled again with them. */
  readonly requests: number;
  readonly accounts: number;
}
const WHOLE: Size = { pairs: 5, rounds: 3, manyRounds: 2, requests: 40_000, accounts: 2_000 };
const SHORT: Size = { pairs: 1, rounds: 1, manyRounds: 1, requests: 2_000, accounts: 50 };
const CONNECTIONS = 32;
const KEYS_OF_EACH = 5;
const CREDITS = 1_000_000_000;

interface Sides {
  /** Microseconds a request, by round. */
  readonly metered: number[];
  readonly bare: number[];
}

/** Measures of a pair of processes for one key, and of another pair for many. */
interface Pair {
  readonly one: Sides;
  readonly skew: Sides;
  readonly even: Sides;
}

interface Servers {
  readonly metered: MeasuredServer;
  readonly bare: MeasuredServer;
}

export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const size = short ? SHORT : WHOLE;
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-bench-metering-'));
  try {
    const url = pathToFileURL(join(dir, 'accounts.db')).href;
    const keys = await fillKeys(url, size.accounts);
    const plansFile = join(dir, 'plans.json');
    await writeFile(plansFile, BOOK_PLANS);
    const measured: Pair[] = [];
    for (let pair = 0; pair < size.pairs; pair += 1) {
      const one = await withServers([url, plansFile], (servers) =>
        measure(servers, keys.slice(0, 1), size, size.rounds),
      );
      const many = await withServers([url, plansFile], async (servers) => ({
        skew: await measure(servers, skewed(keys, size.requests), size, size.manyRounds),
        even: await measure(servers, keys, size, size.manyRounds),
      }));
      measured.push({ one, ...many });
    }
    await assertCounted(url, size);
    const { pairs, rounds, manyRounds: many_rounds, requests } = size;
    return { ...report(measured), keys: keys.length, pairs, rounds, many_rounds, requests, connections: CONNECTIONS };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function withServers<T>(
  accounts: readonly [url: string, plansFile: string],
  use: (servers: Servers) => Promise<T>,
): Promise<T> {
  const [metered, bare] = await Promise.all([startServer(accounts), startServer(undefined)]);
  try {
    return await use({ metered, bare });
  } finally {
    await Promise.all([metered.stop(), bare.stop()]);
  }
}

async function fillKeys(url: string, number: number): Promise<readonly string[]> {
  const accounts = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
  const book = { accounts: number, keysOfEach: KEYS_OF_EACH, credits: CREDITS };
  const keys = await fillAccountBook(accounts, book);
  await accounts.close();
  return keys;
}

/** Every request that was asked of a metered process is in the usage that it wrote, once. */
async function assertCounted(url: string, { pairs, rounds, manyRounds, requests }: Size): Promise<void> {
  const asked = requests * pairs * (1 + rounds + 2 * (1 + manyRounds));
  const accounts = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
  const usage = await accounts.db.selectFrom('usage').select('calls').execute();
  await accounts.close();
  const counted = usage.reduce((sum, { calls }) => sum + calls, 0);
  if (counted !== asked) throw new Error(`${asked} requests were asked, ${counted} counted`);
}

async function measure(servers: Servers, keys: readonly string[], { requests }: Size, rounds: number): Promise<Sides> {
  const sides: Sides = { metered: [], bare: [] };
  const path = `/api/tokens/${KNOWN_MINT}`;
  const load = { path, keys, amount: { requests }, connections: CONNECTIONS };
  // The first round warms both up, and is not counted: every key is looked up once.
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['metered', 'bare'] as const) : (['bare', 'metered'] as const);
    for (const side of order) {
      const micros = await cpuOfRequest(servers[side], load);
      if (round > 0) sides[side].push(micros);
    }
  }
  return sides;
}

function report(pairs: readonly Pair[]): Figures {
  const one = figuresOf(pairs.map((pair) => pair.one));
  const skew = figuresOf(pairs.map((pair) => pair.skew));
  const even = figuresOf(pairs.map((pair) => pair.even));
  return {
    bench: 'metering',
    ratio: one.ratio,
    bar: BAR,
    one_key_micros: one.micros,
    one_key_bare_micros: one.bareMicros,
    one_key_ratios: one.ratios,
    many_keys_bar: MANY_KEYS_BAR,
    skewed_keys_ratio: skew.ratio,
    skewed_keys_micros: skew.micros,
    skewed_keys_ratios: skew.ratios,
    even_keys_ratio: even.ratio,
    even_keys_micros: even.micros,
    even_keys_ratios: even.ratios,
  };
}

function figuresOf(pairs: readonly Sides[]) {
  const ratios = pairs.map(({ metered, bare }) => rounded(medianRatio(metered, bare), 3));
  return {
    ratio: median(ratios),
    ratios,
    micros: pairs.map(({ metered }) => rounded(median(metered))),
    bareMicros: pairs.map(({ bare }) => rounded(median(bare))),
  };
}
