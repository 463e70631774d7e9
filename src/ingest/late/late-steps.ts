import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { walletKey } from '../../facts/holding.ts';
import type { Movement } from '../../facts/movements.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';

/** Wallets that have steps in the slots that marks are about: what is stored of them may lack these steps. */
export interface LateSteps {
  /** Notes those steps that lie in the slots of their mint's mark. */
  ofSwaps(swaps: readonly PositionSwap[]): void;
  ofMovements(movements: readonly Movement[]): void;
  /** True of a wallet, by `walletKey`, that has such steps, or may have. */
  touches(mint: Address, key: string): boolean;
  /** True where nothing came late of a mint: its holdings alone are to be folded, of what there is. */
  isOfHoldings(mint: Address): boolean;
  /** Movements of a wallet among them; undefined where the mark may be about any slot. */
  moves(key: string): number | undefined;
}

/** Of those wallets alone that are asked about: of a mint with very many only a share is held at a time. */
export function createLateSteps(asked: readonly StaleMint[], isAsked: (wallet: Address) => boolean): LateSteps {
  const marks = new Map(asked.map((mark) => [mark.mint, mark]));
  const steps = new Map<string, number>();

  function note(mint: Address, wallet: Address, slot: number, moves: number): void {
    const mark = marks.get(mint);
    if (mark === undefined || mark.firstSlot === 0 || slot < mark.firstSlot || slot > mark.slot) return;
    if (!isAsked(wallet)) return;
    const key = walletKey({ mint, wallet });
    steps.set(key, (steps.get(key) ?? 0) + moves);
  }

  return {
    ofSwaps(swaps) {
      for (const { mint, trader, slot } of swaps) note(mint, trader, slot, 0);
    },
    ofMovements(movements) {
      for (const { mint, wallet, slot } of movements) note(mint, wallet, slot, 1);
    },
    touches: (mint, key) => marks.get(mint)?.firstSlot === 0 || steps.has(key),
    isOfHoldings: (mint) => marks.get(mint)?.holdingsOnly === true,
    moves: (key) => steps.get(key),
  };
}
