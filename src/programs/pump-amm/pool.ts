import { ceilDiv, feeOf, netOfFees } from '../basis-points.ts';

/** Vault balances, raw units. `virtualQuote` is signed, counts for prices alone, and is 0 before July 2026. */
export interface PoolReserves {
  readonly base: bigint;
  readonly quote: bigint;
  readonly virtualQuote: bigint;
}

/**
 * Basis points. A pool without coin creator pays no creator fee: give 0. A
 * cashback coin gives the creator's share back to the trader: give its rate.
 */
export interface PoolFees {
  readonly lpBps: bigint;
  readonly protocolBps: bigint;
  readonly creatorBps: bigint;
}

/** A trade as the program books it; raw units. */
export interface PoolTrade {
  readonly baseAmount: bigint;
  /** Moved by the constant product, without fees. */
  readonly quoteAmount: bigint;
  readonly lpFee: bigint;
  readonly protocolFee: bigint;
  readonly creatorFee: bigint;
  /** Quote that a buyer pays in all, or a seller receives. */
  readonly userQuote: bigint;
  readonly after: PoolReserves;
}

/** Quote reserves as the price sees them. */
export function effectiveQuote(reserves: PoolReserves): bigint {
  return reserves.quote + reserves.virtualQuote;
}

/** Market cap in raw quote units, by which the fee tier is chosen. */
export function marketCap(reserves: PoolReserves, baseSupply: bigint): bigint {
  return reserves.base === 0n ? 0n : (effectiveQuote(reserves) * baseSupply) / reserves.base;
}

/** Buys an exact amount of base. Throws RangeError when the pool has no more than that. */
export function buyBase(reserves: PoolReserves, baseAmount: bigint, fees: PoolFees): PoolTrade {
  if (baseAmount >= reserves.base) throw new RangeError('more base than the pool holds');
  const quoteAmount = ceilDiv(effectiveQuote(reserves) * baseAmount, reserves.base - baseAmount);
  return bought(reserves, baseAmount, quoteAmount, fees);
}

/** Spends at most an exact amount of quote, fees included. */
export function buyWithQuote(reserves: PoolReserves, spendable: bigint, fees: PoolFees): PoolTrade {
  const quoteAmount = netOfFees(spendable, [fees.lpBps, fees.protocolBps, fees.creatorBps]);
  if (quoteAmount <= 1n) return bought(reserves, 0n, quoteAmount, fees);
  const priced = quoteAmount - 1n;
  return bought(reserves, (reserves.base * priced) / (effectiveQuote(reserves) + priced), quoteAmount, fees);
}

/** Sells an exact amount of base. Throws RangeError when the vault cannot pay what the price promises. */
export function sellBase(reserves: PoolReserves, baseAmount: bigint, fees: PoolFees): PoolTrade {
  const quoteAmount = (effectiveQuote(reserves) * baseAmount) / (reserves.base + baseAmount);
  const lpFee = feeOf(quoteAmount, fees.lpBps);
  const protocolFee = feeOf(quoteAmount, fees.protocolBps);
  const creatorFee = feeOf(quoteAmount, fees.creatorBps);
  const leaving = quoteAmount - lpFee;
  if (leaving > reserves.quote) throw new RangeError('more quote than the vault holds');
  return {
    baseAmount,
    quoteAmount,
    lpFee,
    protocolFee,
    creatorFee,
    userQuote: leaving - protocolFee - creatorFee,
    after: { ...reserves, base: reserves.base + baseAmount, quote: reserves.quote - leaving },
  };
}

function bought(reserves: PoolReserves, baseAmount: bigint, quoteAmount: bigint, fees: PoolFees): PoolTrade {
  const lpFee = feeOf(quoteAmount, fees.lpBps);
  const protocolFee = feeOf(quoteAmount, fees.protocolBps);
  const creatorFee = feeOf(quoteAmount, fees.creatorBps);
  return {
    baseAmount,
    quoteAmount,
    lpFee,
    protocolFee,
    creatorFee,
    userQuote: quoteAmount + lpFee + protocolFee + creatorFee,
    after: { ...reserves, base: reserves.base - baseAmount, quote: reserves.quote + quoteAmount + lpFee },
  };
}
