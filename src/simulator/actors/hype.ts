import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { Actor, World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { ordinaryRouter, ordinaryTip, tradePlan } from './trade-plan.ts';
import { pickTrader } from './traders.ts';

/** Chance that a listed coin catches on, each slot. */
const CATCH_RATE = 1 / 400;
const MEDIAN_BUY_LAMPORTS = 2_500_000_000;
const MEDIAN_BUY_DOLLARS = 350_000_000;
/** Of the buys that may fill the curve: those by the instructions that reach on into the future pool. */
const SYNTHETIC_SHARE = 0.6;

/** Large buyers that carry a coin to its graduation, as every hundredth or so is on mainnet. */
export function createHype(world: World, random: Random): Actor {
  let coin: Coin | undefined;
  return {
    act(desk) {
      if (coin === undefined || coin.retired || coin.curve?.complete === true) {
        coin = random.chance(CATCH_RATE * 4)
          ? world.market.notice(random, (found) => !found.curve!.complete)
          : undefined;
      }
      if (coin === undefined) return;
      for (let buys = random.below(3); buys > 0; buys--) {
        const buyer = pickTrader(world, random);
        const amount = random.amount(coin.quote === undefined ? MEDIAN_BUY_LAMPORTS : MEDIAN_BUY_DOLLARS, 0.7);
        const synthetic = random.chance(SYNTHETIC_SHARE);
        const name = synthetic
          ? random.pick(['buy_exact_quote_in_v3', 'buy_v3'])
          : random.pick(['buy_v2', 'buy_exact_quote_in_v2']);
        const wish = { coin, user: buyer.address, side: 'buy' as const, amount, name };
        const travel = {
          payer: buyer,
          bid: eagerBid(random),
          tip: ordinaryTip(random),
          router: ordinaryRouter(random),
        };
        desk.send({
          rank: random.next(),
          plans: [tradePlan(world, { actor: 'trader', aim: 'land' }, wish, travel, random)],
        });
      }
    },
  };
}
