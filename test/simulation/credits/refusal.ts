/** A call that was refused for want of credits. */
export interface Refusal {
  readonly poolId: number;
  readonly price: number;
  /** Credits that were free, in nobody's hand, when the books were compared last. */
  readonly free: number;
  /** The share of it that nobody may have taken in hand since. */
  readonly freeShare: number;
  /** The most that other calls may have claimed since: told, unheard or under way. */
  readonly claimedByOthers: number;
}

/** Says so when credits were refused that were free. */
export function refusalFault({ poolId, price, free, freeShare, claimedByOthers }: Refusal): string | undefined {
  const surely = Math.floor(free * freeShare) - claimedByOthers;
  if (price > surely) return undefined;
  return `pool ${poolId}: ${price} refused, with ${surely} there that nobody else had asked for`;
}
