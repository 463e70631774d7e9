/** A call that was refused for want of credits. */
export interface Refusal {
  readonly poolId: number;
  readonly price: number;
  /** What surely lay in the pool: less all that was told, that may have been charged unheard, and that others may have taken. */
  readonly surely: number;
  /** The share of it that nobody may have had in hand. */
  readonly freeShare: number;
}

/** Says so when credits were refused that were free. */
export function refusalFault({ poolId, price, surely, freeShare }: Refusal): string | undefined {
  if (price > surely * freeShare) return undefined;
  return `pool ${poolId}: ${price} refused, with ${surely} there that nobody else had asked for`;
}
