import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { SlotDesk } from '../runtime/plan.ts';

/** A launch as those who follow it see it. */
export interface Launch {
  readonly coin: Coin;
  readonly group: string;
  /** Slots from the desk's own until the creation. */
  readonly delay: number;
  /** Place of the creation in its block. */
  readonly rank: number;
  /** Wallets that bought in the creation's own scheme. */
  readonly crew: readonly Wallet[];
}

/** Somebody who acts on launches. */
export interface Follower {
  follow(desk: SlotDesk, launch: Launch): void;
}
