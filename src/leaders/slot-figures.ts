/** What happened in one slot, as far as it is indexed. */
export interface SlotFigures {
  readonly slot: number;
  /** `skipped`: its leader made no block; `unknown`: whether there is one is not known, and figures are 0. */
  readonly state: 'seen' | 'skipped' | 'unknown';
  /** Swaps that were indexed. */
  readonly swaps: number;
  /** Lamports, of transactions with such a swap, each counted once. */
  readonly priorityFees: bigint;
  readonly tips: bigint;
  /** Lamports of the protocol's fees. */
  readonly fees: bigint;
  /** Lamports of swaps in SOL. */
  readonly vol: bigint;
}

/** Figures of the newest slots, out of memory. */
export interface SlotEconomics {
  /** Of slots from `first` to `last`, both included, in order. A slot that is left out is unknown. */
  economicsOf(first: number, last: number): readonly SlotFigures[];
  /** Changes whenever figures may be others. */
  readonly version: number;
}

/** Nothing is indexed. */
export const NO_ECONOMICS: SlotEconomics = { economicsOf: () => [], version: 0 };
