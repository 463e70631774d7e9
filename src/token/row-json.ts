import { quoteJson, timeText } from '../books/json-text.ts';
import type { Address } from '../chain/address.ts';
import { encodeSignature } from '../chain/keys/base58.ts';
import { SYSTEM_PROGRAM } from '../chain/well-known.ts';
import type { Swap } from '../contract/swap.ts';
import type { Written } from '../contract/written.ts';
import { AMM, BONDING_CURVE, EQUITY } from '../facts/venue.ts';
import { quoteMint, routerName } from '../programs/registry/index.ts';
import {
  BUDGET_OF_INSTRUCTIONS,
  BUNDLED,
  BUNDLED_UNKNOWN,
  BUY,
  outcomeOf,
  SIDE_UNKNOWN,
  UNKNOWN_DECIMALS,
} from '../store/clickhouse/schema/codes.ts';
import type { AttemptRow, SwapRow, TransferRow } from '../store/clickhouse/schema/tables.ts';
import { learnedSymbol } from './learned-quotes.ts';
import { ratioPrice } from './price-string.ts';

/**
 * Rows of the swaps answer as JSON. Templates by hand, because a row is written
 * once and sent many times: no field list is walked and no string is escaped
 * that cannot need it (addresses, digits, signatures).
 */

/** Swaps before this second (2026-07-06) carry no `router`. */
export const ROUTER_SINCE = Date.UTC(2026, 6, 6) / 1000;

const SOL_DECIMALS = 9;

/** A landed swap. `creator` is the launch's signer, undefined while the creation was not seen. */
export function swapJson(row: SwapRow, creator: Address | undefined): string {
  const sol = row.quote_mint === '';
  const equity = row.venue === EQUITY;
  // On the AMM, fees of pools quoted in another token are not given in SOL and so read 0.
  const fees = sol || row.venue !== AMM;
  return (
    `{${timeField(row.time)}"mint":"${row.mint}","trader":"${row.trader}","is_buy":${row.is_buy}` +
    `,"sol_amount":"${sol || equity ? row.quote_amount : 0n}","token_amount":"${row.token_amount}"` +
    priceField(row) +
    `,"fee":"${fees ? row.fee : 0n}","creator_fee":"${fees ? row.creator_fee : 0n}"` +
    `,"lp_fee":"${fees ? row.lp_fee : 0n}"` +
    (fees && row.fee_in_token ? `,"fee_mint":"${row.mint}"` : '') +
    (creator === undefined ? '' : `,"creator":"${creator}"`) +
    (row.fee_creator === '' ? '' : `,"fee_creator":"${row.fee_creator}"`) +
    tipFields(row) +
    (isFurtherLeg(row) ? ',"tip_repeated":true' : '') +
    (row.reserves_known
      ? `,"v_sol_reserves":"${row.virtual_quote_reserves}","v_token_reserves":"${row.virtual_token_reserves}"` +
        `,"real_sol_reserves":"${row.real_quote_reserves}","real_token_reserves":"${row.real_token_reserves}"`
      : '') +
    budgetFields(row) +
    placeFields(row) +
    (row.bundled === BUNDLED_UNKNOWN ? '' : `,"bundled":${row.bundled === BUNDLED}`) +
    (sol ? '' : quoteFields(row)) +
    `,"venue":${row.venue}` +
    (row.venue === AMM && row.pool !== '' ? `,"pool":"${row.pool}"` : '') +
    `,"priced":${row.priced}` +
    routerFields(row) +
    (row.partial ? ',"partial":true}' : '}')
  );
}

/** The same row as a part of an answer that is not only rows. Its template is held to the schema by tests, not by the compiler. */
export function swapRow(row: SwapRow, creator: Address | undefined): Written<Swap> {
  return JSON.parse(swapJson(row, creator));
}

/** A reverted attempt, interleaved with `failed=1`. It has no amounts and no price: nothing was exchanged. */
export function attemptJson(row: AttemptRow, creator: Address | undefined): string {
  return (
    `{${timeField(row.time)}"mint":"${row.mint}","trader":"${row.trader}"` +
    (row.side === SIDE_UNKNOWN ? '' : `,"is_buy":${row.side === BUY}`) +
    (creator === undefined ? '' : `,"creator":"${creator}"`) +
    tipFields(row) +
    budgetFields(row) +
    placeFields(row) +
    `,"bundled":false,"venue":${row.venue}` +
    routerFields(row) +
    `,"outcome":"${outcomeOf(row.outcome)}"` +
    (row.why === '' ? '' : `,"why":${quoteJson(row.why)}`) +
    (row.error_code === 0 ? '' : `,"error_code":${row.error_code}`) +
    programField(row) +
    `,"network_fee":"${row.network_fee}"` +
    (row.partial ? ',"partial":true' : '') +
    ',"failed":true}'
  );
}

/**
 * The System program's address is the store's word for none here. A code is only
 * ever recorded with the program that gave it, so one without a program is its own.
 */
function programField({ program, error_code }: AttemptRow): string {
  const raisedBy = program === '' && error_code !== 0 ? SYSTEM_PROGRAM : program;
  return raisedBy === '' ? '' : `,"program":"${raisedBy}"`;
}

/** A token send, interleaved with `transfers=1`. */
export function transferJson(row: TransferRow): string {
  return (
    `{${timeField(row.time)}"mint":"${row.mint}","trader":"${row.sender}","to":"${row.receiver}"` +
    `,"token_amount":"${row.amount}"` +
    placeFields(row) +
    (row.ambiguous ? ',"ambiguous":true' : '') +
    (row.partial ? ',"partial":true' : '') +
    ',"transfer":true}'
  );
}

/** `price` of a swap row as it is printed; undefined while decimals are unknown. */
export function swapPrice(row: PricedColumns): string | undefined {
  return row.quote_mint === '' || row.venue === EQUITY ? quotePrice(row) : '0';
}

/** Price in the row's own quote, whole units per whole token; undefined while decimals are unknown. */
export function quotePrice(row: Omit<PricedColumns, 'venue'>): string | undefined {
  const quoteDecimals = knownQuoteDecimals(row);
  if (quoteDecimals === undefined || row.token_decimals === UNKNOWN_DECIMALS) return undefined;
  return ratioPrice({
    quote: row.price_quote,
    token: row.price_token,
    quoteDecimals,
    tokenDecimals: row.token_decimals,
  });
}

/** The columns a price is printed from. */
export type PricedColumns = Pick<
  SwapRow,
  'venue' | 'quote_mint' | 'quote_decimals' | 'token_decimals' | 'price_quote' | 'price_token'
>;

/** Decimals of a row's quote: what the row knows, else what the registry knows. */
export function knownQuoteDecimals(row: Pick<SwapRow, 'quote_mint' | 'quote_decimals'>): number | undefined {
  if (row.quote_decimals !== UNKNOWN_DECIMALS) return row.quote_decimals;
  return row.quote_mint === '' ? SOL_DECIMALS : quoteMint(row.quote_mint)?.decimals;
}

function timeField(seconds: number): string {
  return seconds === 0 ? '' : `"time":"${timeText(seconds)}",`;
}

function priceField(row: SwapRow): string {
  const price = swapPrice(row);
  return price === undefined ? '' : `,"price":"${price}"`;
}

function tipFields(row: Pick<SwapRow, 'tip' | 'tip_wallet'>): string {
  return `,"tip":"${row.tip}"${row.tip_wallet === '' ? '' : `,"tip_wallet":"${row.tip_wallet}"`}`;
}

/** The network's fee, which every transaction pays, stands on its first swap alone: a swap without one repeats the tip of another. */
function isFurtherLeg({ tip, network_fee }: Pick<SwapRow, 'tip' | 'network_fee'>): boolean {
  return tip > 0n && network_fee === 0n;
}

type BudgetColumns = Pick<SwapRow, 'venue' | 'fee_payer' | 'cu_price' | 'cu_limit' | 'priority_fee' | 'budget_source'>;

/** Only curve rows carry the compute budget; elsewhere 0 means not measured. */
function budgetFields(row: BudgetColumns): string {
  const start = `,"fee_payer":"${row.fee_payer}"`;
  if (row.venue !== BONDING_CURVE) return `${start},"cu_price":"0","cu_limit":"0","priority_fee":"0"`;
  return (
    `${start},"cu_price":"${row.cu_price}","cu_limit":"${row.cu_limit}","priority_fee":"${row.priority_fee}"` +
    (row.budget_source === BUDGET_OF_INSTRUCTIONS ? '' : `,"budget_source":${row.budget_source}`)
  );
}

function placeFields(row: Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'signature'>): string {
  return (
    `,"slot":${row.slot},"block_index":${row.block_index},"ix_index":${row.ix_index}` +
    `,"sig":"${encodeSignature(row.signature)}"`
  );
}

/** Symbol and decimals of a quote, as far as known. `''` is SOL. */
export function quoteUnit(mint: Address | '', decimals: number | undefined): QuoteUnit {
  const symbol = mint === '' ? 'SOL' : (quoteMint(mint)?.symbol ?? learnedSymbol(mint));
  return { quote_symbol: symbol, quote_decimals: decimals };
}

/** The same for a template. */
export function quoteUnitText(mint: Address | '', decimals: number | undefined): string {
  const { quote_symbol, quote_decimals } = quoteUnit(mint, decimals);
  return (
    (quote_symbol === undefined ? '' : `,"quote_symbol":${quoteJson(quote_symbol)}`) +
    (quote_decimals === undefined ? '' : `,"quote_decimals":${quote_decimals}`)
  );
}

/** The unit of amounts in a quote; without any field where that is SOL. */
export function quoteOfAmounts(row: Pick<SwapRow, 'quote_mint' | 'quote_decimals'>): Partial<QuoteOfAmounts> {
  const { quote_mint } = row;
  return quote_mint === '' ? {} : { quote_mint, ...quoteUnit(quote_mint, knownQuoteDecimals(row)) };
}

export interface QuoteUnit {
  readonly quote_symbol: string | undefined;
  readonly quote_decimals: number | undefined;
}

interface QuoteOfAmounts extends QuoteUnit {
  readonly quote_mint: Address;
}

function quoteFields(row: SwapRow): string {
  return (
    `,"quote_mint":"${row.quote_mint}","quote_amount":"${row.quote_amount}"` +
    quoteUnitText(row.quote_mint, knownQuoteDecimals(row))
  );
}

/** The name covers all history; the program itself is only given for swaps since the day it was first recorded. */
function routerFields(row: Pick<SwapRow, 'router' | 'time'>): string {
  if (row.router === '') return '';
  const name = routerName(row.router);
  return (
    (row.time < ROUTER_SINCE ? '' : `,"router":"${row.router}"`) +
    (name === undefined ? '' : `,"router_name":${quoteJson(name)}`)
  );
}
