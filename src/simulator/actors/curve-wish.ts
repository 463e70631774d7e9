import { buyTokens, buyWithQuote, sellTokens } from '../../programs/pump/curve.ts';
import type { CurveState } from '../market.ts';
import type { CurveTradeName } from '../programs/curve-terms.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { associatedAccount, openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { World } from '../world.ts';
import { beyond, lowered, raised, sellable, type Terms, type TradeWish } from './trade-wish.ts';

const FEES = { protocolBps: 95n, creatorBps: 30n };

/** A wish as instructions on the bonding curve. */
export function curveInstructions(
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
  const open = world.bank.tokenAccount(associatedAccount(user, coin.token)) === undefined;
  if (wish.side === 'sell' || wish.withoutAccount === true) return [trade];
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

function buyTerms(wish: TradeWish, name: CurveTradeName, { reserves }: CurveState, random: Random): Terms {
  const expected = buyWithQuote(reserves, wish.amount, FEES);
  if (name.includes('exact')) {
    if (wish.spoil === 'dust') return { amount: 1n, limit: 0n };
    if (wish.spoil === 'slippage') return { amount: wish.amount, limit: beyond(expected.tokenAmount) };
    return { amount: wish.amount, limit: lowered(expected.tokenAmount, random) };
  }
  const tokens = expected.tokenAmount > 0n ? expected.tokenAmount : 1n;
  const cost = buyTokens(reserves, tokens, FEES).userQuote;
  if (wish.spoil !== undefined) return { amount: tokens, limit: cost / 2n };
  return { amount: tokens, limit: raised(cost, random) };
}

function sellTerms(world: World, wish: TradeWish, { reserves }: CurveState, random: Random): Terms | undefined {
  const held = world.bank.tokenAccount(associatedAccount(wish.user, wish.coin.token))?.amount ?? 0n;
  if (wish.spoil === 'too_much') return { amount: held + wish.amount, limit: 0n };
  const amount = sellable(wish, held);
  if (amount === 0n) return undefined;
  const expected = sellTokens(reserves, amount, FEES).userQuote;
  if (wish.spoil === 'slippage') return { amount, limit: beyond(expected) };
  return { amount, limit: lowered(expected, random) };
}
