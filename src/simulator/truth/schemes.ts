import type { BlockTruth, Scheme, TransactionIntent } from '../truth.ts';

/** A transaction of a scheme, and where it is. */
export interface Move extends TransactionIntent {
  readonly slot: number;
}

/** A scheme and what has come of it. Slots are those of its transactions; a scheme that nothing came of has none. */
export interface PlayedScheme extends Scheme {
  readonly moves: readonly Move[];
}

/** Ties the transactions of a chain to the schemes they are part of. */
export interface SchemeBook {
  /** Blocks come in order. */
  add(slot: number, truth: Pick<BlockTruth, 'schemes' | 'transactions'>): void;
  /** In the order in which they were begun. */
  all(): PlayedScheme[];
}

export function createSchemeBook(): SchemeBook {
  const played = new Map<string, PlayedScheme & { readonly moves: Move[] }>();
  return {
    add(slot, { schemes, transactions }) {
      for (const scheme of schemes) {
        if (played.has(scheme.id)) throw new Error(`two schemes are called ${scheme.id}`);
        played.set(scheme.id, { ...scheme, moves: [] });
      }
      for (const transaction of transactions) {
        if (transaction.group !== undefined) played.get(transaction.group)?.moves.push({ ...transaction, slot });
      }
    },
    all: () => [...played.values()],
  };
}
