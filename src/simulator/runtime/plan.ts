import type { Address } from '../../chain/address.ts';
import type { TransactionVersion } from '../../chain/block.ts';
import type { Wallet } from '../keyring.ts';
import type { ActorKind, Aim, Scheme, TradeRequest } from '../truth.ts';
import type { Instruction } from './execution.ts';
import type { LoadFailure } from './transaction.ts';

/** A transaction that an actor sends. It is built when its turn comes, on the state it then finds. */
export interface TransactionPlan {
  readonly actor: ActorKind;
  readonly group?: string;
  readonly aim: Aim;
  readonly payer: Wallet;
  /** Further signers. */
  readonly cosigners?: readonly Wallet[];
  readonly version: TransactionVersion;
  readonly budget: Budget;
  /** A v1 whose config the serving node drops from decoded forms. */
  readonly hidesConfig?: boolean;
  /** Set for one that is charged but never runs. */
  readonly loadFailure?: LoadFailure['kind'];
  /**
   * The trade that a sender wants whose venue call may never be reached; its keys name the mint and the curve or pool.
   */
  readonly wanted?: () => Pick<TradeRequest, 'mint' | 'venue'> & { readonly router: Address };
  /** Undefined when the chance has passed: nothing is sent then. */
  build(): readonly Instruction[] | undefined;
}

/** The sender's bid for room in the block. */
export interface Budget {
  readonly unitLimit?: number;
  /** Micro-lamports per compute unit (legacy and v0). */
  readonly unitPrice?: bigint;
  /** Lamports in total (v1). */
  readonly priorityFee?: bigint;
}

/** Transactions that sit next to each other in the block, in this order. Clusters are ordered by rank. */
export interface Cluster {
  /** 0 is the front of the block, 1 its end. */
  readonly rank: number;
  readonly plans: readonly TransactionPlan[];
}

/** Everything that actors may look at and do when a slot comes. */
export interface SlotDesk {
  readonly slot: number;
  /** Whole Unix seconds. */
  readonly time: number;
  send(cluster: Cluster): void;
  /** Sends it so many slots later; 0 is this one. */
  sendLater(slots: number, cluster: Cluster): void;
  /** Notes for the truth alone what the transactions of a group are meant for. */
  note(scheme: Scheme): void;
}
