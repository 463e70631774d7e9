import type { Address } from '../chain/address.ts';
import type { BlockFacts, FactBase, Swap } from '../facts/fact.ts';

/** Who stands behind a transaction. */
export type ActorKind =
  | 'trader'
  | 'dev'
  | 'rug_dev'
  | 'serial_dev'
  | 'sniper'
  | 'bundler'
  | 'spread_bundler'
  | 'relay_chain'
  | 'fake_airdrop'
  | 'honest_airdrop'
  | 'wash_trader'
  | 'copy_trader'
  | 'early_bird'
  | 'self_abort_bot'
  | 'funding_tree'
  | 'mayhem_agent'
  | 'migrator'
  | 'equity_trader'
  | 'crowd_send'
  | 'router_skim'
  | 'pool_maker'
  | 'burner'
  | 'payer'
  | 'background'
  | 'vote';

/** What the actor meant to come of it. */
export type Aim = 'land' | 'revert' | 'fail_to_load';

/** The meaning of one transaction, beside the facts that follow from it. */
export interface TransactionIntent {
  readonly blockIndex: number;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly actor: ActorKind;
  /** Ties the transactions of one scheme together (a bundle, a relay chain, a funding tree). */
  readonly group: string | undefined;
  readonly aim: Aim;
  readonly landed: boolean;
}

/**
 * The truth beside a block, from what the simulated programs did, never from reading the block back.
 *
 * A v1 transaction whose config the source drops shows another compute budget
 * than it has: ask for the facts by what the reader of an encoding can see.
 */
export interface BlockTruth {
  readonly transactions: readonly TransactionIntent[];
  facts(sight: Sight): BlockFacts;
}

/** `wire`: the reader has the signed bytes (base64). `decoded`: it has what a node decoded, without hidden configs. */
export type Sight = 'wire' | 'decoded';

/** A fact without its place on the chain: what is known while its transaction runs. */
export type Effect<F extends FactBase> = Omit<F, 'slot' | 'blockIndex' | 'time' | 'signature'>;

/** A swap without what belongs to its whole transaction or block. */
export type SwapEffect = Omit<Effect<Swap>, 'bundled' | 'feePayer' | 'tip' | 'tipWallet' | 'budget' | 'networkFee'>;

/** A trade that an instruction asks for, whether or not it comes to pass. */
export interface TradeRequest {
  readonly mint: Address;
  readonly venue: 0 | 1;
  readonly trader: Address;
  readonly isBuy: boolean;
}

/** Lamports for whoever lands the transaction. */
export interface Tip {
  readonly wallet: Address;
  readonly lamports: bigint;
}

export interface TokenMove {
  readonly mint: Address;
  readonly decimals: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}
