import type { Address } from '../chain/address.ts';

/** Every balance of a mint at one confirmed slot, as a node told. */
export interface HolderSnapshot {
  readonly slot: number;
  /** Unix milliseconds. */
  readonly readAt: number;
  /** Raw units by owner, over all of its accounts; reserves of curves and pools are among them. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** A token whose holders are asked for. */
export interface AskedToken {
  readonly mint: Address;
  /** The program of its accounts; '' while not known. */
  readonly tokenProgram: Address | '';
}

/** What a node tells of holders, read beside the questions: nobody waits for it. */
export interface HolderSnapshots {
  /** A recent one when it is at hand. Otherwise the node is asked, unless it refused or the token is too large for it. */
  find(token: AskedToken): HolderSnapshot | undefined;
}
