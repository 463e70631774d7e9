import { doubled } from './numbering.ts';
import type { PairCounts } from './pair-counts.ts';

/** Distinct wallets of a window, by token and over all tokens. Tokens and wallets are numbers. */
export class TraderCounts {
  /** Swaps of each wallet. */
  #swaps: Uint32Array = new Uint32Array(1024);
  /** Wallets of each token. */
  #wallets: Uint32Array = new Uint32Array(1024);
  #distinct = 0;

  get distinct(): number {
    return this.#distinct;
  }

  get bytes(): number {
    return this.#swaps.byteLength + this.#wallets.byteLength;
  }

  ofMint(mint: number): number {
    return this.#wallets[mint] ?? 0;
  }

  add(mint: number, wallet: number, pairs: PairCounts): void {
    while (wallet >= this.#swaps.length) this.#swaps = doubled(this.#swaps);
    while (mint >= this.#wallets.length) this.#wallets = doubled(this.#wallets);
    if (this.#swaps[wallet] === 0) this.#distinct += 1;
    this.#swaps[wallet]! += 1;
    if (pairs.increment(mint, wallet) === 1) this.#wallets[mint]! += 1;
  }

  remove(mint: number, wallet: number, pairs: PairCounts): void {
    const left = pairs.decrement(mint, wallet);
    if (left === undefined) return;
    if (left === 0) this.#wallets[mint]! -= 1;
    this.#swaps[wallet]! -= 1;
    if (this.#swaps[wallet] === 0) this.#distinct -= 1;
  }
}
