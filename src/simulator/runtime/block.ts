import type { Address } from '../../chain/address.ts';
import type { LandedTransaction } from './transaction.ts';

/** A block in no encoding yet. */
export interface ProducedBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  /** Whole Unix seconds. */
  readonly time: number;
  /** 32 bytes each. */
  readonly blockhash: Uint8Array;
  readonly parentBlockhash: Uint8Array;
  /** In order of execution, votes included. */
  readonly transactions: readonly LandedTransaction[];
  readonly leader: Address;
  /** Lamports the leader earned, and its balance with them. */
  readonly leaderReward: bigint;
  readonly leaderBalance: bigint;
}
