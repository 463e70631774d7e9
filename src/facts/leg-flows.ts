import type { Address } from '../chain/address.ts';
import { magnitude, smaller } from './amounts.ts';
import type { OpenDeltas } from './open-deltas.ts';
import type { CallSpan, TokenMove } from './token-moves.ts';

/** A trade whose owner is sought. */
export interface Leg {
  /** Raw units that the owner gained, negative when it gave them. */
  readonly tokens: bigint;
  /** The venue's call. */
  readonly span: CallSpan;
}

/** Tokens that wait to be told apart: of a leg that was bought, or of an owner who handed them in. */
interface Waiting<T> {
  readonly whose: T;
  left: bigint;
}

/**
 * Follows the tokens of legs through the router's hands, first in, first out: what a leg bought goes on to those who
 * receive next, and what a leg sold was handed in before. The owner of a leg is whoever got or gave more than half of
 * it; undefined when the transfers do not say. `through` is the router's own address, where tokens only pass.
 */
export function ownersByFlow(
  legs: readonly Leg[],
  moves: readonly TokenMove[],
  open: OpenDeltas,
  through: Address | undefined,
): (Address | undefined)[] {
  const bought = followBought(legs, moves, open, through);
  const sold = followSold(legs, moves, open, through);
  return legs.map((leg, place) => majorityOf(leg, (leg.tokens > 0n ? bought : sold)[place]!));
}

type Parts = Map<Address, bigint>;

function followBought(
  legs: readonly Leg[],
  moves: readonly TokenMove[],
  open: OpenDeltas,
  through: Address | undefined,
): Parts[] {
  const parts = legs.map((): Parts => new Map());
  const queue: Waiting<number>[] = [];
  const rooms = new Map<Address, bigint>();
  let next = 0;
  for (const { index, from, to, amount } of moves) {
    for (; next < legs.length && legs[next]!.span.first < index; next++) {
      if (legs[next]!.tokens > 0n) queue.push({ whose: next, left: legs[next]!.tokens });
    }
    // Whoever ends with fewer tokens gave of its own, and not what a leg bought.
    if (to === undefined || to === through || (from !== undefined && open.of(from) < 0n)) continue;
    const room = rooms.get(to) ?? open.of(to);
    if (room <= 0n) continue;
    const received = smaller(amount, room);
    rooms.set(to, room - received);
    drain(queue, received, (leg, part) => addPart(parts[leg]!, to, part));
  }
  return parts;
}

function followSold(
  legs: readonly Leg[],
  moves: readonly TokenMove[],
  open: OpenDeltas,
  through: Address | undefined,
): Parts[] {
  const queue: Waiting<Address>[] = [];
  const rooms = new Map<Address, bigint>();
  let next = 0;
  return legs.map((leg) => {
    const parts: Parts = new Map();
    if (leg.tokens > 0n) return parts;
    for (; next < moves.length && moves[next]!.index <= leg.span.last; next++) {
      const { amount, from, to } = moves[next]!;
      if (from === undefined || from === through || (to !== undefined && open.of(to) > 0n)) continue;
      const room = rooms.get(from) ?? -open.of(from);
      if (room <= 0n) continue;
      const given = smaller(amount, room);
      rooms.set(from, room - given);
      queue.push({ whose: from, left: given });
    }
    drain(queue, -leg.tokens, (owner, part) => addPart(parts, owner, part));
    return parts;
  });
}

function drain<T>(queue: Waiting<T>[], amount: bigint, take: (whose: T, part: bigint) => void): void {
  let left = amount;
  while (left > 0n && queue.length > 0) {
    const head = queue[0]!;
    const part = smaller(left, head.left);
    take(head.whose, part);
    left -= part;
    head.left -= part;
    if (head.left === 0n) queue.shift();
  }
}

function addPart(parts: Parts, owner: Address, part: bigint): void {
  parts.set(owner, (parts.get(owner) ?? 0n) + part);
}

function majorityOf({ tokens }: Leg, parts: Parts): Address | undefined {
  for (const [owner, part] of parts) if (part * 2n > magnitude(tokens)) return owner;
  return undefined;
}
