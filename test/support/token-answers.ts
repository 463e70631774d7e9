import {
  failedSwapExample,
  swapExample,
  tokenExample,
  tokenListRowExample,
  tokenSendExample,
} from '../../src/contract/examples.ts';
import { Absence } from '../../src/contract/stamp.ts';
import { encodeSwapCursor } from '../../src/contract/swap-cursor.ts';
import type { HolderAnswers } from '../../src/features/holders/answers.ts';
import type { Answers } from '../../src/features/index.ts';
import { statsExample } from '../../src/features/system/contract.ts';
import type { TokenAnswers } from '../../src/features/tokens/answers.ts';
import { graduatingExample, trendingExample } from '../../src/features/tokens/contract-market.ts';
import type { TradeAnswers } from '../../src/features/trades/answers.ts';
import { activityExample, candleExample, ticksExample } from '../../src/features/trades/contract.ts';
import { discoveryDouble } from './answers/discovery.ts';
import { ecosystemDouble } from './answers/ecosystem.ts';
import { equitiesDouble } from './answers/equities.ts';
import { feeMarketDouble } from './answers/fee-market.ts';
import { holdersDouble } from './answers/holders.ts';
import { intelligenceDouble } from './answers/intelligence.ts';
import { landingDouble } from './answers/landing.ts';
import { launchDouble } from './answers/launch.ts';
import { leadersDouble } from './answers/leaders.ts';
import { movementsDouble } from './answers/movements.ts';
import { packDouble } from './answers/pack.ts';
import { pricesDouble } from './answers/prices.ts';
import { searchDouble } from './answers/search.ts';

/** The one mint that the double knows. */
export const KNOWN_MINT = tokenExample.mint;
export const UNKNOWN_MINT = 'So11111111111111111111111111111111111111112';
export const INDEXED_SLOT = 351_265_123;

/** Answers that tests give by themselves: questions about one token by their own names, other features whole. */
export type AnswerChanges = Partial<Omit<Answers, 'tokens' | 'trades' | 'holders'>> &
  Partial<TokenAnswers & TradeAnswers & HolderAnswers>;

/** A call that reached the answers: method and arguments. */
export type AnswerCall = readonly [
  keyof TokenAnswers | keyof TradeAnswers | keyof HolderAnswers | 'stats',
  ...unknown[],
];

export interface AnswersDouble extends Answers {
  readonly calls: AnswerCall[];
}

/** Answers out of one made-up token, which remember what they were asked. */
export function createAnswersDouble(changes: AnswerChanges = {}): AnswersDouble {
  const calls: AnswerCall[] = [];
  const answer = (name: AnswerCall[0], build: () => unknown) => async (mint: string, page?: unknown) => {
    calls.push(page === undefined ? [name, mint] : [name, mint, page]);
    return mint === KNOWN_MINT ? Buffer.from(JSON.stringify(build())) : new Absence(INDEXED_SLOT);
  };
  const held = holdersDouble();
  const tokens: TokenAnswers = {
    snapshot: answer('snapshot', () => tokenExample),
    async batch(mints) {
      const data = mints.includes(KNOWN_MINT as (typeof mints)[number]) ? [tokenExample] : [];
      return Buffer.from(JSON.stringify({ data, missing: mints.filter((mint) => mint !== KNOWN_MINT) }));
    },
    async list(filter) {
      calls.push(['list', filter]);
      return Buffer.from(JSON.stringify({ data: [tokenListRowExample] }));
    },
    async graduating(filter) {
      calls.push(['graduating', filter]);
      return Buffer.from(JSON.stringify(graduatingExample));
    },
    async trending(...question) {
      calls.push(['trending', ...question]);
      return Buffer.from(JSON.stringify(trendingExample));
    },
  };
  const trades: TradeAnswers = {
    async swaps(mint, page) {
      calls.push(['swaps', mint, page]);
      return mint === KNOWN_MINT ? swapsBody(page.limit) : new Absence(INDEXED_SLOT);
    },
    candles: answer('candles', () => ({ data: [candleExample] })),
    ticks: answer('ticks', () => ticksExample),
    activity: answer('activity', () => activityExample),
  };
  const holders: HolderAnswers = {
    ...held,
    holders(mint, limit) {
      calls.push(['holders', mint, limit]);
      return held.holders(mint, limit);
    },
  };
  return {
    calls,
    indexedSlot: () => INDEXED_SLOT,
    launch: launchDouble(),
    intelligence: intelligenceDouble(),
    movements: movementsDouble(),
    prices: pricesDouble(),
    discovery: discoveryDouble(),
    ecosystem: ecosystemDouble(),
    feeMarket: feeMarketDouble(),
    landing: landingDouble(),
    leaders: leadersDouble(),
    equities: equitiesDouble(),
    search: searchDouble(),
    system: {
      async stats() {
        calls.push(['stats']);
        return Buffer.from(JSON.stringify(statsExample));
      },
    },
    pack: packDouble(),
    ...changes,
    tokens: changed(tokens, changes),
    trades: changed(trades, changes),
    holders: changed(holders, changes),
  };
}

/** A feature's answers with those that a test gives instead. */
function changed<T extends object>(answers: T, changes: AnswerChanges): T {
  const given = Object.entries(changes).filter(([name]) => name in answers);
  return { ...answers, ...Object.fromEntries(given) };
}

/** As many rows as asked for, of the three kinds in turn. */
function swapsBody(limit: number): Buffer {
  const kinds = [swapExample, failedSwapExample, tokenSendExample];
  const data = Array.from({ length: limit }, (_, i) => ({ ...kinds[i % kinds.length], slot: INDEXED_SLOT - i }));
  const next_cursor = encodeSwapCursor({ time: 1_785_578_400, slot: INDEXED_SLOT - limit, blockIndex: 1, ixIndex: 2 });
  return Buffer.from(JSON.stringify({ data, next_cursor }));
}
