import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../src/kernel/clock.ts';
import { openAccountsDatabase } from '../src/store/accounts-db/accounts-db.ts';
import { KNOWN_MINT } from '../test/support/token-answers.ts';
import { BOOK_PLANS, fillAccountBook } from './metering/account-book.ts';
import { cpuOfRequest, type MeasuredServer, startServer } from './metering/measure.ts';

/**
 * Processor time of a request with key, rate limit, reservation and settlement,
 * against the same app, route, answer and headers without them. Each side in a
 * process of its own, in rounds that take turns; what is written behind counts,
 * because the whole process is measured. Once with one key, once with many.
 */
const BAR = 1.12;
const ROUNDS = 9;
/** A round takes about as many seconds as a bucket needs to be filled again with them. */
const REQUESTS = 40_000;
const CONNECTIONS = 32;
const ACCOUNTS = 2_000;
const KEYS_OF_EACH = 5;
const CREDITS = 1_000_000_000;

interface Sides {
  /** Microseconds a request, by round. */
  readonly metered: number[];
  readonly bare: number[];
}

export async function run(): Promise<Readonly<Record<string, unknown>>> {
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-bench-metering-'));
  const servers: MeasuredServer[] = [];
  try {
    const url = pathToFileURL(join(dir, 'accounts.db')).href;
    const keys = await fillKeys(url);
    const plansFile = join(dir, 'plans.json');
    await writeFile(plansFile, BOOK_PLANS);
    const metered = await startServer([url, plansFile]);
    const bare = await startServer(undefined);
    servers.push(metered, bare);
    const one = await measure({ metered, bare }, keys.slice(0, 1));
    const many = await measure({ metered, bare }, keys);
    return report(one, many, keys.length);
  } finally {
    for (const server of servers) await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function fillKeys(url: string): Promise<readonly string[]> {
  const accounts = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
  const book = { accounts: ACCOUNTS, keysOfEach: KEYS_OF_EACH, credits: CREDITS };
  const keys = await fillAccountBook(accounts, book);
  await accounts.close();
  return keys;
}

async function measure(
  servers: { readonly metered: MeasuredServer; readonly bare: MeasuredServer },
  keys: readonly string[],
): Promise<Sides> {
  const sides: Sides = { metered: [], bare: [] };
  const load = { path: `/api/tokens/${KNOWN_MINT}`, keys, requests: REQUESTS, connections: CONNECTIONS };
  // The first round warms both up: every key is looked up once.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['metered', 'bare'] as const) : (['bare', 'metered'] as const);
    for (const side of order) {
      const micros = await cpuOfRequest(servers[side], load);
      if (round > 0) sides[side].push(micros);
    }
  }
  return sides;
}

function report(one: Sides, many: Sides, keys: number): Readonly<Record<string, unknown>> {
  const ratios = { one: medianRatio(one), many: medianRatio(many) };
  return {
    bench: 'metering',
    ratio: Math.max(ratios.one, ratios.many),
    bar: BAR,
    one_key_ratio: ratios.one,
    many_keys_ratio: ratios.many,
    one_key_micros: rounded(median(one.metered)),
    one_key_bare_micros: rounded(median(one.bare)),
    many_keys_micros: rounded(median(many.metered)),
    many_keys_bare_micros: rounded(median(many.bare)),
    keys,
    rounds: ROUNDS,
    requests: REQUESTS,
    connections: CONNECTIONS,
  };
}

function medianRatio({ metered, bare }: Sides): number {
  return rounded(median(metered.map((micros, round) => micros / (bare[round] ?? Number.NaN))), 1_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function rounded(value: number, parts = 100): number {
  return Math.round(value * parts) / parts;
}
