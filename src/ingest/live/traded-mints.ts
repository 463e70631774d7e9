import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import type { Movement } from '../../facts/movements.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { IngestStore } from '../ingest-store.ts';

/** A quote of a mint; undefined = SOL. */
export type Quote = Address | undefined;

/** Mints remembered. More than any few seconds of the chain name. */
const MAX_MINTS = 200_000;

interface Entry {
  readonly quotes: readonly Quote[];
  /** Those that no undo takes back. */
  readonly forGood: readonly Quote[];
  /** Movements of it were passed over, because nobody had traded it yet. */
  readonly isPassedOver: boolean;
}

const UNKNOWN: Entry = { quotes: [], forGood: [], isPassedOver: false };

/** Mints as they were before a block traded them for the first time in a quote. */
export type FirstTrades = ReadonlyMap<Address, Entry>;

/**
 * The mints that were ever traded, and in what. Movements of others are not folded: most of the chain's are of tokens
 * that nobody trades here. Where such a token is traded after all, what was passed over has to be folded again.
 */
export interface TradedMints {
  /** Asks the store about mints of these swaps and movements that are not remembered. */
  load(swaps: Iterable<PositionSwap>, movements: Iterable<Movement>): Promise<void>;
  /** The store cannot have anything of this mint. */
  born(mint: Address): void;
  quotesOf(mint: Address): readonly Quote[];
  /** Takes note of what a block trades. */
  trade(swaps: Iterable<PositionSwap>): { readonly before: FirstTrades; readonly passedOver: ReadonlySet<Address> };
  /** Takes that back, but for what is traded for good by now. */
  undo(before: FirstTrades): void;
  /**
   * The same of a block that cannot be undone, though it is older than some that can. Gives the mints of which movements
   * may have been passed over.
   */
  tradeForGood(swaps: Iterable<PositionSwap>): ReadonlySet<Address>;
  /** Those that are folded; that the others were not is remembered. */
  ofTraded(movements: readonly Movement[]): readonly Movement[];
}

export function createTradedMints(store: Pick<IngestStore, 'readQuotes' | 'readMoved'>): TradedMints {
  const mints = createBoundedMap<Address, Entry>(MAX_MINTS);

  return {
    async load(swaps, movements) {
      const traded = new Set<Address>();
      const asked = new Set<Address>();
      for (const { mint } of swaps) if (!mints.has(mint)) traded.add(mint);
      for (const { mint } of movements) if (!mints.has(mint)) asked.add(mint);
      for (const mint of traded) asked.add(mint);
      if (asked.size === 0) return;
      const quotes = await store.readQuotes([...asked]);
      const firstTraded = [...traded].filter((mint) => !quotes.has(mint));
      const moved = firstTraded.length === 0 ? new Set() : await store.readMoved(firstTraded);
      // What was noted while the store was asked is newer.
      for (const mint of asked) {
        if (!mints.has(mint)) {
          const known = quotes.get(mint) ?? [];
          mints.set(mint, { quotes: known, forGood: known, isPassedOver: moved.has(mint) });
        }
      }
    },
    born(mint) {
      if (!mints.has(mint)) mints.set(mint, UNKNOWN);
    },
    quotesOf: (mint) => mints.get(mint)?.quotes ?? [],
    trade(swaps) {
      const before = new Map<Address, Entry>();
      const passedOver = new Set<Address>();
      for (const { mint, quoteMint } of swaps) {
        const known = mints.get(mint) ?? UNKNOWN;
        if (known.quotes.includes(quoteMint)) continue;
        if (!before.has(mint)) before.set(mint, known);
        if (known.isPassedOver) passedOver.add(mint);
        mints.set(mint, { ...known, quotes: [...known.quotes, quoteMint], isPassedOver: false });
      }
      return { before, passedOver };
    },
    undo(before) {
      for (const [mint, entry] of before) {
        const forGood = mints.get(mint)?.forGood ?? entry.forGood;
        const quotes = [...new Set([...entry.quotes, ...forGood])];
        mints.set(mint, { quotes, forGood, isPassedOver: entry.isPassedOver });
      }
    },
    tradeForGood(swaps) {
      const passedOver = new Set<Address>();
      for (const { mint, quoteMint } of swaps) {
        const known = mints.get(mint) ?? UNKNOWN;
        if (known.forGood.includes(quoteMint)) continue;
        // Where another block traded it before, that one's mark may be taken back with it.
        if (known.forGood.length === 0) passedOver.add(mint);
        const quotes = known.quotes.includes(quoteMint) ? known.quotes : [...known.quotes, quoteMint];
        mints.set(mint, { quotes, forGood: [...known.forGood, quoteMint], isPassedOver: false });
      }
      return passedOver;
    },
    ofTraded(movements) {
      return movements.filter(({ mint }) => {
        const known = mints.get(mint) ?? UNKNOWN;
        if (known.quotes.length > 0) return true;
        if (!known.isPassedOver) mints.set(mint, { ...known, isPassedOver: true });
        return false;
      });
    },
  };
}
