import { statsExample } from '../../src/api/contract/examples/system.ts';
import {
  activityExample,
  candleExample,
  failedSwapExample,
  holderExample,
  swapExample,
  ticksExample,
  tokenExample,
  tokenListRowExample,
  tokenSendExample,
} from '../../src/api/contract/examples/tokens.ts';
import { encodeSwapCursor } from '../../src/api/contract/swap-cursor.ts';
import type { Answers, TokenAnswers } from '../../src/books/answers.ts';
import { intelligenceDouble } from './answers/intelligence.ts';
import { launchDouble } from './answers/launch.ts';
import { movementsDouble } from './answers/movements.ts';
import { packDouble } from './answers/pack.ts';
import { pricesDouble } from './answers/prices.ts';
import { tradersDouble } from './answers/traders.ts';

/** The one mint that the double knows. */
export const KNOWN_MINT = tokenExample.mint;
export const UNKNOWN_MINT = 'So11111111111111111111111111111111111111112';
export const INDEXED_SLOT = 351_265_123;

/** A call that reached the answers: method and arguments. */
export type AnswerCall = readonly [keyof TokenAnswers, ...unknown[]];

export interface AnswersDouble extends Answers {
  readonly calls: AnswerCall[];
}

/** Answers out of one made-up token, which remember what they were asked. */
export function createAnswersDouble(overrides: Partial<Answers> = {}): AnswersDouble {
  const calls: AnswerCall[] = [];
  const answer = (name: keyof TokenAnswers, build: () => unknown) => async (mint: string, page?: unknown) => {
    calls.push(page === undefined ? [name, mint] : [name, mint, page]);
    return mint === KNOWN_MINT ? Buffer.from(JSON.stringify(build())) : undefined;
  };
  return {
    calls,
    indexedSlot: () => INDEXED_SLOT,
    snapshot: answer('snapshot', () => tokenExample),
    async swaps(mint, page) {
      calls.push(['swaps', mint, page]);
      return mint === KNOWN_MINT ? swapsBody(page.limit) : undefined;
    },
    candles: answer('candles', () => ({ data: [candleExample] })),
    ticks: answer('ticks', () => ticksExample),
    activity: answer('activity', () => activityExample),
    holders: answer('holders', () => ({ data: [holderExample] })),
    async list(filter) {
      calls.push(['list', filter]);
      return Buffer.from(JSON.stringify({ data: [tokenListRowExample] }));
    },
    async stats() {
      calls.push(['stats']);
      return Buffer.from(JSON.stringify(statsExample));
    },
    launch: launchDouble(),
    intelligence: intelligenceDouble(),
    movements: movementsDouble(),
    traders: tradersDouble(),
    prices: pricesDouble(),
    pack: packDouble(),
    ...overrides,
  };
}

/** As many rows as asked for, of the three kinds in turn. */
function swapsBody(limit: number): Buffer {
  const kinds = [swapExample, failedSwapExample, tokenSendExample];
  const data = Array.from({ length: limit }, (_, i) => ({ ...kinds[i % kinds.length], slot: INDEXED_SLOT - i }));
  const next_cursor = encodeSwapCursor({ time: 1_785_578_400, slot: INDEXED_SLOT - limit, blockIndex: 1, ixIndex: 2 });
  return Buffer.from(JSON.stringify({ data, next_cursor }));
}
