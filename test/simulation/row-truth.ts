import type { Address } from '../../src/chain/address.ts';
import { encodeSignature } from '../../src/chain/keys/base58.ts';
import type { Attempt, BlockFacts, FactBase, Swap, Transfer } from '../../src/facts/fact.ts';
import { quoteMint, routerName } from '../../src/programs/registry/index.ts';

/**
 * Rows of the API as they have to be for the truth's facts, written from the API's specification and never from the
 * code that answers.
 */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Every fact of one kind that concerns a mint, in the one order. */
export function factsOf<K extends 'swaps' | 'attempts' | 'transfers'>(
  truth: readonly BlockFacts[],
  kind: K,
  mint: string,
): BlockFacts[K][number][] {
  const all = truth.flatMap((block) => block[kind] as readonly (FactBase & { mint: Address })[]);
  return all.filter((fact) => fact.mint === mint).sort(inOrder) as unknown as BlockFacts[K][number][];
}

export function creatorOf(truth: readonly BlockFacts[], mint: string): Address | undefined {
  return truth.flatMap(({ created }) => created).find((each) => each.mint === mint)?.creator;
}

/** The rows of the swaps list, oldest first. */
export function swapRows(
  truth: readonly BlockFacts[],
  mint: string,
  { failed, transfers }: { readonly failed: boolean; readonly transfers: boolean },
): JsonRow[] {
  const creator = creatorOf(truth, mint);
  const rows: [FactBase, JsonRow][] = [
    ...factsOf(truth, 'swaps', mint).map((swap): [FactBase, JsonRow] => [swap, swapRow(swap, creator)]),
    ...(failed ? factsOf(truth, 'attempts', mint) : []).map((attempt): [FactBase, JsonRow] => [
      attempt,
      attemptRow(attempt, creator),
    ]),
    ...(transfers ? factsOf(truth, 'transfers', mint) : [])
      .filter(({ hidden }) => !hidden)
      .map((send): [FactBase, JsonRow] => [send, sendRow(send)]),
  ];
  return rows.sort(([a], [b]) => inOrder(a, b)).map(([, row]) => row);
}

export function inOrder(a: FactBase, b: FactBase): number {
  return a.slot - b.slot || a.blockIndex - b.blockIndex || a.ixIndex - b.ixIndex;
}

function swapRow(swap: Swap, creator: Address | undefined): JsonRow {
  const { quoteMint: quote, venue } = swap;
  const isSol = quote === undefined;
  const noFees = venue === 1 && !isSol;
  const fees = noFees ? [0n, 0n, 0n] : [swap.fee, swap.creatorFee, swap.lpFee];
  return present({
    ...place(swap),
    ...transaction(swap, venue),
    trader: swap.trader,
    is_buy: swap.isBuy,
    sol_amount: String(isSol || venue === 2 ? swap.quoteAmount : 0n),
    token_amount: String(swap.tokenAmount),
    price: isSol || venue === 2 ? priceText(swap) : '0',
    fee: String(fees[0]),
    creator_fee: String(fees[1]),
    lp_fee: String(fees[2]),
    fee_mint: swap.feeInToken && !noFees ? swap.mint : undefined,
    creator,
    fee_creator: swap.feeCreator,
    v_sol_reserves: digits(swap.virtualQuoteReserves),
    v_token_reserves: digits(swap.virtualTokenReserves),
    real_sol_reserves: digits(swap.realQuoteReserves),
    real_token_reserves: digits(swap.realTokenReserves),
    bundled: swap.bundled,
    venue,
    pool: venue === 1 ? swap.pool : undefined,
    priced: swap.priced,
    tip_repeated: swap.tip > 0n && swap.networkFee === 0n ? true : undefined,
    ...(isSol ? {} : { quote_mint: quote, quote_amount: String(swap.quoteAmount), ...quoteNames(swap) }),
  });
}

function attemptRow(attempt: Attempt, creator: Address | undefined): JsonRow {
  return present({
    ...place(attempt),
    ...transaction(attempt, attempt.venue),
    trader: attempt.trader,
    is_buy: attempt.isBuy,
    creator,
    bundled: false,
    venue: attempt.venue,
    outcome: attempt.outcome,
    why: attempt.why === '' ? undefined : attempt.why,
    error_code: attempt.errorCode,
    program: attempt.program,
    network_fee: String(attempt.networkFee),
    failed: true,
  });
}

function sendRow(send: Transfer): JsonRow {
  return present({
    ...place(send),
    trader: send.from,
    to: send.to,
    token_amount: String(send.amount),
    ambiguous: send.ambiguous || undefined,
    transfer: true,
  });
}

function place(fact: FactBase & { readonly mint: Address }): JsonRow {
  return {
    time: timeText(fact.time),
    mint: fact.mint,
    slot: fact.slot,
    block_index: fact.blockIndex,
    ix_index: fact.ixIndex,
    sig: encodeSignature(fact.signature),
  };
}

/** The compute budget is told on the curve alone. */
function transaction(fact: Swap | Attempt, venue: number): JsonRow {
  const { cuPrice, cuLimit, priorityFee, source } = fact.budget;
  const isTold = venue === 0;
  return {
    tip: String(fact.tip),
    tip_wallet: fact.tipWallet,
    fee_payer: fact.feePayer,
    cu_price: isTold ? String(cuPrice) : '0',
    cu_limit: isTold ? String(cuLimit) : '0',
    priority_fee: isTold ? String(priorityFee) : '0',
    budget_source: isTold && source !== 0 ? source : undefined,
    // The chain begins after the day from which on it is told.
    router: fact.router,
    router_name: fact.router === undefined ? undefined : routerName(fact.router),
  };
}

export function quoteNames({ quoteMint: quote, quoteDecimals }: Pick<Swap, 'quoteMint' | 'quoteDecimals'>): JsonRow {
  const known = quote === undefined ? { symbol: 'SOL', decimals: 9 } : quoteMint(quote);
  return present({ quote_symbol: known?.symbol, quote_decimals: quoteDecimals ?? known?.decimals });
}

/** Ticks: columns of every priced swap in a quote. */
export function tickColumns(truth: readonly BlockFacts[], mint: string, quote: Address | undefined) {
  const creator = creatorOf(truth, mint);
  return factsOf(truth, 'swaps', mint)
    .filter((swap) => swap.priced && swap.quoteMint === quote)
    .map((swap) => ({
      t: swap.time * 1000,
      p: Number(priceText(swap)),
      s: swap.isBuy ? 1 : 0,
      a: Number(decimalText(swap.quoteAmount, 10n ** BigInt(decimalsOfQuote(swap)))),
      dev: swap.trader === creator,
    }));
}

/** Whole quote units per whole token. */
export function priceText(swap: Swap): string {
  const { priceQuote, priceToken, tokenDecimals } = swap;
  if (priceToken === 0n) return '0';
  return decimalText(priceQuote * 10n ** BigInt(tokenDecimals), priceToken * 10n ** BigInt(decimalsOfQuote(swap)));
}

export function decimalsOfQuote({
  quoteMint: quote,
  quoteDecimals,
}: Pick<Swap, 'quoteMint' | 'quoteDecimals'>): number {
  return quoteDecimals ?? (quote === undefined ? 9 : (quoteMint(quote)?.decimals ?? 0));
}

const PLACES = 18;

/** A ratio as a plain decimal of at most 18 places, rounded half up. */
export function decimalText(numerator: bigint, denominator: bigint): string {
  const units = (numerator * 2n * 10n ** BigInt(PLACES) + denominator) / (denominator * 2n);
  const whole = units / 10n ** BigInt(PLACES);
  const rest = String(units % 10n ** BigInt(PLACES))
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${whole}.${rest}`;
}

export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function digits(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Without what has no value: absent, not null. */
export function present(row: JsonRow): JsonRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/** Values by a key, in the order in which the keys first come. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
