import type { RowOf, TableLayout } from './table-layout.ts';

/**
 * Tables that no flush fills: background work writes them, row by row as it
 * learns, and each row may be written again.
 */

/** Wallets that tried to buy a token in slots before it was created. */
export const MEMPOOL_BUYERS = {
  name: 'mempool_buyers',
  columns: {
    mint: 'account',
    wallet: 'account',
    symbol: 'string',
    /** The launch's signer. */
    creator: 'address',
    attempts: 'u32',
    /** From the earliest attempt to the creation. */
    slots_before: 'u32',
    /** Of the earliest attempt. */
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    time: 'time',
    /** Of the latest attempt that came too soon. */
    last_time: 'time',
    signature: 'signature',
    created_slot: 'u32',
    create_signature: 'signature',
    /** The wallet then managed to buy. */
    landed: 'bool',
    /** Of its first buy; 0 without one, and where it is not known any more. */
    landed_slot: 'u32',
  },
} as const satisfies TableLayout;

export type MempoolBuyerRow = RowOf<typeof MEMPOOL_BUYERS>;

/** Times at which the chain was asked and is to be asked again: 0 for never. */
const ASKED = { checked_at: 'time', retry_at: 'time', found: 'bool' } as const;

/**
 * Tokens whose creation was not seen, read from their accounts. Without `found` the mint is not there, and the rest is
 * empty.
 */
export const HYDRATED_TOKENS = {
  name: 'hydrated_tokens',
  columns: {
    mint: 'account',
    /** Slot at which the accounts were read. */
    slot: 'u32',
    ...ASKED,
    /** False when neither the mint nor a metadata account has a name. */
    named: 'bool',
    name: 'string',
    symbol: 'string',
    uri: 'string',
    decimals: 'u8',
    supply: 'u64',
    token_program: 'address',
    /** '' for tokens that never were on the launchpad; what follows is then empty, but for `pool`. */
    bonding_curve: 'address',
    complete: 'bool',
    /** '' before May 2025. */
    fee_creator: 'address',
    quote_mint: 'address',
    mayhem: 'bool',
    cashback: 'bool',
    holder_reward: 'bool',
    creator_fee_bps: 'u32',
    curve_depth: 'u8',
    /** The canonical one; '' while there is none. */
    pool: 'address',
  },
} as const satisfies TableLayout;

/** Pools whose making was not seen, read from their accounts. */
export const HYDRATED_POOLS = {
  name: 'hydrated_pools',
  columns: {
    pool: 'address',
    slot: 'u32',
    ...ASKED,
    /** The token, whichever side of the pool it is on. */
    mint: 'address',
    quote_mint: 'address',
    inverted: 'bool',
    canonical: 'bool',
    creator: 'address',
    coin_creator: 'address',
    lp_mint: 'address',
    base_vault: 'address',
    quote_vault: 'address',
  },
} as const satisfies TableLayout;

/** The transfer that made a wallet, looked up in the wallet's own history. */
export const FUNDING_LOOKUPS = {
  name: 'funding_lookups',
  columns: {
    wallet: 'account',
    checked_at: 'time',
    retry_at: 'time',
    /** The reason why nothing was found; empty when something was. */
    outcome: 'string',
    found: 'bool',
    slot: 'u32',
    time: 'time',
    signature: 'signature',
    ix_index: 'u16',
    funder: 'address',
    amount: 'u64',
  },
} as const satisfies TableLayout;

/** The document that a token's URI names, as far as it was read. */
export const TOKEN_METADATA = {
  name: 'token_metadata',
  columns: {
    mint: 'account',
    checked_at: 'time',
    /** While it is `waiting`; else 0. */
    retry_at: 'time',
    /** `stored`, `none` for good, or `waiting` for another try. */
    state: 'string',
    /** Failed ones in a row. */
    tries: 'u8',
    /** The reason why there is no document; empty when there is one. */
    outcome: 'string',
    /** As the token has it. */
    uri: 'string',
    /** Canonical; what the document does not set is empty. */
    image: 'string',
    twitter: 'string',
    website: 'string',
    telegram: 'string',
    description: 'string',
  },
} as const satisfies TableLayout;

/** SOL in US dollars by minute. A minute may have several rows: the one that was quoted last counts. */
export const SOL_PRICES = {
  name: 'sol_prices',
  columns: {
    minute: 'time',
    /** Unix milliseconds of the quote. */
    quoted_ms: 'u64',
    /** Millionths of a dollar. */
    usd_micros: 'u64',
  },
} as const satisfies TableLayout;

/** Mints of tokenized shares as they were read last. A mint may have several rows: the one that was read last counts. */
export const EQUITY_MINTS = {
  name: 'equity_mints',
  columns: {
    mint: 'account',
    /** Unix milliseconds. */
    read_ms: 'u64',
    slot: 'u64',
    supply: 'u64',
    decimals: 'u8',
    /** 0 without, 1 with what follows, 2 unknown. */
    scaling: 'u8',
    multiplier: 'f64',
    next_multiplier: 'f64',
    /** Unix seconds. */
    next_from: 'i64',
  },
} as const satisfies TableLayout;

/** Closes of shares by who told them: the newest date counts. */
export const SHARE_CLOSES = {
  name: 'share_closes',
  columns: { source: 'string', ticker: 'string', date: 'string', usd_micros: 'u64' },
} as const satisfies TableLayout;

export type HydratedTokenRow = RowOf<typeof HYDRATED_TOKENS>;
export type HydratedPoolRow = RowOf<typeof HYDRATED_POOLS>;
export type FundingLookupRow = RowOf<typeof FUNDING_LOOKUPS>;
export type TokenMetadataRow = RowOf<typeof TOKEN_METADATA>;

export const BACKGROUND_TABLES = [
  MEMPOOL_BUYERS,
  HYDRATED_TOKENS,
  HYDRATED_POOLS,
  FUNDING_LOOKUPS,
  TOKEN_METADATA,
  SOL_PRICES,
  EQUITY_MINTS,
  SHARE_CLOSES,
] as const;
