import type { Address } from '../../chain/address.ts';
import { buyTokens, buyWithQuote, sellTokens } from '../../programs/pump/curve.ts';
import { type Coin, type CurveState, newbornCurve } from '../market.ts';
import type { CurveTradeName } from '../programs/curve-terms.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { associatedAccount, openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/instruction.ts';
import type { World } from '../world.ts';

/** What a trade asks for, in words that fit every venue. */
export interface TradeWish {
  readonly coin: Coin;
  readonly user: Address;
  readonly side: 'buy' | 'sell';
  /** Raw quote units to spend, or raw tokens to sell. */
  readonly amount: bigint;
  /** Which instruction of the venue; drawn when left out. */
  readonly name?: string;
  /** Set to make the venue turn it down. */
  readonly spoil?: Spoil;
  /** For a coin that the same transaction makes, or that its sender expects to be there. */
  readonly unborn?: boolean;
}

/** `slippage`: a limit that the price has passed; `too_much`: more than the seller holds; `dust`: too little to buy anything. */
export type Spoil = 'slippage' | 'too_much' | 'dust';

const BASIS_POINTS = 10_000n;
/** Ordinary senders accept 3 % to 25 %. */
const MIN_SLIPPAGE_BPS = 300;
const MAX_SLIPPAGE_BPS = 2_500;
const FEES = { protocolBps: 95n, creatorBps: 30n };

/** The instructions of a trade at the venue where the coin trades now; undefined when there is nothing to do. */
export function tradeInstructions(world: World, wish: TradeWish, random: Random): Instruction[] | undefined {
  const { coin } = wish;
  if (coin.retired) return undefined;
  const curve = coin.curve ?? (wish.unborn === true ? newbornCurve(coin) : undefined);
  return curve === undefined ? undefined : curveInstructions(world, wish, curve, random);
}

function curveInstructions(
  world: World,
  wish: TradeWish,
  curve: CurveState,
  random: Random,
): Instruction[] | undefined {
  const { coin, user } = wish;
  const name = (wish.name ?? pickCurveName(wish, random)) as CurveTradeName;
  const terms = wish.side === 'buy' ? buyTerms(wish, name, curve, random) : sellTerms(world, wish, curve, random);
  if (terms === undefined) return undefined;
  const trade = curveTrade({ name, coin, user, ...terms });
  const open = world.ledger.tokenAccount(associatedAccount(user, coin.token)) === undefined;
  if (wish.side === 'sell') return [trade];
  return open ? [openAssociated(user, user, coin.token), trade] : [trade];
}

/** SOL coins trade by all versions, others by those that take a quote. */
function pickCurveName({ coin, side }: TradeWish, random: Random): CurveTradeName {
  const sol = coin.quote === undefined;
  if (side === 'sell')
    return random.pick(sol ? (['sell', 'sell', 'sell_v2', 'sell_v3'] as const) : (['sell_v2', 'sell_v3'] as const));
  return random.pick(
    sol
      ? ([
          'buy',
          'buy',
          'buy_exact_sol_in',
          'buy_v2',
          'buy_exact_quote_in_v2',
          'buy_v3',
          'buy_exact_quote_in_v3',
        ] as const)
      : (['buy_v2', 'buy_exact_quote_in_v2', 'buy_v3', 'buy_exact_quote_in_v3'] as const),
  );
}

interface Terms {
  readonly amount: bigint;
  readonly limit: bigint;
}

function buyTerms(wish: TradeWish, name: CurveTradeName, { reserves }: CurveState, random: Random): Terms {
  const expected = buyWithQuote(reserves, wish.amount, FEES);
  const slippage = BigInt(random.between(MIN_SLIPPAGE_BPS, MAX_SLIPPAGE_BPS));
  if (name.includes('exact')) {
    if (wish.spoil === 'dust') return { amount: 1n, limit: 0n };
    if (wish.spoil === 'slippage') return { amount: wish.amount, limit: expected.tokenAmount * 2n + 1n };
    return { amount: wish.amount, limit: (expected.tokenAmount * (BASIS_POINTS - slippage)) / BASIS_POINTS };
  }
  const tokens = expected.tokenAmount > 0n ? expected.tokenAmount : 1n;
  const cost = buyTokens(reserves, tokens, FEES).userQuote;
  if (wish.spoil !== undefined) return { amount: tokens, limit: cost / 2n };
  return { amount: tokens, limit: (cost * (BASIS_POINTS + slippage)) / BASIS_POINTS + 1n };
}

function sellTerms(world: World, wish: TradeWish, { reserves }: CurveState, random: Random): Terms | undefined {
  const held = world.ledger.tokenAccount(associatedAccount(wish.user, wish.coin.token))?.amount ?? 0n;
  if (wish.spoil === 'too_much') return { amount: held + wish.amount, limit: 0n };
  const amount = wish.amount < held ? wish.amount : held;
  if (amount === 0n) return undefined;
  const expected = sellTokens(reserves, amount, FEES).userQuote;
  if (wish.spoil === 'slippage') return { amount, limit: expected * 2n + 1n };
  const slippage = BigInt(random.between(MIN_SLIPPAGE_BPS, MAX_SLIPPAGE_BPS));
  return { amount, limit: (expected * (BASIS_POINTS - slippage)) / BASIS_POINTS };
}
