import { buyBase, buyWithQuote, sellBase } from '../../programs/pump-amm/pool.ts';
import type { Pool } from '../market.ts';
import { currentRates, isInverted, type PoolTradeName, poolReserves } from '../programs/pool-terms.ts';
import { poolTrade } from '../programs/pool-trade.ts';
import { moveLamports } from '../programs/system.ts';
import { associatedAccount, closeAccount, openAssociated, syncNative, WSOL } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { World } from '../world.ts';
import { beyond, lowered, raised, sellable, type Terms, type TradeWish } from './trade-wish.ts';

/** A wish as instructions in a pool. SOL is wrapped before and unwrapped after. */
export function poolInstructions(world: World, wish: TradeWish, pool: Pool, random: Random): Instruction[] | undefined {
  // On an inverted pool the base is SOL: who buys the coin sells the base.
  const buysBase = (wish.side === 'buy') !== isInverted(pool);
  const name = findPoolName(wish.name) ?? pickPoolName(buysBase, random);
  const terms = poolTerms(world, wish, pool, name, random);
  if (terms === undefined) return undefined;
  const trade = poolTrade({ name, pool, user: wish.user, ...terms });
  return wrapped(world, wish, pool, spentSol(wish, name, pool, terms), trade);
}

/** A name that was meant for the curve is no use once the coin has moved. */
function findPoolName(name: string | undefined): PoolTradeName | undefined {
  return POOL_NAMES.find((known) => known === name);
}

const POOL_NAMES: readonly PoolTradeName[] = [
  'buy',
  'buy_exact_quote_in',
  'sell',
  'buy_v2',
  'buy_exact_quote_in_v2',
  'sell_v2',
];

function pickPoolName(buysBase: boolean, random: Random): PoolTradeName {
  return buysBase
    ? random.pick(['buy', 'buy', 'buy_exact_quote_in', 'buy_v2', 'buy_exact_quote_in_v2'] as const)
    : random.pick(['sell', 'sell', 'sell_v2'] as const);
}

function poolTerms(world: World, wish: TradeWish, pool: Pool, name: PoolTradeName, random: Random): Terms | undefined {
  const reserves = poolReserves(world.bank, pool);
  const rates = currentRates(world.bank, pool);
  const fees = { lpBps: rates.lp, protocolBps: rates.protocol, creatorBps: rates.creator };
  const amount = wish.side === 'buy' ? wish.amount : sellableNow(world, wish);
  if (amount === 0n) return undefined;
  if (name.startsWith('sell')) {
    if (wish.spoil === 'dust') return { amount: 0n, limit: 0n };
    const expected = sellBase(reserves, amount, fees).userQuote;
    return { amount, limit: wish.spoil === undefined ? lowered(expected, random) : beyond(expected) };
  }
  const fill = buyWithQuote(reserves, amount, fees);
  if (name.startsWith('buy_exact')) {
    if (wish.spoil === 'dust') return { amount: 1n, limit: 0n };
    return { amount, limit: wish.spoil === undefined ? lowered(fill.baseAmount, random) : beyond(fill.baseAmount) };
  }
  if (fill.baseAmount === 0n) return undefined;
  const cost = buyBase(reserves, fill.baseAmount, fees).userQuote;
  return { amount: fill.baseAmount, limit: wish.spoil === undefined ? raised(cost, random) : cost / 2n };
}

function sellableNow({ bank }: World, wish: TradeWish): bigint {
  return sellable(wish, bank.tokenAccount(associatedAccount(wish.user, wish.coin.token))?.amount ?? 0n);
}

/** Lamports that must be wrapped: whatever of SOL the instruction may take. */
function spentSol(wish: TradeWish, name: PoolTradeName, pool: Pool, { amount, limit }: Terms): bigint {
  if (wish.side === 'sell') return 0n;
  if (isInverted(pool)) return amount;
  return name.startsWith('buy_exact') ? amount : limit;
}

function wrapped(world: World, wish: TradeWish, pool: Pool, lamports: bigint, trade: Instruction): Instruction[] {
  const { coin, side, user } = wish;
  const open =
    side === 'buy' && world.bank.tokenAccount(associatedAccount(user, coin.token)) === undefined
      ? [openAssociated(user, user, coin.token)]
      : [];
  if (coin.quote !== undefined && !isInverted(pool)) return [...open, trade];
  const purse = associatedAccount(user, WSOL);
  const fill = lamports > 0n ? [moveLamports(user, purse, lamports), syncNative(purse)] : [];
  return [openAssociated(user, user, WSOL), ...fill, ...open, trade, closeAccount(WSOL, purse, user)];
}
