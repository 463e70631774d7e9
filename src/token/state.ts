import { quoteJson, timeJson } from '../books/json-text.ts';
import { comparePlaces, type Place } from '../books/place.ts';
import type { Address } from '../chain/address.ts';
import { AMM, BONDING_CURVE } from '../facts/venue.ts';
import { equity } from '../programs/registry/index.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import type {
  CreatorChangeRow,
  CurveCompletionRow,
  SwapRow,
  TokenCreationRow,
  TokenGraduationRow,
} from '../store/clickhouse/schema/tables.ts';
import { curveProgress } from './curve-progress.ts';
import type { LatestSwapRow, TokenFacts } from './facts.ts';
import { deepestPool, foldHighs, foldMarkets } from './markets.ts';
import { metadataJson } from './metadata-reads.ts';
import { knownQuoteDecimals, quotePrice, quoteUnitFields, swapPrice } from './row-json.ts';
import { valueFields } from './value.ts';

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
  const lastPriced = newest(
    state.lastPriced,
    news.swaps.findLast((swap) => swap.priced),
  );
  return {
    mint: state.mint,
    hydrated: state.hydrated,
    metadata: state.metadata,
    image: state.image,
    creation: state.creation ?? news.creations[0],
    completion: state.completion ?? news.completions[0],
    graduation: state.graduation ?? news.graduations[0],
    creatorChange: newest(state.creatorChange, news.creatorChanges.at(-1)),
    lastSwap: newest(state.lastSwap, news.swaps.at(-1)),
    lastPriced,
    highs: foldHighs(state.highs ?? [], news.swaps),
    markets: lastPriced === undefined ? foldMarkets(state.markets ?? [], news.swaps) : undefined,
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

/**
 * The swap whose price is the token's: the newest on its curve, in its canonical
 * pool or of a tokenized share; of a token that has none of these the newest in
 * its deepest pool.
 */
export function pricingSwap(state: TokenState): LatestSwapRow | undefined {
  const { lastPriced, markets } = state;
  if (lastPriced !== undefined || markets === undefined || isLaunched(state)) return lastPriced;
  return deepestPool(markets);
}

/** The token's own quote: what the swap that prices it was quoted in, else what it was created with. '' is SOL. */
export function quoteOf(state: TokenState): Address | '' {
  return pricingSwap(state)?.quote_mint ?? (state.creation ?? state.hydrated)?.quote_mint ?? '';
}

/** Raw units ever made, the burned ones among them; of a token whose creation was not seen what its mint says. Undefined while unknown. */
export function supplyOf({ creation, hydrated }: TokenState): bigint | undefined {
  return (creation ?? hydrated)?.supply || undefined;
}

/** Decimals of the token; undefined while neither its creation nor its mint nor a swap told. */
export function decimalsOf({ creation, hydrated, lastPriced, lastSwap }: TokenState): number | undefined {
  const told = creation ?? hydrated;
  if (told !== undefined) return told.decimals;
  const decimals = (lastPriced ?? lastSwap)?.token_decimals;
  return decimals === UNKNOWN_DECIMALS ? undefined : decimals;
}

/** The fields that snapshots and list rows share, without the braces. `solUsd`: dollars per SOL, undefined while unknown. */
export function tokenFields(state: TokenState, solUsd: number | undefined): string {
  const { mint, lastSwap, image } = state;
  const decimals = decimalsOf(state);
  return (
    `"mint":"${mint}"` +
    creationFields(state) +
    (decimals === undefined ? '' : `,"decimals":${decimals}`) +
    statusFields(state) +
    priceFields(state, solUsd) +
    highFields(state) +
    (lastSwap === undefined || lastSwap.time === 0 ? '' : `,"last_trade_at":${timeJson(lastSwap.time)}`) +
    (image === undefined || image === '' ? '' : `,"image":${quoteJson(image)}`) +
    modeFields(state)
  );
}

function modeFields({ creation, hydrated }: TokenState): string {
  const told = creation ?? hydrated;
  // Whatever accounts tell, nobody saw who launched it, and what happened to it before our data.
  const partial = (creation?.partial ?? true) ? ',"partial":true' : '';
  if (told === undefined) return partial;
  return (
    (told.bonding_curve === '' && creation === undefined ? '' : `,"mayhem":${told.mayhem}`) +
    (told.cashback ? ',"cashback":true' : '') +
    partial
  );
}

function creationFields(state: TokenState): string {
  const { creation } = state;
  const creator = creatorOf(state);
  const feeCreator = feeCreatorOf(state);
  return (
    (creator === undefined ? '' : `,"creator":"${creator}"`) +
    (feeCreator === '' || feeCreator === creator ? '' : `,"fee_creator":"${feeCreator}"`) +
    nameFields(state) +
    (creation === undefined ? hydratedFields(state) : birthFields(creation))
  );
}

function birthFields({ uri, bonding_curve, time, slot }: TokenCreationRow): string {
  return (
    `,"uri":${quoteJson(uri)}` +
    (bonding_curve === '' ? '' : `,"bonding_curve":"${bonding_curve}"`) +
    (time === 0 ? '' : `,"created_at":${timeJson(time)}`) +
    (slot === 0 ? '' : `,"created_slot":${slot}`)
  );
}

/** Who earns the creator fees now; '' while nobody tells. */
export function feeCreatorOf({ creation, hydrated, creatorChange }: TokenState): Address | '' {
  if (creation !== undefined) return creatorChange?.creator ?? creation.fee_creator;
  // The account was read after every change up to its slot.
  const isOlder = creatorChange === undefined || (hydrated !== undefined && creatorChange.slot <= hydrated.slot);
  return isOlder ? (hydrated?.fee_creator ?? '') : creatorChange.creator;
}

/** What accounts tell of a token as its creation would have, without who launched it and when. */
function hydratedFields({ hydrated }: TokenState): string {
  if (hydrated === undefined) return '';
  return (
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
  if (state.graduation !== undefined || canonicalPoolOf(state) !== '') return 'graduated';
  return isLaunched(state) ? 'bonding' : undefined;
}

function statusFields(state: TokenState): string {
  const { graduation, completion } = state;
  const status = statusOf(state);
  const pool = canonicalPoolOf(state);
  const progress = status === undefined ? undefined : curveProgress(state, status === 'graduated');
  return (
    (status === undefined ? '' : `,"status":"${status}"`) +
    (progress === undefined ? '' : `,"curve_progress_pct":${progress}`) +
    (completion === undefined || completion.time === 0 ? '' : `,"complete_at":${timeJson(completion.time)}`) +
    (graduation === undefined || graduation.time === 0 ? '' : `,"graduated_at":${timeJson(graduation.time)}`) +
    (pool === '' ? '' : `,"amm_pool":"${pool}"`)
  );
}

/** The canonical pool, as whichever fact comes first tells; '' while none does. */
export function canonicalPoolOf(state: TokenState): Address | '' {
  return state.graduation?.pool || canonicalPool(state) || (state.hydrated?.pool ?? '');
}

/** The pool of the newest priced swap, when that is an AMM's: only canonical pools price a token of the launchpad. */
function canonicalPool({ lastPriced }: TokenState): Address | '' {
  return lastPriced?.venue === AMM ? lastPriced.pool : '';
}

function isLaunched({ creation, hydrated, lastPriced }: TokenState): boolean {
  return creation !== undefined || (hydrated?.bonding_curve ?? '') !== '' || lastPriced?.venue === BONDING_CURVE;
}

function priceFields(state: TokenState, solUsd: number | undefined): string {
  const quote = quoteOf(state);
  const last = pricingSwap(state);
  const price = last === undefined ? undefined : swapPrice(last);
  const fields = (price === undefined ? '' : `,"last_price":"${price}"`) + valueFields(last, supplyOf(state), solUsd);
  if (quote === '') return fields;
  const quoted = last === undefined ? undefined : quotePrice(last);
  return (
    `${fields},"quote_mint":"${quote}"` +
    (quoted === undefined ? '' : `,"last_quote_price":"${quoted}"`) +
    quoteUnitFields(quote, knownQuoteDecimals(last ?? { quote_mint: quote, quote_decimals: UNKNOWN_DECIMALS }))
  );
}

/** The highest price in the token's own quote. */
function highFields(state: TokenState): string {
  const quote = quoteOf(state);
  const high = state.highs?.find(({ quote_mint }) => quote_mint === quote);
  const price = high === undefined ? undefined : quotePrice(high);
  if (high === undefined || price === undefined) return '';
  return `,"ath_price":"${price}"${high.time === 0 ? '' : `,"ath_at":${timeJson(high.time)}`}`;
}

/** The snapshot's bytes. `solUsd`: dollars per SOL, undefined while unknown. */
export function snapshotBody(state: TokenState, solUsd: number | undefined): Buffer {
  const { metadata } = state;
  const document = metadata === undefined ? '' : `,"metadata":${metadataJson(metadata)}`;
  return Buffer.from(`{${tokenFields(state, solUsd)}${document}}`);
}
