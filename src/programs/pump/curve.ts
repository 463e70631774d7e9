import { feeOf, netOfFees } from '../basis-points.ts';

/** Raw units. Virtual reserves price; real ones are what the curve holds. */
export interface CurveReserves {
  readonly virtualQuote: bigint;
  readonly virtualToken: bigint;
  readonly realQuote: bigint;
  readonly realToken: bigint;
}

/** Basis points. A coin whose creator is the zero key pays no creator fee: give 0. */
export interface CurveFees {
  readonly protocolBps: bigint;
  readonly creatorBps: bigint;
}

/** A trade as the program books it; raw units. */
export interface CurveTrade {
  /** Moved on the curve, without fees: the event's `solAmount`. */
  readonly quoteAmount: bigint;
  readonly tokenAmount: bigint;
  readonly fee: bigint;
  readonly creatorFee: bigint;
  /** Quote that a buyer pays in all, or a seller receives. */
  readonly userQuote: bigint;
  readonly after: CurveReserves;
}

/** Raw supply of a coin; mayhem coins have as much again minted, outside the curve. */
export const COIN_SUPPLY = 1_000_000_000_000_000n;

/** Real tokens of a new curve: sold out, it completes. */
export const INITIAL_REAL_TOKENS = 793_100_000_000_000n;

/** Tokens that the pool of a completed curve starts with. */
export const POOL_SEED_TOKENS = 206_900_000_000_000n;

/** Lamports kept back when a SOL curve migrates. */
export const MIGRATION_FEE = 15_000_001n;

/** Reserves at birth of a curve quoted in SOL. */
export const SOL_CURVE: CurveReserves = {
  virtualQuote: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  realQuote: 0n,
  realToken: INITIAL_REAL_TOKENS,
};

/** Reserves at birth of a curve quoted in USDC. */
export const USDC_CURVE: CurveReserves = { ...SOL_CURVE, virtualQuote: 4_292_000_000n };

/** Fees of curve trades since September 2025. */
export const CURVE_FEES: CurveFees = { protocolBps: 95n, creatorBps: 30n };

/** Buys an exact amount of tokens, or what is left of them. */
export function buyTokens(reserves: CurveReserves, tokens: bigint, fees: CurveFees): CurveTrade {
  const tokenAmount = tokens < reserves.realToken ? tokens : reserves.realToken;
  const quoteAmount = (tokenAmount * reserves.virtualQuote) / (reserves.virtualToken - tokenAmount) + 1n;
  return bought(reserves, quoteAmount, tokenAmount, fees);
}

/** Spends at most an exact amount of quote, fees included. */
export function buyWithQuote(reserves: CurveReserves, spendable: bigint, fees: CurveFees): CurveTrade {
  const quoteAmount = netOfFees(spendable, [fees.protocolBps, fees.creatorBps]);
  if (quoteAmount <= 1n) return bought(reserves, quoteAmount, 0n, fees);
  const priced = quoteAmount - 1n;
  const tokenAmount = (priced * reserves.virtualToken) / (reserves.virtualQuote + priced);
  // Tokens that the curve cannot deliver are not paid for either.
  if (tokenAmount >= reserves.realToken) return buyTokens(reserves, reserves.realToken, fees);
  return bought(reserves, quoteAmount, tokenAmount, fees);
}

/** Sells an exact amount of tokens. */
export function sellTokens(reserves: CurveReserves, tokenAmount: bigint, fees: CurveFees): CurveTrade {
  const quoteAmount = (tokenAmount * reserves.virtualQuote) / (reserves.virtualToken + tokenAmount);
  const fee = feeOf(quoteAmount, fees.protocolBps);
  const creatorFee = feeOf(quoteAmount, fees.creatorBps);
  return {
    quoteAmount,
    tokenAmount,
    fee,
    creatorFee,
    userQuote: quoteAmount - fee - creatorFee,
    after: moved(reserves, -quoteAmount, tokenAmount),
  };
}

/** True when nothing is left to buy: the next step is the migration. */
export function isComplete(reserves: CurveReserves): boolean {
  return reserves.realToken === 0n;
}

function bought(reserves: CurveReserves, quoteAmount: bigint, tokenAmount: bigint, fees: CurveFees): CurveTrade {
  const fee = feeOf(quoteAmount, fees.protocolBps);
  const creatorFee = feeOf(quoteAmount, fees.creatorBps);
  return {
    quoteAmount,
    tokenAmount,
    fee,
    creatorFee,
    userQuote: quoteAmount + fee + creatorFee,
    after: moved(reserves, quoteAmount, -tokenAmount),
  };
}

function moved(reserves: CurveReserves, quote: bigint, token: bigint): CurveReserves {
  return {
    virtualQuote: reserves.virtualQuote + quote,
    virtualToken: reserves.virtualToken + token,
    realQuote: reserves.realQuote + quote,
    realToken: reserves.realToken + token,
  };
}
