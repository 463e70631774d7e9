import type { Address } from '../../chain/address.ts';
import type { Attempt, BlockFacts, FactBase, Funding, Swap, TipTotal } from '../../facts/fact.ts';
import { BONDING_CURVE } from '../../facts/venue.ts';
import { tipProvider } from '../../programs/registry/index.ts';
import { NOT_MEASURED, shownBudget } from '../runtime/budget.ts';
import type { Landing } from '../runtime/land.ts';
import type { BlockTruth, Effect, Scheme, Sight, SwapEffect } from '../truth.ts';
import { attemptsOf } from './attempts.ts';
import { burnsOf, sendsOf, unexplainedOf } from './sends.ts';
import { tipsOf } from './tips.ts';

/** A system transfer to a wallet that exists is told from this many lamports on. */
const NOTABLE_FUNDING_LAMPORTS = 100_000_000n;

export interface BlockFrame {
  readonly slot: number;
  readonly parentSlot: number;
  readonly time: number;
  /** Base58. */
  readonly blockhash: string;
  readonly voteCount: number;
}

/** A landing and its place in the block. */
export interface Placed extends Landing {
  readonly blockIndex: number;
}

/** Puts together what is true of a block from what its transactions' programs recorded. `landings` has no votes. */
export function blockTruth(frame: BlockFrame, landings: readonly Placed[], schemes: readonly Scheme[]): BlockTruth {
  return {
    schemes,
    transactions: landings.map(({ blockIndex, plan, transaction }) => ({
      blockIndex,
      signature: transaction.signatures[0]!,
      actor: plan.actor,
      group: plan.group,
      aim: plan.aim,
      landed: transaction.meta.failure === undefined,
    })),
    facts: (sight) => blockFacts(frame, landings, sight),
  };
}

function blockFacts(frame: BlockFrame, landings: readonly Placed[], sight: Sight): BlockFacts {
  const place = <E extends { readonly ixIndex: number }>(landing: Placed, effects: readonly E[]): (E & FactBase)[] =>
    effects.map((effect) => ({ ...base(frame, landing), ...effect }));
  const all = <E extends { readonly ixIndex: number }>(effects: (landing: Placed) => readonly E[]) =>
    landings.flatMap((landing) => place(landing, effects(landing)));
  return {
    slot: frame.slot,
    blockhash: frame.blockhash,
    parentSlot: frame.parentSlot,
    time: frame.time,
    whole: true,
    created: all(({ record }) => record.created),
    swaps: swapsOf(frame, landings, sight),
    attempts: landings.flatMap((landing): Attempt[] => place(landing, attemptsOf(landing, sight))),
    completed: all(({ record }) => record.completed),
    graduated: all(({ record }) => record.graduated),
    creatorChanges: all(({ record }) => record.creatorChanges),
    pools: all(({ record }) => record.pools),
    liquidity: all(({ record }) => record.liquidity),
    payouts: [],
    transfers: all(sendsOf),
    burns: all(burnsOf),
    unexplained: all(unexplainedOf),
    fundings: all(notableFundings),
    economics: economicsOf(frame, landings),
  };
}

function base({ slot, time }: BlockFrame, { blockIndex, transaction }: Placed): Omit<FactBase, 'ixIndex'> {
  return { slot, blockIndex, time, signature: transaction.signatures[0]! };
}

function notableFundings({ record }: Landing): readonly Effect<Funding>[] {
  return record.fundings.filter(({ createdAccount, amount }) => createdAccount || amount >= NOTABLE_FUNDING_LAMPORTS);
}

/** Swaps that events tell have their places; those that only balances tell come after all instructions. */
function swapEffects({ callCount, record }: Landing): SwapEffect[] {
  const silent = record.equitySwaps.map((swap, leg) => ({ ...swap, ixIndex: callCount + leg }));
  return [...record.swaps, ...silent];
}

function swapsOf(frame: BlockFrame, landings: readonly Placed[], sight: Sight): Swap[] {
  const bundled = bundledTransactions(landings);
  return landings.flatMap((landing) =>
    swapEffects(landing).map(
      (swap, leg): Swap => ({
        ...base(frame, landing),
        ...swap,
        ...tipsOf(landing),
        bundled: bundled.has(`${swap.mint}${landing.blockIndex}`),
        feePayer: landing.plan.payer.address,
        budget: swap.venue === BONDING_CURVE ? shownBudget(landing.plan, landing.priorityFee, sight) : NOT_MEASURED,
        networkFee: leg === 0 ? landing.transaction.meta.fee : 0n,
        signatures: landing.transaction.message.requiredSignatures,
      }),
    ),
  );
}

/** Keys `mint + blockIndex` of the transactions that have a neighbour on the same mint. */
function bundledTransactions(landings: readonly Placed[]): ReadonlySet<string> {
  const keyOf = (mint: Address, blockIndex: number) => `${mint}${blockIndex}`;
  const trades = landings.flatMap((landing) =>
    swapEffects(landing).map(({ mint }) => ({ mint, blockIndex: landing.blockIndex })),
  );
  const traded = new Set(trades.map(({ blockIndex, mint }) => keyOf(mint, blockIndex)));
  const hasNeighbour = trades.filter(
    ({ blockIndex, mint }) => traded.has(keyOf(mint, blockIndex - 1)) || traded.has(keyOf(mint, blockIndex + 1)),
  );
  return new Set(hasNeighbour.map(({ blockIndex, mint }) => keyOf(mint, blockIndex)));
}

function economicsOf(frame: BlockFrame, landings: readonly Placed[]): BlockFacts['economics'] {
  const byWallet = new Map<Address, { count: number; repeated: number; lamports: bigint; paid: bigint[] }>();
  let fees = 0n;
  let priorityFees = 0n;
  let tips = 0n;
  let failed = 0;
  for (const landing of landings) {
    fees += landing.transaction.meta.fee;
    priorityFees += landing.priorityFee;
    if (landing.transaction.meta.failure !== undefined) {
      failed++;
      continue;
    }
    const counted = new Map<Address, string | undefined>();
    for (const { wallet, lamports } of landing.tips) {
      tips += lamports;
      const sum = byWallet.get(wallet) ?? { count: 0, repeated: 0, lamports: 0n, paid: [] };
      if (!counted.has(wallet)) {
        sum.count++;
        if ([...counted.values()].includes(tipProvider(wallet))) sum.repeated++;
      }
      counted.set(wallet, tipProvider(wallet));
      sum.lamports += lamports;
      byWallet.set(wallet, sum);
    }
    for (const provider of new Set(counted.values())) {
      const own = landing.tips.filter(({ wallet }) => tipProvider(wallet) === provider);
      byWallet.get(own[0]!.wallet)!.paid.push(own.reduce((sum, { lamports }) => sum + lamports, 0n));
    }
  }
  const tipsByWallet = [...byWallet]
    .map(([tipWallet, sum]): TipTotal => ({ tipWallet, ...sum }))
    .sort((a, b) => (a.tipWallet < b.tipWallet ? -1 : 1));
  return { transactions: landings.length, failed, votes: frame.voteCount, fees, priorityFees, tips, tipsByWallet };
}
