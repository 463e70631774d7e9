import type { Address } from '../chain/address.ts';

/** A validator as one epoch saw it. What nobody told is absent. */
export interface Validator {
  readonly identity: Address;
  readonly vote?: Address;
  /** Of the validator-info program, as it stands there. */
  readonly name?: string;
  /** Of gossip, as the node tells it, such as `3.0.6` or `0.812.30006`. */
  readonly version?: string;
  /** Of gossip: the id of the client in the version message. */
  readonly clientId?: number;
  /** Active stake in lamports. */
  readonly stake: bigint;
  /** Percent of the rewards. */
  readonly commission: number;
  readonly isDelinquent: boolean;
  /** IP address that gossip gives, without its port. */
  readonly gossipIp?: string;
  /** Tips of bundles are shared with its stakers: the account of the epoch for them exists. Absent where nobody could say. */
  readonly sharesTips?: boolean;
}

/** Who leads which slot of one epoch. */
export interface EpochSchedule {
  readonly epoch: number;
  readonly firstSlot: number;
  /** Slots in the epoch. */
  readonly slots: number;
  /** All validators that lead or that the epoch knows, leaders first. */
  readonly validators: readonly Validator[];
  /** For each slot of the epoch the index of its leader in `validators`. */
  readonly leaders: Uint16Array;
}
