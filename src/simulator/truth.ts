import type { Address } from '../chain/address.ts';
import type { BlockFacts, FactBase, Swap } from '../facts/fact.ts';
import type { CopyKind } from './copy-profile.ts';

/** Actors that can stand behind a transaction. */
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
  | 'hidden_giver'
  | 'market_hopper'
  | 'wash_trader'
  | 'copy_trader'
  | 'market_maker'
  | 'arbitrageur'
  | 'newcomer'
  | 'team'
  | 'look_alike'
  | 'copycat'
  | 'mover'
  | 'early_bird'
  | 'self_abort_bot'
  | 'funding_tree'
  | 'mayhem_agent'
  | 'migrator'
  | 'equity_trader'
  | 'prop_amm_trader'
  | 'price_washer'
  | 'order_desk'
  | 'crowd_send'
  | 'router_skim'
  | 'pool_maker'
  | 'burner'
  | 'payer'
  | 'background'
  | 'vote';

/** The outcome that the actor meant. */
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
 * Plans of somebody over several transactions. `bundle` and `spread_bundle`: buys of one hand at a launch, side by side
 * or with others between; `crew_in_one`: the developer and mates in one transaction; `paid_mate`: a first buy of another
 * wallet that the developer pays for; `shared_funder`: early buyers whom one wallet paid for; `relay_chain`: tokens
 * handed on; `fake_airdrop`: tokens out to newcomers; `hidden_handout`: the same inside a trade or beside its program's
 * name; `dev_dump`: the developer sells most of it. The rest only looks alike: `paid_later`: customers whom the
 * developer pays behind their buys; `double_buy`: one bot twice; `lone_buy`: a seller beside a buyer;
 * `exchange_buyers` and `service_buyers`: early buyers who know nothing of each other; `arbitrage`: bots that meet;
 * `market_making`: inventories; `dev_profit`: the developer sells a little; `holder_airdrop`, `community_airdrop`,
 * `team_share`, `consolidation`, `otc`, `gift`: honest sends. Copies of other coins are told by {@link CopyKind}.
 */
export type SchemeKind =
  | 'bundle'
  | 'crew_in_one'
  | 'paid_mate'
  | 'paid_later'
  | 'double_buy'
  | 'lone_buy'
  | 'spread_bundle'
  | 'shared_funder'
  | 'snipe'
  | 'relay_chain'
  | 'fake_airdrop'
  | 'hidden_handout'
  | 'dev_dump'
  | 'dev_profit'
  | 'exchange_buyers'
  | 'service_buyers'
  | 'arbitrage'
  | 'market_making'
  | 'holder_airdrop'
  | 'community_airdrop'
  | 'team_share'
  | 'consolidation'
  | 'otc'
  | 'gift'
  | CopyKind;

/** A scheme as it was meant. What came of it are the transactions whose group is its id. */
export interface Scheme {
  readonly id: string;
  readonly kind: SchemeKind;
  readonly mint: Address;
  /** Those who take part: buyers, sellers, or receivers of tokens. */
  readonly wallets: readonly Address[];
  /** The wallet that their lamports or tokens come from; undefined when nobody gives any. */
  readonly source: Address | undefined;
  /** The coin that `mint` copies; undefined for whatever is no copy. */
  readonly original?: Address;
}

/**
 * The truth beside a block, from what the simulated programs did, never from reading the block back.
 *
 * A v1 transaction whose config the source drops shows another compute budget
 * than it has: ask for the facts by what the reader of an encoding can see.
 */
export interface BlockTruth {
  /** Begun since the block before. Their transactions may be in this block or in later ones. */
  readonly schemes: readonly Scheme[];
  readonly transactions: readonly TransactionIntent[];
  facts(sight: Sight): BlockFacts;
}

/** `wire`: the reader has the signed bytes (base64). `decoded`: it has what a node decoded, without hidden configs. */
export type Sight = 'wire' | 'decoded';

/** A fact without its place on the chain: what is known while its transaction runs. */
export type Effect<F extends FactBase> = Omit<F, 'slot' | 'blockIndex' | 'time' | 'signature'>;

/** A swap without what belongs to its whole transaction or block. */
export type SwapEffect = Omit<
  Effect<Swap>,
  'bundled' | 'feePayer' | 'tip' | 'tipWallet' | 'budget' | 'networkFee' | 'signatures'
>;

/** A trade that an instruction asks for, whether or not it comes to pass. */
export interface TradeRequest {
  readonly mint: Address;
  readonly venue: 0 | 1;
  readonly trader: Address;
  readonly isBuy: boolean;
}

/** Lamports for whoever lands the transaction. */
export interface Tip {
  readonly from: Address;
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
