import { jsonBody, knownTime } from '../books/json-text.ts';
import { comparePlaces, type Place } from '../books/place.ts';
import type { Address } from '../chain/address.ts';
import type { CreatedLeader, TokenSnapshot } from '../contract/token.ts';
import type { Written } from '../contract/written.ts';
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
import { documentFields } from './metadata-reads.ts';
import { knownQuoteDecimals, quotePrice, quoteUnit, swapPrice } from './row-json.ts';
import { shownName } from './shown-name.ts';
import { valueFields } from './value.ts';

/** Facts of a token: the news of its life, each from a fact of its own. */
export interface TokenState extends TokenFacts {
  readonly mint: Address;
}

/** Some fields of a snapshot. */
type TokenPart = Partial<Written<TokenSnapshot>>;

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

/** True when anything was seen of the token itself: its creation, its graduation or a swap. */
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

/** Decimals of the token; undefined while neither its creation nor its mint nor a swap told, nor without one a pool or a send. */
export function decimalsOf({ creation, hydrated, lastPriced, lastSwap, traces }: TokenState): number | undefined {
  const told = creation ?? hydrated;
  if (told !== undefined) return told.decimals;
  const swap = lastPriced ?? lastSwap;
  if (swap === undefined) return traces?.decimals;
  return swap.token_decimals === UNKNOWN_DECIMALS ? undefined : swap.token_decimals;
}

/** The fields that snapshots and list rows share. `solUsd`: dollars per SOL, undefined while unknown. */
export function tokenFields(state: TokenState, solUsd: number | undefined): Written<TokenSnapshot> {
  const { mint, lastSwap, image } = state;
  return {
    mint,
    ...creationFields(state),
    decimals: decimalsOf(state),
    ...statusFields(state),
    ...priceFields(state, solUsd),
    ...highFields(state),
    last_trade_at: knownTime(lastSwap?.time ?? 0),
    image: image || undefined,
    ...modeFields(state),
  };
}

function modeFields({ creation, hydrated }: TokenState): TokenPart {
  const told = creation ?? hydrated;
  // Whatever accounts tell, nobody saw who launched it, and what happened to it before our data.
  const partial = (creation?.partial ?? true) || undefined;
  if (told === undefined) return { partial };
  return {
    mayhem: told.bonding_curve === '' && creation === undefined ? undefined : told.mayhem,
    cashback: told.cashback || undefined,
    partial,
  };
}

function creationFields(state: TokenState): TokenPart {
  const { creation } = state;
  const creator = creatorOf(state);
  const feeCreator = feeCreatorOf(state);
  return {
    creator,
    fee_creator: feeCreator === creator ? undefined : feeCreator || undefined,
    ...nameOf(state),
    ...(creation === undefined ? hydratedFields(state) : birthFields(creation)),
  };
}

function birthFields({ uri, bonding_curve, time, slot }: TokenCreationRow): TokenPart {
  return {
    uri,
    bonding_curve: bonding_curve || undefined,
    created_at: knownTime(time),
    created_slot: slot || undefined,
  };
}

/** Address that earns the creator fees now; '' while nothing tells it. */
export function feeCreatorOf({ creation, hydrated, creatorChange }: TokenState): Address | '' {
  if (creation !== undefined) return creatorChange?.creator ?? creation.fee_creator;
  // The account was read after every change up to its slot.
  const isOlder = creatorChange === undefined || (hydrated !== undefined && creatorChange.slot <= hydrated.slot);
  return isOlder ? (hydrated?.fee_creator ?? '') : creatorChange.creator;
}

/** Fields that accounts tell of a token as its creation would have, without who launched it and when. */
function hydratedFields({ hydrated }: TokenState): TokenPart {
  return {
    uri: hydrated?.named === true ? hydrated.uri : undefined,
    bonding_curve: hydrated?.bonding_curve || undefined,
  };
}

/** Name and symbol as they are shown, as far as known. Tokenized shares are created by their issuers; the registry knows theirs. */
export function nameOf({ mint, creation, hydrated }: TokenState): Pick<TokenPart, 'name' | 'symbol'> {
  const named = creation ?? equity(mint) ?? (hydrated?.named === true ? hydrated : undefined);
  const shown = (text: string | undefined) => (text === undefined ? undefined : shownName(text));
  return { name: shown(named?.name), symbol: shown(named?.symbol) };
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

function statusFields(state: TokenState): TokenPart {
  const { graduation, completion } = state;
  const status = statusOf(state);
  return {
    status,
    curve_progress_pct: status === undefined ? undefined : curveProgress(state, status === 'graduated'),
    complete_at: knownTime(completion?.time ?? 0),
    graduated_at: knownTime(graduation?.time ?? 0),
    amm_pool: canonicalPoolOf(state) || undefined,
  };
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

function priceFields(state: TokenState, solUsd: number | undefined): TokenPart {
  const quote = quoteOf(state);
  const last = pricingSwap(state);
  const priced = {
    last_price: last === undefined ? undefined : swapPrice(last),
    ...valueFields(last, supplyOf(state), solUsd),
  };
  if (quote === '') return priced;
  return {
    ...priced,
    quote_mint: quote,
    last_quote_price: last === undefined ? undefined : quotePrice(last),
    ...quoteUnit(quote, knownQuoteDecimals(last ?? { quote_mint: quote, quote_decimals: UNKNOWN_DECIMALS })),
  };
}

/** The highest price in the token's own quote. */
function highFields(state: TokenState): TokenPart {
  const quote = quoteOf(state);
  const high = state.highs?.find(({ quote_mint }) => quote_mint === quote);
  const price = high === undefined ? undefined : quotePrice(high);
  if (high === undefined || price === undefined) return {};
  return { ath_price: price, ath_symbol: quoteUnit(quote, undefined).quote_symbol, ath_at: knownTime(high.time) };
}

/** Who led a slot, as far as known. */
export type LeaderOf = (slot: number) => Written<CreatedLeader> | undefined;

/** Who led the slot of the token's creation; undefined while either is unknown. */
export function leaderOfCreation({ creation }: TokenState, leaderOf?: LeaderOf): TokenPart['created_leader'] {
  return creation === undefined || creation.slot === 0 ? undefined : leaderOf?.(creation.slot);
}

/** The snapshot's bytes. `solUsd`: dollars per SOL, undefined while unknown. */
export function snapshotBody(state: TokenState, solUsd: number | undefined, leaderOf?: LeaderOf): Buffer {
  const metadata = state.metadata === undefined ? undefined : documentFields(state.metadata);
  const created_leader = leaderOfCreation(state, leaderOf);
  return jsonBody({ ...tokenFields(state, solUsd), created_leader, metadata } satisfies Written<TokenSnapshot>);
}
