import type { Address } from '../../src/chain/address.ts';
import type { Answers } from '../../src/features/index.ts';
import { createAnswers } from '../../src/features/index.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { percentile, rounded } from '../run/statistics.ts';
import { ask, askAll } from './clients.ts';
import type { GrownService } from './grown-service.ts';
import { about, createRecordingClient, replay, type Waves } from './recorded-queries.ts';

const CLIENTS = 16;

interface Question {
  readonly path: string;
  answer(answers: Answers, mint: Address): Promise<unknown>;
}

/** The routes whose answers are made of books, at their defaults. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  snapshot: { path: '', answer: async (answers, mint) => answers.tokens.snapshot(mint) },
  swaps: {
    path: '/swaps',
    answer: async (answers, mint) =>
      answers.trades.swaps(mint, { order: 'desc', limit: 100, cursor: undefined, failed: false, transfers: false }),
  },
  ticks: {
    path: '/ticks',
    answer: async (answers, mint) =>
      answers.trades.ticks(mint, { quote: undefined, before: undefined, after: undefined, limit: 2000 }),
  },
  candles: {
    path: '/candles',
    answer: async (answers, mint) =>
      answers.trades.candles(mint, {
        interval: '1m',
        from: undefined,
        to: undefined,
        limit: 300,
        quote: undefined,
        fill: false,
      }),
  },
  activity: { path: '/activity', answer: async (answers, mint) => answers.trades.activity(mint) },
  holders: { path: '/holders', answer: async (answers, mint) => answers.holders.holders(mint, 50) },
};

/** Tokens that it takes. */
export function coldTokens({ rounds, tokens, alone }: ColdOptions): number {
  return Object.keys(QUESTIONS).length * (1 + alone + 2 * rounds * tokens);
}

export interface ColdOptions {
  readonly rounds: number;
  /** Of each question, each side and each round. */
  readonly tokens: number;
  /** Of each question, asked by one client. */
  readonly alone: number;
}

/**
 * Tokens that nobody has asked for, once through the service and once by the
 * very queries that it makes, sent straight to the store, taking turns: the
 * slowest of a hundred of each; then by one client alone, with the processor time that the store takes for an answer (and
 * for the ingest beside it). No token is asked for twice.
 */
export async function measureCold(
  { service, client, headSlot, cpu }: GrownService,
  mints: readonly Address[],
  { rounds, tokens, alone }: ColdOptions,
): Promise<Readonly<Record<string, number>>> {
  const unused = mints.values();
  const take = (count: number) => Array.from({ length: count }, () => unused.next().value!);
  const recorded = await recordQueries(client, headSlot, take(Object.keys(QUESTIONS).length));
  const figures: Record<string, number> = {};
  const all = { ours: [] as number[], sql: [] as number[] };
  let givenUp = 0;
  for (const [name, { path }] of Object.entries(QUESTIONS)) {
    const { mint: example, waves } = recorded.get(name)!;
    const ours: number[] = [];
    const sql: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const asked = await askAll(take(tokens), CLIENTS, (mint, client) =>
        ask(service, `/tokens/${mint}${path}`, client),
      );
      const replayed = await askAll(take(tokens), CLIENTS, (mint) => replay(client, about(waves, example, mint)));
      ours.push(...asked.times);
      sql.push(...replayed.times);
      givenUp += asked.givenUp;
    }
    figures[`cold_${name}_p99_ms`] = rounded(percentile(ours, 0.99), 1);
    figures[`cold_${name}_sql_p99_ms`] = rounded(percentile(sql, 0.99), 1);
    figures[`cold_${name}_queries`] = waves.flat().length;
    figures[`cold_${name}_times`] = rounded(percentile(ours, 0.99) / percentile(sql, 0.99));
    const before = cpu();
    const single = await askAll(take(alone), 1, (mint, client) => ask(service, `/tokens/${mint}${path}`, client));
    givenUp += single.givenUp;
    figures[`cold_${name}_alone_ms`] = rounded(percentile(single.times, 0.5), 1);
    figures[`cold_${name}_engine_cpu_ms`] = rounded(((cpu().clickhouse - before.clickhouse) * 1_000) / alone, 1);
    all.ours.push(...ours);
    all.sql.push(...sql);
  }
  if (givenUp === all.ours.length) throw new Error(`all ${givenUp} answers were given up`);
  const times = rounded(percentile(all.ours, 0.99) / percentile(all.sql, 0.99));
  return { ...figures, cold_times: times, cold_given_up: givenUp };
}

/** Queries that each question asks of the store, about a token of its own. */
async function recordQueries(
  store: GrownService['client'],
  headSlot: number,
  examples: readonly Address[],
): Promise<ReadonlyMap<string, { readonly mint: Address; readonly waves: Waves }>> {
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(headSlot, 0);
  const recording = createRecordingClient(store);
  const answers = createAnswers({ client: recording.client, feed, clock: systemClock, log: silentLogger });
  try {
    const recorded = new Map<string, { mint: Address; waves: Waves }>();
    for (const [index, [name, { answer }]] of Object.entries(QUESTIONS).entries()) {
      const mint = examples[index]!;
      recorded.set(name, { mint, waves: await recording.record(() => answer(answers, mint)) });
    }
    return recorded;
  } finally {
    answers.close();
  }
}
