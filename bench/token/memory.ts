import type { Service } from '../api/processes.ts';
import { rounded } from '../run/statistics.ts';
import { ask, askAll } from './clients.ts';

const CLIENTS = 8;
const MEGABYTE = 1_000_000;
/** Of every token. */
const PATHS = ['', '/swaps', '/candles', '/holders', '/activity'];
/** Books are looked at after so many tokens. */
const LOOK_EVERY = 25;

/**
 * Many tokens are asked for, far more than books may hold: what the books count
 * themselves, the highest of it, what the process takes, and how many were dropped.
 */
export async function measureMemory(
  service: Service,
  mints: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const before = await readMetrics(service);
  let highest = 0;
  for (let from = 0; from < mints.length; from += LOOK_EVERY) {
    const asked = mints.slice(from, from + LOOK_EVERY).flatMap((mint) => PATHS.map((path) => `/tokens/${mint}${path}`));
    await askAll(asked, CLIENTS, (path, client) => ask(service, path, client));
    highest = Math.max(highest, figure(await readMetrics(service), BOOK_BYTES));
  }
  const after = await readMetrics(service);
  return {
    memory_tokens_asked: mints.length,
    memory_limit_mb: rounded(figure(after, BOOK_LIMIT) / MEGABYTE, 1),
    memory_books_mb: rounded(figure(after, BOOK_BYTES) / MEGABYTE, 1),
    memory_books_highest_mb: rounded(highest / MEGABYTE, 1),
    memory_books: figure(after, BOOKS),
    memory_dropped: figure(after, DROPPED) - figure(before, DROPPED),
    memory_rss_before_mb: Math.round(figure(before, RSS) / MEGABYTE),
    memory_rss_after_mb: Math.round(figure(after, RSS) / MEGABYTE),
    memory_of_limit: rounded(highest / figure(after, BOOK_LIMIT), 3),
  };
}

const BOOK_BYTES = 'mintscope_books_bytes{of="tokens"}';
const BOOK_LIMIT = 'mintscope_books_limit_bytes{of="tokens"}';
const BOOKS = 'mintscope_books_held{of="tokens"}';
const DROPPED = 'mintscope_books_evicted_total{of="tokens"}';
const RSS = 'process_resident_memory_bytes';

async function readMetrics(service: Service): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL('/metrics', service.address))).text();
  return new Map(
    text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

function figure(metrics: ReadonlyMap<string, number>, name: string): number {
  const value = metrics.get(name);
  if (value === undefined) throw new Error(`no metric ${name}`);
  return value;
}
