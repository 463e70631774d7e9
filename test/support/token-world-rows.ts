import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { priceDouble } from '../../src/store/clickhouse/schema/price-double.ts';
import type {
  AttemptRow,
  CreatorChangeRow,
  CurveCompletionRow,
  PositionRow,
  SwapRow,
  TokenCreationRow,
  TokenGraduationRow,
  TransferRow,
} from '../../src/store/clickhouse/schema/tables.ts';

/** The rows of a generated block: what happens in it, by arbitrary numbers that are bent into rows. */

export interface WorldBlock {
  readonly slot: number;
  readonly time: number;
  readonly creations: TokenCreationRow[];
  readonly completions: CurveCompletionRow[];
  readonly graduations: TokenGraduationRow[];
  readonly creatorChanges: CreatorChangeRow[];
  readonly swaps: SwapRow[];
  readonly attempts: AttemptRow[];
  readonly transfers: TransferRow[];
  readonly positions: PositionRow[];
}

export const WORLD_MINTS: readonly Address[] = [11, 12, 13].map(address);
export const TRADERS = [21, 22, 23, 24, 25, 26].map(address);
/** USDC, which the registry knows, and a mint that nobody knows. */
export const QUOTES: readonly (Address | '')[] = [
  '',
  '',
  '',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address,
  address(31),
];
const ROUTERS: readonly (Address | '')[] = ['', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address, address(41)];

export function address(seed: number): Address {
  return encodeAddress(new Uint8Array(32).fill(seed));
}

/** One thing that happens, by arbitrary numbers that are bent into rows. */
export interface Happening {
  readonly kind: 'swap' | 'swap2' | 'swap3' | 'attempt' | 'transfer' | 'create' | 'complete' | 'graduate' | 'change';
  readonly mint: number;
  readonly trader: number;
  readonly quote: number;
  readonly venue: number;
  readonly flag: boolean;
  readonly odd: boolean;
  readonly amount: bigint;
  readonly tokens: bigint;
}

/** Adds the rows of what happens at a place of a block. */
export function addHappening(made: WorldBlock, each: Happening, index: number): void {
  // Two happenings share a transaction now and then.
  const origin = {
    mint: WORLD_MINTS[each.mint]!,
    slot: made.slot,
    block_index: index - (index % 2),
    ix_index: 3 + (index % 2),
    time: made.time,
    signature: signature(made.slot, index - (index % 2)),
    partial: false,
  };
  if (each.kind === 'attempt') made.attempts.push(attempt(origin, each));
  else if (each.kind === 'transfer') made.transfers.push(transfer(origin, each));
  else if (each.kind === 'create') made.creations.push(creation(origin, each));
  else if (each.kind === 'complete') {
    made.completions.push({ ...origin, bonding_curve: address(51), user: TRADERS[each.trader]! });
  } else if (each.kind === 'graduate') {
    made.graduations.push({
      ...origin,
      pool: address(61),
      quote_mint: '',
      token_amount: each.tokens,
      quote_amount: each.amount,
      migration_fee: 0n,
      user: '',
    });
  } else if (each.kind === 'change') {
    made.creatorChanges.push({ ...origin, previous: '', creator: TRADERS[each.trader]!, reason: 'set_creator' });
  } else made.swaps.push(swap(origin, each));
}

type Origin = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature' | 'partial'> & {
  readonly mint: Address;
};

function signature(slot: number, index: number): Uint8Array {
  const bytes = new Uint8Array(64).fill(index + 1);
  new DataView(bytes.buffer).setUint32(0, slot);
  return bytes;
}

function transaction(each: Happening) {
  return {
    fee_payer: TRADERS[each.trader]!,
    router: ROUTERS[each.mint % ROUTERS.length]!,
    tip: each.odd ? 1_000n : 0n,
    tip_wallet: each.odd ? address(71) : ('' as const),
    cu_price: 5n,
    cu_limit: 200_000,
    priority_fee: 1n,
    budget_source: each.quote % 3,
    network_fee: 5_001n,
    signatures: 1,
  };
}

function swap(origin: Origin, each: Happening): SwapRow {
  const quote = QUOTES[each.quote]!;
  return {
    ...origin,
    ...transaction(each),
    venue: each.venue,
    pool: each.venue === 0 ? '' : address(61),
    trader: TRADERS[each.trader]!,
    is_buy: each.flag,
    quote_mint: quote,
    quote_decimals: quote === '' ? 9 : quote === QUOTES[3] ? 6 : 255,
    token_decimals: 6,
    quote_amount: each.amount,
    token_amount: each.tokens,
    price_quote: each.amount,
    price_token: each.tokens,
    price: priceDouble(each.amount, each.tokens),
    fee: each.amount / 100n,
    creator_fee: each.amount / 200n,
    lp_fee: each.amount / 500n,
    fee_in_token: each.odd,
    fee_creator: each.odd ? address(72) : '',
    virtual_quote_reserves: each.amount * 3n,
    virtual_token_reserves: each.tokens * 3n,
    real_quote_reserves: each.amount * 2n,
    real_token_reserves: each.tokens * 2n,
    reserves_known: !each.odd,
    priced: !(each.odd && each.flag),
    protocol_actor: each.odd && each.trader === 0,
    bundled: each.trader % 3,
  };
}

function attempt(origin: Origin, each: Happening): AttemptRow {
  return {
    ...origin,
    ...transaction(each),
    venue: each.venue % 2,
    trader: TRADERS[each.trader]!,
    tip_payable: 3n,
    signatures: each.trader % 3,
    side: each.trader % 3,
    outcome: 1 + (each.trader % 3),
    why: each.flag ? 'TooMuchSolRequired' : '',
    error_code: each.flag ? 6_002 : 0,
    program: each.odd ? address(81) : '',
  };
}

function transfer(origin: Origin, each: Happening): TransferRow {
  return {
    ...origin,
    sender: TRADERS[each.trader]!,
    receiver: address(91),
    amount: each.tokens,
    decimals: 6,
    ambiguous: each.odd,
    hidden: each.odd && each.flag,
  };
}

function creation(origin: Origin, each: Happening): TokenCreationRow {
  return {
    ...origin,
    creator: TRADERS[each.trader]!,
    fee_creator: each.flag ? TRADERS[each.trader]! : address(73),
    name: each.odd ? 'Quote " and \\ and \u2028 é' : 'Plain',
    symbol: 'SYM',
    uri: 'https://example.invalid/a.json',
    bonding_curve: address(51),
    decimals: 6,
    token_program: '',
    quote_mint: '',
    mayhem: each.odd,
    cashback: each.flag,
    holder_reward: false,
    creator_fee_bps: 0,
    curve_depth: 0,
    virtual_token_reserves: 0n,
    virtual_quote_reserves: 0n,
    real_token_reserves: 0n,
    supply: 10n ** 15n,
  };
}
