import type { Amount } from '../api/load.ts';
import type { Service } from '../api/processes.ts';
import { getJson, measureRates, ratioOf } from '../api/rates.ts';
import { SLOTS_PER_CHAIN_S } from '../ingest/chain-file.ts';
import type { Figures } from '../run/benchmark.ts';
import { median } from '../run/statistics.ts';
import { known, type MarketQuestion, pathOf } from './known-routes.ts';
import { SWAPS_TOTAL, startOnMainnet } from './mainnet-service.ts';

export const SERVED_BAR = 0.6;

export interface ServedOptions {
  readonly rounds: number;
  readonly amount: Amount;
  readonly connections: number;
  /** Slots of the chain, and those of them that are there before anything is asked: full pages need some. */
  readonly slots: number;
  readonly atOnce: number;
  /** Routes whose answers must have something in them by then. */
  readonly isFull: boolean;
}

/** What is answered from memory; `$text` stands for the beginning of a traded token's symbol. */
const QUESTIONS: readonly MarketQuestion[] = [
  { name: 'newest', route: '/tokens' },
  { name: 'last_trade', route: '/tokens', query: { sort: 'last_trade' } },
  { name: 'trending', route: '/tokens/trending' },
  { name: 'graduating', route: '/tokens/graduating' },
  { name: 'trending_names', route: '/trending-names' },
  { name: 'tweet_tokens', route: '/tweet-tokens' },
  { name: 'events', route: '/events' },
  { name: 'launchpad', route: '/launchpad-24h' },
  { name: 'tips', route: '/tips/by-provider' },
  { name: 'routers', route: '/routers' },
  { name: 'tip_market', route: '/tip-market' },
  { name: 'landing', route: '/landing-conditions' },
  { name: 'search', route: '/search', query: { q: '$text' } },
  { name: 'suggest', route: '/search/suggest', query: { q: '$text' } },
  { name: 'ecosystem', route: '/ecosystem', query: { window: '24h' } },
];
/** The bench's chain has no documents, which posts are linked in, and may have no names that tokens share. */
const MAY_BE_EMPTY = ['tweet_tokens', 'trending_names', 'graduating'];
const LETTERS = 2;
const ANY_TEXT = 'co';

/** Requests per second of answers from memory against a bare route that sends the same, with mainnet coming in beside. */
export async function measureServed(options: ServedOptions): Promise<Figures> {
  const { slots, atOnce, isFull, ...rounds } = options;
  const mainnet = await startOnMainnet({ slots, atOnce });
  const { service, chain } = mainnet;
  try {
    const text = await textToFind(service, isFull);
    const questions = known(QUESTIONS).map((question) => ({
      ...question,
      path: pathOf(question).replace('%24text', encodeURIComponent(text)),
    }));
    const rows: Record<string, number> = {};
    for (const { name, path } of questions) {
      rows[name] = rowsOf(await getJson(service, path));
      if (isFull && rows[name] === 0 && !MAY_BE_EMPTY.includes(name)) throw new Error(`${path} has nothing to tell`);
    }
    chain.goOn();
    const before = { swaps: (await mainnet.metrics()).get(SWAPS_TOTAL) ?? 0, sent: chain.sent };
    const begun = performance.now();
    const paths = Object.fromEntries(questions.map(({ name, path }) => [name, path]));
    const rates = Object.entries(await measureRates(service, paths, rounds));
    const seconds = (performance.now() - begun) / 1_000;
    chain.assertWhole();
    if (isFull && chain.ended) throw new Error(`the chain of ${slots} slots ended before the last round`);
    const swaps = ((await mainnet.metrics()).get(SWAPS_TOTAL) ?? 0) - before.swaps;
    const figures = rates.flatMap(([name, each]) => [
      [`served_${name}_ratio`, ratioOf(each)] as const,
      [`served_${name}_ours_rps`, Math.round(median(each.ours))] as const,
      [`served_${name}_bare_rps`, Math.round(median(each.bare))] as const,
    ]);
    const lowest = Math.min(...rates.map(([, each]) => ratioOf(each)));
    return {
      ...{ served_ratio: lowest, served_bar: SERVED_BAR, ...Object.fromEntries(figures), served_rows: rows },
      served_swaps_a_second: Math.round(swaps / seconds),
      served_blocks_a_second: Math.round((10 * (chain.sent - before.sent)) / seconds) / 10,
      served_bar_blocks_a_second: SLOTS_PER_CHAIN_S,
      served_connections: rounds.connections,
    };
  } finally {
    await mainnet.stop();
    mainnet.remove();
  }
}

/** The beginning of a symbol, so that something is found. */
async function textToFind(service: Service, isFull: boolean): Promise<string> {
  const { data } = await getJson<{ data: readonly { symbol?: string }[] }>(service, '/tokens?limit=500');
  const symbols = data.flatMap(({ symbol }) => (/^[a-z]{2}/i.test(symbol ?? '') ? [symbol!] : []));
  if (symbols[0] === undefined && isFull) throw new Error('no listed token has a symbol to look for');
  return (symbols[0] ?? ANY_TEXT).slice(0, LETTERS);
}

/** Rows of an answer, or fields of one that is no list. */
function rowsOf(answer: unknown): number {
  const { data } = answer as { readonly data?: readonly unknown[] };
  return data?.length ?? Object.keys(answer as object).length;
}
