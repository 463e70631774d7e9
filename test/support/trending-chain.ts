import { afterEach, expect } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { slotOfBody } from '../../src/contract/stamp.ts';
import { listTrending, type TrendingRow } from '../../src/features/tokens/contract-market.ts';
import { createTrending } from '../../src/features/tokens/trending.ts';
import type { WindowReads } from '../../src/market/market-reads.ts';
import { answerFaults } from './answer-schema.ts';
import { answerOf, type HandSwap, marketChain } from './market-chain.ts';

const chains: ReturnType<typeof marketChain>[] = [];
afterEach(() => {
  for (const chain of chains.splice(0)) chain.close();
});

/** What a list of trending tokens knows besides its chain. */
export interface Known {
  readonly since?: number;
  readonly staleSince?: number;
  /** Waited for when a list begins to be made. */
  readonly begins?: () => Promise<void>;
  readonly keptSince?: number;
  readonly solUsd?: number | undefined;
}

/** A chain, and lists of trending tokens over it. */
export function openTrending({
  since = 0,
  staleSince,
  begins = async () => {},
  keptSince = 0,
  ...options
}: Known & { reading?: (reads: WindowReads) => WindowReads } = {}) {
  const solUsd = () => ('solUsd' in options ? options.solUsd : 150);
  const chain = marketChain({ solUsd, ...(options.reading && { reading: options.reading }) });
  chains.push(chain);
  let meanwhile = () => {};
  const trending = createTrending({
    ...chain.deps,
    listings(...question) {
      const happens = meanwhile;
      meanwhile = () => {};
      happens();
      return chain.deps.listings(...question);
    },
    async unbroken() {
      await begins();
      return { first: 1, since };
    },
    wholeSince: async () => new Map([['swaps', keptSince]]),
    market: Object.create(chain.deps.market, { staleSince: { value: staleSince } }) as typeof chain.deps.market,
  });
  const ask = async (window: number, limit = 200, spark = false) => {
    const body = await answerOf(chain.deps.clock, trending.list(window, limit, spark));
    const answer = JSON.parse(body.toString()) as { data: TrendingRow[]; since?: string };
    expect(answerFaults(listTrending, answer)).toEqual([]);
    return { ...answer, slot: slotOfBody(body), ranks: answer.data.map(({ mint, volume }) => [mint, BigInt(volume)]) };
  };
  /** Lets something happen while rows are read the next time. */
  const interrupt = (happens: () => void) => {
    meanwhile = happens;
  };
  return { ...chain, ask, interrupt };
}

/** A buy of so many lamports. */
export const buy = (mint: Address, quote_amount: bigint, swap: Partial<HandSwap> = {}): HandSwap => ({
  ...{ mint, quote_amount, quote_mint: '', quote_decimals: 9 },
  ...swap,
});
