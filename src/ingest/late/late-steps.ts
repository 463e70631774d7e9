import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { walletKey } from '../../facts/holding.ts';
import type { Movement } from '../../facts/movements.ts';
import type { IsOfShare, WalletShare } from '../../facts/wallet-share.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';

/** Wallets that have steps in the slots that marks are about: what is stored of them may lack these steps. */
export interface LateSteps {
  /** Notes those steps that lie in the slots of their mint's mark. */
  ofSwaps(swaps: readonly PositionSwap[]): void;
  ofMovements(movements: readonly Movement[]): void;
  /** Of a mint only the wallets of this share are asked about from here on, a part of what was asked before. */
  narrow(mint: Address, share: WalletShare): void;
  /** True of a wallet, by `walletKey`, that has such steps, or may have. */
  touches(mint: Address, key: string): boolean;
  /** True where nothing came late of a mint: its holdings alone are to be folded, of what there is. */
  isOfHoldings(mint: Address): boolean;
  /** Movements of a wallet among them; undefined where the mark may be about any slot. */
  moves(mint: Address, key: string): number | undefined;
  /** Wallets that are held. */
  readonly size: number;
}

export interface LateStepsOptions {
  /** Wallets that are asked about. */
  readonly share: WalletShare;
  readonly isOfShare: IsOfShare;
}

interface NotedWallet {
  readonly wallet: Address;
  moves: number;
}

/** Of those wallets alone that are asked about: of a mint with very many only a share is held at a time. */
export function createLateSteps(asked: readonly StaleMint[], { share, isOfShare }: LateStepsOptions): LateSteps {
  const marks = new Map(asked.map((mark) => [mark.mint, { mark, share, noted: new Map<string, NotedWallet>() }]));

  function note(mint: Address, wallet: Address, slot: number, moves: number): void {
    const of = marks.get(mint);
    if (of === undefined || of.mark.firstSlot === 0 || slot < of.mark.firstSlot || slot > of.mark.slot) return;
    if (!isOfShare(of.share, wallet)) return;
    const key = walletKey({ mint, wallet });
    const known = of.noted.get(key);
    if (known === undefined) of.noted.set(key, { wallet, moves });
    else known.moves += moves;
  }

  return {
    ofSwaps(swaps) {
      for (const { mint, trader, slot } of swaps) note(mint, trader, slot, 0);
    },
    ofMovements(movements) {
      for (const { mint, wallet, slot } of movements) note(mint, wallet, slot, 1);
    },
    narrow(mint, narrower) {
      const of = marks.get(mint);
      if (of === undefined) return;
      of.share = narrower;
      for (const [key, { wallet }] of of.noted) if (!isOfShare(narrower, wallet)) of.noted.delete(key);
    },
    touches: (mint, key) => marks.get(mint)?.mark.firstSlot === 0 || marks.get(mint)?.noted.has(key) === true,
    isOfHoldings: (mint) => marks.get(mint)?.mark.holdingsOnly === true,
    moves: (mint, key) => marks.get(mint)?.noted.get(key)?.moves,
    get size() {
      return [...marks.values()].reduce((sum, { noted }) => sum + noted.size, 0);
    },
  };
}
