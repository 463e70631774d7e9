import type { Address } from '../chain/address.ts';
import { type Leg, ownersByFlow } from './leg-flows.ts';
import type { OpenDeltas } from './open-deltas.ts';
import type { TokenMove } from './token-moves.ts';

/** Trades of one mint through one address, in order of place. */
export interface LegGroup {
  readonly legs: readonly Leg[];
  /** The address that the events name as their user and that did not sign; undefined where nothing names one. */
  readonly through: Address | undefined;
}

type Owners = (Address | undefined)[];

/**
 * Finds who stands behind each leg, and takes what it explains out of `open`: whom the transfers lead to; else the owner
 * whose balance moved by all legs together; else, leg by leg, the owner whose balance moved by it, or moved most that
 * way. Undefined where nobody's did: the tokens came in and went out again.
 */
export function ownersOfLegs({ legs, through }: LegGroup, moves: readonly TokenMove[], open: OpenDeltas): Owners {
  const net = sumOf(legs);
  const owners = ownersByFlow(legs, moves, open, through);
  if (owners.includes(undefined)) {
    // In and out again, as on the middle coin of a route: an equal change of somebody else is a coincidence.
    if (net === 0n) return legs.map(() => undefined);
    const whole = legs.length > 1 ? open.findExact(net) : undefined;
    // Where transfers settled some legs, one change cannot be all of them.
    if (whole !== undefined && !owners.some((owner) => owner !== undefined)) owners.fill(whole);
  }
  legs.forEach(({ tokens }, place) => {
    const owner = owners[place];
    if (owner !== undefined) open.take(owner, tokens);
  });
  for (const isBuy of [true, false]) matchRest(legs, owners, open, { isBuy, through });
  const known = new Set(owners.filter((owner) => owner !== undefined));
  if (known.size === 1) fillOpposite(legs, owners, net, [...known][0]!);
  return owners;
}

/** Settles the legs of one side that are still open, exact ones first: no larger change is used up by a smaller leg. */
function matchRest(
  legs: readonly Leg[],
  owners: Owners,
  open: OpenDeltas,
  { isBuy, through }: { readonly isBuy: boolean; readonly through: Address | undefined },
): void {
  const rest = () => legs.filter(({ tokens }, place) => owners[place] === undefined && tokens > 0n === isBuy);
  const settle = (leg: Leg, owner: Address | undefined): void => {
    if (owner === undefined) return;
    owners[legs.indexOf(leg)] = owner;
    open.take(owner, leg.tokens);
  };
  for (const leg of rest()) {
    const isOwn = through !== undefined && open.of(through) === leg.tokens;
    settle(leg, isOwn ? through : open.findExact(leg.tokens));
  }
  const together = open.findExact(sumOf(rest()));
  for (const leg of rest()) settle(leg, together ?? open.findLargest(sumOf(rest())));
}

/** A part of a purchase that was sold on the way, or the reverse, belongs to the only owner there is. */
function fillOpposite(legs: readonly Leg[], owners: Owners, net: bigint, owner: Address): void {
  legs.forEach(({ tokens }, place) => {
    if (tokens > 0n !== net > 0n) owners[place] ??= owner;
  });
}

function sumOf(legs: readonly Leg[]): bigint {
  return legs.reduce((sum, { tokens }) => sum + tokens, 0n);
}
