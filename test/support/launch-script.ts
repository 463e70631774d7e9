import fc from 'fast-check';
import type { Address } from '../../src/chain/address.ts';
import { priceDouble } from '../../src/store/clickhouse/schema/price-double.ts';
import type { AttemptRow, SwapRow, TokenCreationRow } from '../../src/store/clickhouse/schema/tables.ts';
import { address } from './token-world-rows.ts';

/** Launches told as transactions, and the rows that ingest would make of them. */

export const LAUNCH_MINT = address(11);
export const CREATOR = address(21);
export const CREATED_SLOT = 400_000_000;
export const CREATED_INDEX = 40;
/** After routers are told. */
export const LAUNCH_TIME = 1_790_000_000;
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

/** A trade inside a transaction that landed. */
export interface Leg {
  readonly wallet: Address;
  readonly isBuy: boolean;
  readonly tokens: bigint;
  readonly quote: bigint;
  readonly fee: bigint;
  readonly isActor: boolean;
  readonly venue: 0 | 1;
  readonly quoteMint: Address | '';
}

/** The end of a transaction that did not land. */
export interface Revert {
  readonly wallet: Address;
  readonly side: 'buy' | 'sell' | 'unknown';
  readonly outcome: 'rejected' | 'self_abort' | 'failed_unknown';
  readonly why: string;
  readonly venue: 0 | 1;
}

export interface LaunchTransaction {
  /** From the creation's slot on. */
  readonly after: number;
  readonly index: number;
  /** Its swaps, or its revert. */
  readonly legs: readonly Leg[];
  readonly revert: Revert | undefined;
  readonly tip: bigint;
  readonly cuPrice: bigint;
  readonly budgetSource: 0 | 1 | 2;
  readonly networkFee: bigint;
  /** Who paid the fee; whoever traded where it is left out. */
  readonly payer?: Address | undefined;
  /** Of a revert: as much of the tip as its payer had, all of it when left out. */
  readonly tipPayable?: bigint | undefined;
  /** Of a revert: 0 on rows from before these were kept. */
  readonly signatures: number;
  readonly router: Address | '';
  readonly program: Address | '';
  /** Came without its block. */
  readonly partial: boolean;
}

export function leg(wallet: Address, more: Partial<Leg> = {}): Leg {
  return {
    wallet,
    isBuy: true,
    tokens: 10_000_000_000_000n,
    quote: 300_000_000n,
    fee: 3_000_000n,
    isActor: false,
    venue: 0,
    quoteMint: '',
    ...more,
  };
}

export function landed(
  after: number,
  index: number,
  legs: Leg | readonly Leg[],
  more: Partial<LaunchTransaction> = {},
): LaunchTransaction {
  return { ...BARE, after, index, legs: Array.isArray(legs) ? legs : [legs as Leg], ...more };
}

export function reverted(
  after: number,
  index: number,
  revert: Partial<Revert> & Pick<Revert, 'wallet'>,
  more: Partial<LaunchTransaction> = {},
): LaunchTransaction {
  const whole: Revert = { side: 'buy', outcome: 'rejected', why: '', venue: 0, ...revert };
  return { ...BARE, after, index, revert: whole, ...more };
}

const BARE: Omit<LaunchTransaction, 'after' | 'index'> = {
  legs: [],
  revert: undefined,
  tip: 0n,
  cuPrice: 1_000n,
  budgetSource: 0,
  networkFee: 5_000n,
  signatures: 1,
  router: '',
  program: '',
  partial: false,
};

export const creationRow: TokenCreationRow = {
  mint: LAUNCH_MINT,
  slot: CREATED_SLOT,
  block_index: CREATED_INDEX,
  ix_index: 2,
  time: LAUNCH_TIME,
  signature: signatureOf({ after: 0, index: CREATED_INDEX }),
  partial: false,
  creator: CREATOR,
  fee_creator: CREATOR,
  name: 'Launched',
  symbol: 'LNCH',
  uri: '',
  bonding_curve: address(51),
  decimals: 6,
  token_program: '',
  quote_mint: '',
  mayhem: false,
  cashback: false,
  holder_reward: false,
  creator_fee_bps: 0,
  curve_depth: 0,
  virtual_token_reserves: 0n,
  virtual_quote_reserves: 0n,
  real_token_reserves: 0n,
  supply: 10n ** 15n,
};

export interface LaunchScriptRows {
  readonly swaps: SwapRow[];
  readonly attempts: AttemptRow[];
}

/** Rows in order of place. */
export function rowsOf(script: readonly LaunchTransaction[]): LaunchScriptRows {
  const ordered = [...script].sort((a, b) => a.after - b.after || a.index - b.index);
  return {
    swaps: ordered.flatMap((each) => each.legs.map((one, place) => swapRow(each, one, place, script))),
    attempts: ordered.flatMap((each) => (each.revert === undefined ? [] : [attemptRow(each, each.revert)])),
  };
}

function originOf(transaction: LaunchTransaction, place: number) {
  return {
    mint: LAUNCH_MINT,
    slot: CREATED_SLOT + transaction.after,
    block_index: transaction.index,
    ix_index: 3 + place,
    time: LAUNCH_TIME + Math.floor(transaction.after / 3),
    signature: signatureOf(transaction),
    partial: transaction.partial,
    router: transaction.router,
    tip: transaction.tip,
    tip_wallet: transaction.tip === 0n ? ('' as const) : TIP_WALLET,
    cu_limit: 100_000,
    budget_source: transaction.budgetSource,
  };
}

/** Jito's, which the registry knows. */
const TIP_WALLET = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5' as Address;

function budgetOf({ cuPrice, budgetSource }: LaunchTransaction, venue: 0 | 1) {
  if (venue === 1) return { cu_price: 0n, cu_limit: 0, priority_fee: 0n, budget_source: 0 };
  if (budgetSource === 2) return { cu_price: 0n, cu_limit: 0, priority_fee: 777n };
  return { cu_price: cuPrice, priority_fee: (cuPrice * 100_000n) / 1_000_000n };
}

function swapRow(transaction: LaunchTransaction, one: Leg, place: number, all: readonly LaunchTransaction[]): SwapRow {
  return {
    ...originOf(transaction, place),
    ...budgetOf(transaction, one.venue),
    fee_payer: transaction.payer ?? one.wallet,
    network_fee: place === 0 ? transaction.networkFee : 0n,
    signatures: transaction.signatures,
    venue: one.venue,
    pool: one.venue === 0 ? '' : address(61),
    trader: one.wallet,
    is_buy: one.isBuy,
    quote_mint: one.quoteMint,
    quote_decimals: one.quoteMint === '' ? 9 : one.quoteMint === USDC ? 6 : 255,
    token_decimals: 6,
    quote_amount: one.quote,
    token_amount: one.tokens,
    price_quote: one.quote,
    price_token: one.tokens,
    price: priceDouble(one.quote, one.tokens),
    fee: one.fee,
    creator_fee: 0n,
    lp_fee: 0n,
    fee_in_token: false,
    fee_creator: '',
    virtual_quote_reserves: 30_000_000_000n,
    virtual_token_reserves: 1_000_000_000_000_000n,
    real_quote_reserves: 1n,
    real_token_reserves: 1n,
    reserves_known: true,
    priced: one.venue === 0,
    protocol_actor: one.isActor,
    bundled: transaction.partial ? 2 : hasNeighbour(transaction, all) ? 1 : 0,
  };
}

/** Another transaction of the slot, right beside it, that swapped the token. */
export function hasNeighbour(transaction: LaunchTransaction, all: readonly LaunchTransaction[]): boolean {
  return all.some(
    (other) =>
      other.after === transaction.after &&
      Math.abs(other.index - transaction.index) === 1 &&
      other.legs.length > 0 &&
      !other.partial,
  );
}

function attemptRow(transaction: LaunchTransaction, revert: Revert): AttemptRow {
  return {
    ...originOf(transaction, 0),
    ...budgetOf(transaction, revert.venue),
    fee_payer: transaction.payer ?? revert.wallet,
    tip_payable: transaction.signatures === 0 ? 0n : (transaction.tipPayable ?? transaction.tip),
    signatures: transaction.signatures,
    network_fee: transaction.networkFee,
    venue: revert.venue,
    trader: revert.wallet,
    side: { sell: 0, buy: 1, unknown: 2 }[revert.side],
    outcome: { rejected: 1, self_abort: 2, failed_unknown: 3 }[revert.outcome],
    why: revert.why,
    error_code: 0,
    program: transaction.program,
  };
}

export function signatureOf({ after, index }: Pick<LaunchTransaction, 'after' | 'index'>): Uint8Array {
  const bytes = new Uint8Array(64).fill(7);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, after);
  view.setUint32(4, index);
  return bytes;
}

/** Few wallets, so that they come again; the creator among them. */
const WALLETS = [CREATOR, ...[22, 23, 24, 25].map(address)];
const AGENT = address(29);

const arbitraryLeg: fc.Arbitrary<Leg> = fc
  .record({
    wallet: fc.constantFrom(...WALLETS),
    isBuy: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    tokens: fc.bigInt(1n, 10n ** 14n),
    quote: fc.bigInt(1n, 10n ** 10n),
    fee: fc.bigInt(0n, 10n ** 8n),
    isActor: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    venue: fc.constantFrom(0, 0, 0, 1),
    quoteMint: fc.constantFrom('' as const, '' as const, USDC),
  })
  .map((shape) => ({ ...shape, wallet: shape.isActor ? AGENT : shape.wallet }) as Leg);

const arbitraryRevert: fc.Arbitrary<Revert> = fc.record({
  wallet: fc.constantFrom(...WALLETS),
  side: fc.constantFrom('buy', 'buy', 'unknown', 'sell'),
  outcome: fc.constantFrom('rejected', 'self_abort', 'failed_unknown'),
  why: fc.constantFrom('', 'TooMuchSolRequired'),
  venue: fc.constantFrom(0, 0, 0, 1),
}) as fc.Arbitrary<Revert>;

/** Transactions at places of their own, near each other, some of them past the race's end. */
export function launchScripts(maxTransactions: number, options: { readonly partial: boolean }) {
  const transaction: fc.Arbitrary<LaunchTransaction> = fc
    .record({
      after: fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, fc.nat(8)),
      index: fc.integer({ min: 30, max: 60 }),
      content: fc.oneof(
        fc.array(arbitraryLeg, { minLength: 1, maxLength: 3 }).map((legs) => ({ legs, revert: undefined })),
        arbitraryRevert.map((revert) => ({ legs: [], revert })),
      ),
      tip: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 7n)),
      cuPrice: fc.bigInt(0n, 10n ** 7n),
      budgetSource: fc.constantFrom(0 as const, 0 as const, 1 as const, 2 as const),
      networkFee: fc.bigInt(5_000n, 10n ** 6n),
      payer: fc.option(fc.constantFrom(...WALLETS), { nil: undefined, freq: 3 }),
      tipPayable: fc.option(fc.bigInt(0n, 10n ** 6n), { nil: undefined }),
      signatures: fc.constantFrom(1, 1, 1, 1, 2, 0),
      router: fc.constantFrom('' as const, address(41)),
      program: fc.constantFrom('' as const, address(81)),
      partial: options.partial ? fc.boolean() : fc.constant(false),
    })
    .map(({ content, ...rest }) => ({ ...rest, ...content }));
  return fc.uniqueArray(transaction, {
    maxLength: maxTransactions,
    selector: ({ after, index }) => `${after} ${index}`,
  });
}
