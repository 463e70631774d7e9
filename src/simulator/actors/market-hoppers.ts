import { buyWithQuote } from '../../programs/pump/curve.ts';
import { giveTokens } from '../genesis.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { FOREIGN_MARKET, foreignSale } from '../programs/foreign-swap.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { type Actor, USDC, type World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { tokensOf } from './token-sends.ts';
import { pickTrader } from './traders.ts';

const MEDIAN_LAMPORTS = 120_000_000;
const FEES = { protocolBps: 95n, creatorBps: 30n };
const RESERVE_LAMPORTS = 20_000_000n;
const POOL_DOLLARS = 1_000_000_000_000_000n;
/** What a pool pays for a lamport's worth, in raw dollars: about the price of the day. */
const LAMPORTS_A_UNIT = 7n;

/** Traders who buy on the curve and sell on another market in the same transaction: nobody is handed anything. */
export function createMarketHoppers(world: World, random: Random): Actor {
  const perSlot = (world.load.marketHops * world.slotMs) / 1_000;

  giveTokens(world.bank, FOREIGN_MARKET, USDC, POOL_DOLLARS);

  function hop(desk: SlotDesk): void {
    const coin = world.market.notice(random, ({ curve, quote }) => quote === undefined && curve?.complete === false);
    if (coin === undefined) return;
    const payer = pickTrader(world, random);
    const spend = random.amount(MEDIAN_LAMPORTS, 0.7);
    coin.holders.add(payer);
    const build = () => {
      const { curve, token } = coin;
      if (coin.retired || curve === undefined || curve.complete) return undefined;
      const user = payer.address;
      const { tokenAmount, userQuote } = buyWithQuote(curve.reserves, spend, FEES);
      const affordable = world.bank.lamports(user) >= userQuote * 2n + RESERVE_LAMPORTS;
      const paid = spend / LAMPORTS_A_UNIT;
      if (tokenAmount === 0n || paid === 0n || tokenAmount >= curve.reserves.realToken || !affordable) return undefined;
      if (tokensOf(world, FOREIGN_MARKET, USDC) < paid) return undefined;
      return [
        openAssociated(user, user, token),
        openAssociated(user, user, USDC),
        openAssociated(user, FOREIGN_MARKET, token),
        curveTrade({ name: 'buy', coin, user, amount: tokenAmount, limit: userQuote * 2n }),
        foreignSale({ user, coin: token, money: USDC, tokens: tokenAmount, paid }),
      ];
    };
    const who = { actor: 'market_hopper' as const, aim: 'land' as const };
    desk.send({ rank: random.next(), plans: [{ ...who, payer, ...ordinaryBid(random), build }] });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) hop(desk);
    },
  };
}
