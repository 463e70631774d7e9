import type { Address } from '../chain/address.ts';
import { type ChainPlace, compareChainPlaces } from '../chain/place.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import type { Burn, LiquidityChanged, PoolCreated, Transfer, UnexplainedDelta } from './fact.ts';

/** Why tokens came to a wallet, or left it, without being traded; `handed`: by a hidden transfer, either way. */
export type MovementKind = 'received' | 'sent' | 'handed' | 'burnt' | 'provided' | 'withdrawn' | 'unexplained';

/** Tokens that came to a wallet or left it outside of trades, on one side of whatever moved them. */
export interface Movement extends ChainPlace {
  readonly mint: Address;
  readonly wallet: Address;
  /** Unix seconds. */
  readonly time: number;
  readonly kind: MovementKind;
  /** Signed raw units, as the wallet's balance changed. */
  readonly delta: bigint;
}

/** The parts of facts that movements are made of. */
export interface MovedFacts {
  readonly transfers: readonly Pick<Transfer, MovedField | 'from' | 'to' | 'amount' | 'hidden'>[];
  readonly burns: readonly Pick<Burn, MovedField | 'owner' | 'amount'>[];
  readonly liquidity: readonly Pick<LiquidityChanged, MovedField | 'user' | 'isDeposit' | 'tokenAmount'>[];
  readonly pools: readonly Pick<PoolCreated, MovedField | 'creator' | 'canonical' | 'tokenAmount'>[];
  readonly unexplained: readonly Pick<UnexplainedDelta, MovedField | 'owner' | 'delta'>[];
}

type MovedField = keyof ChainPlace | 'mint' | 'time';

/**
 * All movements of a block, in the order in which they are folded, see {@link compareMovements}. Making a pool
 * is a deposit, but nobody made the pool of a migration. Protocol actors hold nothing.
 */
export function movementsOf(facts: MovedFacts): Movement[] {
  const found: Movement[] = [];
  const add = (
    fact: ChainPlace & Pick<Movement, 'mint' | 'time'>,
    wallet: Address,
    kind: MovementKind,
    delta: bigint,
  ) => {
    if (delta === 0n || !holdsTokens(wallet)) return;
    const { mint, slot, blockIndex, ixIndex, time } = fact;
    found.push({ mint, wallet, slot, blockIndex, ixIndex, time, kind, delta });
  };
  for (const send of facts.transfers) {
    add(send, send.from, send.hidden ? 'handed' : 'sent', -send.amount);
    add(send, send.to, send.hidden ? 'handed' : 'received', send.amount);
  }
  for (const burn of facts.burns) add(burn, burn.owner, 'burnt', -burn.amount);
  for (const { isDeposit, tokenAmount, ...move } of facts.liquidity) {
    add(move, move.user, isDeposit ? 'provided' : 'withdrawn', isDeposit ? -tokenAmount : tokenAmount);
  }
  for (const pool of facts.pools) if (!pool.canonical) add(pool, pool.creator, 'provided', -pool.tokenAmount);
  for (const rest of facts.unexplained) add(rest, rest.owner, 'unexplained', rest.delta);
  return found.length > 1 ? found.sort(compareMovements) : found;
}

/** False for protocol actors, of which nothing is folded. */
export function holdsTokens(wallet: Address): boolean {
  return !isProtocolActor(wallet);
}

/**
 * By transaction, and within one what arrives before what leaves: a transaction happens as a whole, and what
 * it sells may only be seen to arrive behind its last instruction.
 */
export function compareMovements(a: Movement, b: Movement): number {
  return (
    a.slot - b.slot ||
    a.blockIndex - b.blockIndex ||
    Number(b.delta > 0n) - Number(a.delta > 0n) ||
    compareChainPlaces(a, b)
  );
}

/** Goes through swaps and movements, each in its order, as one: within a transaction arrivals, swaps, then what leaves. */
export function walkInOrder<S extends ChainPlace>(
  swaps: Iterable<S>,
  movements: readonly Movement[],
  onSwap: (swap: S) => void,
  onMovement: (movement: Movement) => void,
): void {
  let next = 0;
  for (const swap of swaps) {
    for (; next < movements.length && comesBefore(movements[next]!, swap); next += 1) onMovement(movements[next]!);
    onSwap(swap);
  }
  for (; next < movements.length; next += 1) onMovement(movements[next]!);
}

function comesBefore(movement: Movement, swap: ChainPlace): boolean {
  const order = movement.slot - swap.slot || movement.blockIndex - swap.blockIndex;
  return order === 0 ? movement.delta > 0n : order < 0;
}
