import type { Address } from '../../src/chain/address.ts';
import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import { type Movement, movementsOf } from '../../src/facts/movements.ts';

/** What a wallet holds and won by everything that moved a token, put together in the plainest way. */
export interface TrueHolding {
  /** Without sends, burns and liquidity. */
  readonly estimate: bigint;
  readonly isEstimateKnown: boolean;
  readonly profit: bigint;
  readonly isProfitKnown: boolean;
  /** Of the tokens whose cost is known. */
  readonly cost: bigint;
  readonly costed: bigint;
}

/** Movements of a token by wallet, in the order of the chain. */
export function movementsByWallet(truth: readonly BlockFacts[], mint: string): ReadonlyMap<Address, Movement[]> {
  const byWallet = new Map<Address, Movement[]>();
  for (const movement of truth.flatMap((facts) => movementsOf(facts))) {
    if (movement.mint !== mint) continue;
    byWallet.set(movement.wallet, [...(byWallet.get(movement.wallet) ?? []), movement]);
  }
  return byWallet;
}

/** Of one transaction: what came, the trades, what went. */
interface Round {
  readonly came: Movement[];
  readonly swaps: Swap[];
  readonly went: Movement[];
}

function roundsOf(swaps: readonly Swap[], moves: readonly Movement[]): Round[] {
  const rounds = new Map<number, Round>();
  const of = ({ slot, blockIndex }: { readonly slot: number; readonly blockIndex: number }) => {
    const key = slot * 1_000_000 + blockIndex;
    const round = rounds.get(key) ?? { came: [], swaps: [], went: [] };
    rounds.set(key, round);
    return round;
  };
  for (const swap of swaps) of(swap).swaps.push(swap);
  for (const move of moves) (move.delta > 0n ? of(move).came : of(move).went).push(move);
  return [...rounds].sort(([a], [b]) => a - b).map(([, round]) => round);
}

/** A wallet that moved tokens outside of trades. */
export function trueHolding(swaps: readonly Swap[], moves: readonly Movement[]): TrueHolding {
  const quotes = new Set(swaps.map(({ quoteMint }) => quoteMint));
  const it = { estimate: 0n, balance: 0n, cost: 0n, costed: 0n, profit: 0n };
  let [isEstimateKnown, isBalanceKnown, isSold] = [true, true, true];
  const settle = () => {
    isEstimateKnown &&= it.estimate >= 0n;
    isBalanceKnown &&= it.balance >= 0n;
    if (it.balance === 0n) [it.cost, it.costed] = [0n, 0n];
  };
  /** Takes tokens of known cost out, and returns how many and what they had cost. */
  const takeOut = (tokens: bigint) => {
    const known = tokens < it.costed ? tokens : it.costed;
    const cost = known === it.costed ? it.cost : (it.cost * known) / it.costed;
    it.cost -= cost;
    it.costed -= known;
    return { known, cost };
  };
  const move = ({ kind, delta }: Movement) => {
    if (delta < 0n) takeOut(-delta);
    it.balance += delta;
    if (kind === 'unexplained' || kind === 'handed') it.estimate += delta;
    settle();
  };
  const trade = ({ isBuy, tokenAmount, quoteAmount }: Swap) => {
    it.balance += isBuy ? tokenAmount : -tokenAmount;
    it.estimate += isBuy ? tokenAmount : -tokenAmount;
    if (isBuy) {
      it.cost += quoteAmount;
      it.costed += tokenAmount;
    } else {
      const { known, cost } = takeOut(tokenAmount);
      it.profit += (known === tokenAmount ? quoteAmount : (quoteAmount * known) / tokenAmount) - cost;
      isSold &&= known === tokenAmount;
    }
    settle();
  };
  for (const round of roundsOf(swaps, moves)) {
    round.came.forEach(move);
    round.swaps.forEach(trade);
    round.went.forEach(move);
  }
  const isProfitKnown = quotes.size < 2 && isSold && isBalanceKnown;
  return { ...it, isEstimateKnown, isProfitKnown };
}
