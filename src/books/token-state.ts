import type { Address } from '../chain/address.ts';
import { equity } from '../programs/registry/index.ts';
import type { TokenFacts } from '../queries/token-reads.ts';
import type {
  CreatorChangeRow,
  CurveCompletionRow,
  SwapRow,
  TokenCreationRow,
  TokenGraduationRow,
} from '../store/clickhouse/tables.ts';
import { quoteJson, timeJson } from './json-text.ts';
import { comparePlaces, type Place } from './place.ts';
import {
  AMM,
  BONDING_CURVE,
  knownQuoteDecimals,
  quotePrice,
  quoteUnitFields,
  swapPrice,
  UNKNOWN_DECIMALS,
} from './row-json.ts';

/** What is known of a token: the news of its life, each from a fact of its own. */
export interface TokenState extends TokenFacts {
  readonly mint: Address;
}

/** News of one block for one token, as far as a snapshot is concerned. */
export interface TokenNews {
  readonly creations: readonly TokenCreationRow[];
  readonly completions: readonly CurveCompletionRow[];
  readonly graduations: readonly TokenGraduationRow[];
  readonly creatorChanges: readonly CreatorChangeRow[];
  readonly swaps: readonly SwapRow[];
}

/** The state after later news. */
export function foldToken(state: TokenState, news: TokenNews): TokenState {
  return {
    mint: state.mint,
    hydrated: state.hydrated,
    creation: state.creation ?? news.creations[0],
    completion: state.completion ?? news.completions[0],
    graduation: state.graduation ?? news.graduations[0],
    creatorChange: newest(state.creatorChange, news.creatorChanges.at(-1)),
    lastSwap: newest(state.lastSwap, news.swaps.at(-1)),
    lastPriced: newest(
      state.lastPriced,
      news.swaps.findLast((swap) => swap.priced),
    ),
  };
}

function newest<T extends Place>(known: T | undefined, later: T | undefined): T | undefined {
  if (known === undefined || later === undefined) return later ?? known;
  return comparePlaces(known, later) > 0 ? known : later;
}

/** Whether anything was seen of the token itself: its creation, its graduation or a swap. */
export function isKnown(state: TokenState): boolean {
  return state.creation !== undefined || state.graduation !== undefined || state.lastSwap !== undefined;
}

/** The launch's signer; undefined while the creation was not seen. */
export function creatorOf({ creation }: TokenState): Address | undefined {
  return creation === undefined || creation.creator === '' ? undefined : creation.creator;
}

/** The token's own quote: what its newest priced swap was quoted in, else what it was created with. '' is SOL. */
export function quoteOf({ lastPriced, creation, hydrated }: TokenState): Address | '' {
  return lastPriced?.quote_mint ?? (creation ?? hydrated)?.quote_mint ?? '';
}

/** Decimals of the token; undefined while neither its creation nor its mint nor a swap told. */
export function decimalsOf({ creation, hydrated, lastPriced, lastSwap }: TokenState): number | undefined {
  const told = creation ?? hydrated;
  if (told !== undefined) return told.decimals;
  const decimals = (lastPriced ?? lastSwap)?.token_decimals;
  return decimals === UNKNOWN_DECIMALS ? undefined : decimals;
}

/** The fields that snapshots and list rows share, without the braces. */
export function tokenFields(state: TokenState): string {
  const { mint, lastSwap } = state;
  const decimals = decimalsOf(state);
  return (
    `"mint":"${mint}"` +
    creationFields(state) +
    (decimals === undefined ? '' : `,"decimals":${decimals}`) +
    statusFields(state) +
    priceFields(state) +
    (lastSwap === undefined || lastSwap.time === 0 ? '' : `,"last_trade_at":${timeJson(lastSwap.time)}`) +
    modeFields(state)
  );
}

function modeFields({ creation, hydrated }: TokenState): string {
  const told = creation ?? hydrated;
  if (told === undefined) return ',"partial":true';
  return (
    (told.bonding_curve === '' && creation === undefined ? '' : `,"mayhem":${told.mayhem}`) +
    (told.cashback ? ',"cashback":true' : '') +
    (creation?.partial === true ? ',"partial":true' : '')
  );
}

function creationFields(state: TokenState): string {
  const { creation, creatorChange } = state;
  if (creation === undefined) return nameFields(state) + hydratedFields(state);
  const creator = creatorOf(state);
  const feeCreator = creatorChange?.creator ?? creation.fee_creator;
  return (
    (creator === undefined ? '' : `,"creator":"${creator}"`) +
    (feeCreator === '' || feeCreator === creator ? '' : `,"fee_creator":"${feeCreator}"`) +
    `${nameFields(state)},"uri":${quoteJson(creation.uri)}` +
    (creation.bonding_curve === '' ? '' : `,"bonding_curve":"${creation.bonding_curve}"`) +
    (creation.time === 0 ? '' : `,"created_at":${timeJson(creation.time)}`) +
    (creation.slot === 0 ? '' : `,"created_slot":${creation.slot}`)
  );
}

/** What accounts tell of a token as its creation would have, without who launched it and when. */
function hydratedFields({ hydrated, creatorChange }: TokenState): string {
  if (hydrated === undefined) return '';
  // The account was read after every change up to its slot.
  const isOlder = creatorChange === undefined || creatorChange.slot <= hydrated.slot;
  const feeCreator = isOlder ? hydrated.fee_creator : creatorChange.creator;
  return (
    (feeCreator === '' ? '' : `,"fee_creator":"${feeCreator}"`) +
    (hydrated.named ? `,"uri":${quoteJson(hydrated.uri)}` : '') +
    (hydrated.bonding_curve === '' ? '' : `,"bonding_curve":"${hydrated.bonding_curve}"`)
  );
}

/** Name and symbol. Tokenized shares are created by their issuers; the registry knows theirs. */
export function nameFields({ mint, creation, hydrated }: TokenState): string {
  const named = creation ?? equity(mint) ?? (hydrated?.named === true ? hydrated : undefined);
  if (named === undefined) return '';
  const name = named.name === undefined ? '' : `,"name":${quoteJson(named.name)}`;
  return `${name},"symbol":${quoteJson(named.symbol)}`;
}

/**
 * `bonding` until the migration; a completed curve only waits for it. A token
 * that trades on its canonical pool has graduated even if nobody saw it happen.
 * Tokens that never were on the launchpad have no status.
 */
export function statusOf(state: TokenState): 'bonding' | 'graduated' | undefined {
  if (state.graduation !== undefined || poolOf(state) !== '') return 'graduated';
  return isLaunched(state) ? 'bonding' : undefined;
}

function statusFields(state: TokenState): string {
  const { graduation, completion } = state;
  const status = statusOf(state);
  const pool = poolOf(state);
  return (
    (status === undefined ? '' : `,"status":"${status}"`) +
    (completion === undefined || completion.time === 0 ? '' : `,"complete_at":${timeJson(completion.time)}`) +
    (graduation === undefined || graduation.time === 0 ? '' : `,"graduated_at":${timeJson(graduation.time)}`) +
    (pool === '' ? '' : `,"amm_pool":"${pool}"`)
  );
}

/** The canonical pool, as whichever fact comes first tells. */
function poolOf(state: TokenState): Address | '' {
  return state.graduation?.pool || canonicalPool(state) || (state.hydrated?.pool ?? '');
}

/** The pool of the newest priced swap, when that is an AMM's: only canonical pools price a token of the launchpad. */
function canonicalPool({ lastPriced }: TokenState): Address | '' {
  return lastPriced?.venue === AMM ? lastPriced.pool : '';
}

function isLaunched({ creation, hydrated, lastPriced }: TokenState): boolean {
  return creation !== undefined || (hydrated?.bonding_curve ?? '') !== '' || lastPriced?.venue === BONDING_CURVE;
}

function priceFields(state: TokenState): string {
  const quote = quoteOf(state);
  const last = state.lastPriced;
  const price = last === undefined ? undefined : swapPrice(last);
  const fields = price === undefined ? '' : `,"last_price":"${price}"`;
  if (quote === '') return fields;
  const quoted = last === undefined ? undefined : quotePrice(last);
  return (
    `${fields},"quote_mint":"${quote}"` +
    (quoted === undefined ? '' : `,"last_quote_price":"${quoted}"`) +
    quoteUnitFields(quote, knownQuoteDecimals(last ?? { quote_mint: quote, quote_decimals: UNKNOWN_DECIMALS }))
  );
}

/** The snapshot's bytes. */
export function snapshotBody(state: TokenState): Buffer {
  return Buffer.from(`{${tokenFields(state)}}`);
}
