import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { SlotDesk } from '../runtime/plan.ts';

/** A launch as those who follow it see it. */
export interface Launch {
  readonly coin: Coin;
  /** Tells it from all other launches. */
  readonly id: number;
  /** Slots from the desk's own until the creation. */
  readonly delay: number;
  /** Of those, the last ones, in which some know the mint already; 0 when nobody does. */
  readonly announced: number;
  /** Place of the creation in its block. */
  readonly rank: number;
  /** Wallets that bought in the creation's own scheme. */
  readonly crew: readonly Wallet[];
}

/** Somebody who acts on launches. */
export interface Follower {
  follow(desk: SlotDesk, launch: Launch): void;
}
