import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { Attempt, BlockFacts, Swap, TipTotal } from '../../src/facts/fact.ts';
import { TIP_PROVIDERS } from '../../src/programs/registry/index.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { createFactsMaker, seededRandom } from '../../test/support/block-facts.ts';

/** Swaps of a block of mainnet, 50 million a day at 2.5 blocks a second, and as many transactions that reverted. */
export const SWAPS_PER_BLOCK = 231;
/** Transactions of a block that tip, and programs that swaps go through. */
const TIPS_PER_BLOCK = 90;
const ROUTERS = 60;
const REASONS = ['TooMuchSolRequired', 'TooLittleSolReceived', 'ExceededSlippage', ''] as const;

/** At 2.5 blocks a second. */
export const SLOTS_PER_MINUTE = 150;
export const MINUTE_S = 60;
const WEEK_S = 8 * 86_400;

/** A market of a week and a day: blocks far apart, and minutes that are as full as mainnet's in the end. */
export interface FeeMarketSize {
  readonly sparseBlocks: number;
  readonly fullMinutes: number;
  readonly slotsPerMinute: number;
  readonly swapsPerBlock: number;
}

export interface FeeBlocks {
  readonly firstSlot: number;
  readonly lastSlot: number;
  /** Unix seconds of the last block. */
  readonly lastTime: number;
  /** Rows of all blocks in order, made as they are asked for, so many together. */
  batches(together: number): Generator<readonly RowBatch[]>;
}

/** `lastTime` in Unix seconds, a whole minute. Bids are drawn by chance, which is the most that a day of them can be. */
export function makeFeeBlocks(size: FeeMarketSize, lastTime: number): FeeBlocks {
  const { sparseBlocks, fullMinutes, slotsPerMinute, swapsPerBlock } = size;
  const firstSlot = 1_000_000;
  const full = fullMinutes * slotsPerMinute;
  const fullSince = lastTime - fullMinutes * MINUTE_S;
  const sparseStep = (WEEK_S - fullMinutes * MINUTE_S) / Math.max(1, sparseBlocks);
  const timeOf = (block: number) =>
    block < sparseBlocks
      ? Math.floor(lastTime - WEEK_S + block * sparseStep)
      : fullSince + Math.floor(((block - sparseBlocks) * MINUTE_S) / slotsPerMinute);
  const maker = createFactsMaker({ seed: 97, swapsPerBlock, firstSlot, mints: 400, traders: 20_000 });
  const random = seededRandom(98);
  const routers = Array.from({ length: ROUTERS }, () =>
    encodeAddress(Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))),
  );
  const wallets = TIP_PROVIDERS.flatMap(({ accounts }) => accounts.map(({ address }) => address));

  function next(block: number): BlockFacts {
    const facts = maker.next();
    const time = timeOf(block);
    const swaps = facts.swaps.map((swap): Swap => {
      const router = random() < 0.3 ? undefined : routers[Math.floor(random() ** 2 * ROUTERS)];
      return { ...swap, time, router, protocolActor: false, budget: { ...swap.budget, ...bid(random) } };
    });
    const attempts = swaps.map((swap) => failed(swap, random));
    const created = facts.created.map((creation) => ({ ...creation, time }));
    const economics = { ...facts.economics, tipsByWallet: tipsOf(wallets, random) };
    return { ...facts, time, created, transfers: [], swaps, attempts, economics };
  }

  const blocks = sparseBlocks + full;
  return {
    firstSlot,
    lastSlot: firstSlot + blocks - 1,
    lastTime: timeOf(blocks - 1),
    *batches(together) {
      let some: RowBatch[] = [];
      for (let block = 0; block < blocks; block += 1) {
        some.push(toRowBatch(next(block), []));
        if (some.length < together && block < blocks - 1) continue;
        yield some;
        some = [];
      }
    },
  };
}

/** Over five powers of ten, so that hardly two are the same. */
const bid = (random: () => number) => ({
  cuPrice: BigInt(Math.floor(10 ** (2 + 5 * random()))),
  priorityFee: BigInt(Math.floor(10 ** (3 + 5 * random()))),
});

function failed(swap: Swap, random: () => number): Attempt {
  const { slot, time, signature, mint, trader, isBuy, router, feePayer, budget, blockIndex } = swap;
  const tip = BigInt(Math.floor(10 ** (3 + 5 * random())));
  return {
    ...{ slot, time, signature, mint, trader, isBuy, router, feePayer, tip, tipPayable: tip, venue: 0 },
    ...{ blockIndex: 1_000 + blockIndex, ixIndex: 1, outcome: 'rejected', errorCode: 6_002, program: undefined },
    why: REASONS[Math.floor(random() * REASONS.length)]!,
    ...{ tipWallet: undefined, networkFee: 5_000n, signatures: 1, budget: { ...budget, ...bid(random) } },
  };
}

function tipsOf(wallets: readonly Address[], random: () => number): TipTotal[] {
  const paid = new Map<Address, bigint[]>();
  for (let tip = 0; tip < TIPS_PER_BLOCK; tip += 1) {
    const wallet = wallets[Math.floor(random() * wallets.length)]!;
    paid.set(wallet, [...(paid.get(wallet) ?? []), BigInt(Math.floor(10 ** (3 + 5 * random())))]);
  }
  return [...paid]
    .map(([tipWallet, tips]) => ({
      ...{ tipWallet, count: tips.length, repeated: 0, paid: tips },
      lamports: tips.reduce((sum, each) => sum + each, 0n),
    }))
    .sort((a, b) => (a.tipWallet < b.tipWallet ? -1 : 1));
}
