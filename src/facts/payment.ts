import { type Address, WSOL_MINT } from '../chain/address.ts';
import { type QuoteClass, quoteMint } from '../programs/registry/index.ts';
import { magnitude } from './amounts.ts';
import type { DraftSwap } from './draft-swap.ts';
import { MIN_PRICED_UNITS } from './price.ts';
import { isCurrency, quoteDecimalsOf } from './quotes.ts';
import type { Remainder } from './remainders.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** One in so many of what tokens are worth has to come back for them. */
const PAID_SHARE = 2n;

/**
 * Cents that a unit of a currency is worth at least and at most. Rates move and no block tells them, so that between
 * two currencies only the order of magnitude is held.
 */
const CENTS: Readonly<Record<Exclude<QuoteClass, 'token'>, { readonly least: bigint; readonly most: bigint }>> = {
  native: { least: 500n, most: 500_000n },
  lst: { least: 500n, most: 500_000n },
  usd: { least: 100n, most: 100n },
  eur: { least: 50n, most: 200n },
  yield: { least: 50n, most: 1_000n },
  btc: { least: 100_000n, most: 1_000_000_000n },
  eth: { least: 10_000n, most: 10_000_000n },
};

/** The same in SOL, of SOL and of what stands for staked SOL: these two do not move against each other like that. */
const IN_SOL: Readonly<Partial<Record<QuoteClass, { readonly least: bigint; readonly most: bigint }>>> = {
  native: { least: 1n, most: 1n },
  lst: { least: 1n, most: 2n },
};

/**
 * Tells whether an amount of a mint, wSOL for lamports, pays for tokens; raw units. `delta` is the balance change of
 * who paid for them or was paid: above zero it got them and paid, below it gave them and was paid.
 */
export type IsPaid = (delta: bigint, paidIn: Address, paid: bigint) => boolean;

/**
 * Judges payments for tokens of a mint by the prices at which the transaction itself traded them: something is paid for
 * when half of its worth came back, in what it was traded for or in another currency. Anybody can make a pool with a
 * price of its own, so that only prices count that candles are made of. Without one, see {@link isRouted}.
 */
export function paymentsFor(
  scope: TransactionScope,
  swaps: readonly DraftSwap[],
  mint: Address,
  ofMint: readonly Remainder[],
): IsPaid {
  const prices = swaps.filter((swap) => swap.mint === mint && swap.priced && swap.priceToken > 0n);
  return (delta, paidIn, paid) => {
    const tokens = magnitude(delta);
    // So little of either shows no price: the smallest unit would pay for as many tokens as are worth less than it.
    if (tokens < MIN_PRICED_UNITS || paid < MIN_PRICED_UNITS) return false;
    if (prices.length === 0) return isRouted(swaps, mint, ofMint, { delta, paidIn, paid });
    return prices.some(({ quoteMint: quote = WSOL_MINT, priceQuote, priceToken }) => {
      const rate = rateBetween(scope, quote, paidIn);
      if (rate === undefined) return false;
      return PAID_SHARE * paid * rate.paid * priceToken >= tokens * priceQuote * rate.asked;
    });
  };
}

interface Payment {
  readonly delta: bigint;
  readonly paidIn: Address;
  readonly paid: bigint;
}

/**
 * True for the leg of a route whose tokens nothing here prices: everybody on its other side spent what it paid on
 * something else, or got by selling something else what it was paid, half of that at least. Whoever trades is no
 * newcomer, so that such a leg hides no hand-out to one; to all others nothing is paid for without a price.
 */
function isRouted(
  swaps: readonly DraftSwap[],
  mint: Address,
  ofMint: readonly Remainder[],
  { delta, paidIn, paid }: Payment,
): boolean {
  const others = ofMint.filter((remainder) => remainder.delta > 0n !== delta > 0n);
  let traded = 0n;
  for (const { owner } of others) {
    const legs = swaps.filter(
      (swap) =>
        swap.mint !== mint &&
        swap.trader === owner &&
        swap.isBuy === delta > 0n &&
        (swap.quoteMint ?? WSOL_MINT) === paidIn,
    );
    if (legs.length === 0) return false;
    traded += legs.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n);
  }
  return others.length > 0 && PAID_SHARE * paid >= traded;
}

/** Factors by which raw units of what was paid and of what was asked compare; undefined where no rate is known. */
function rateBetween(
  { transaction }: TransactionScope,
  asked: Address,
  paid: Address,
): { readonly paid: bigint; readonly asked: bigint } | undefined {
  if (asked === paid) return { paid: 1n, asked: 1n };
  const classes = [classOf(paid), classOf(asked)] as const;
  const isSol = classes.every((each) => each !== undefined && IN_SOL[each] !== undefined);
  const worthOf = (each: QuoteClass | undefined) =>
    each === undefined || each === 'token' ? undefined : isSol ? IN_SOL[each] : CENTS[each];
  const [most, least] = [worthOf(classes[0])?.most, worthOf(classes[1])?.least];
  const [ofPaid, ofAsked] = [quoteDecimalsOf(transaction, paid), quoteDecimalsOf(transaction, asked)];
  if (most === undefined || least === undefined || ofPaid === undefined || ofAsked === undefined) return undefined;
  return { paid: most * 10n ** BigInt(ofAsked), asked: least * 10n ** BigInt(ofPaid) };
}

function classOf(mint: Address): QuoteClass | undefined {
  return isCurrency(mint) ? quoteMint(mint)?.class : undefined;
}
