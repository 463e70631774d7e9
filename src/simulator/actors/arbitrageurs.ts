import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import type { Follower } from './launch-story.ts';
import { tokensOf } from './token-sends.ts';
import { ordinaryRouter, tradePlan } from './trade-plan.ts';

const BOTS = 10;
const PURSE_SOL = 150n * SOL;
/** Chances on other coins, as a share of all schemes. */
const SHARE = 0.2;
/** Launches that give a chance soon after. */
const AFTER_LAUNCH = 0.3;
const MIN_SLOTS_AFTER = 2;
const MAX_SLOTS_AFTER = 60;
const MAX_MEETING = 4;
const MEDIAN_LAMPORTS = 400_000_000;
const SPREAD = 0.6;

/** Bots that know nothing of each other and jump at the same chance: their transactions land side by side. */
export function createArbitrageurs(world: World, random: Random): Actor & Follower {
  const perSlot = (world.load.schemes * SHARE * world.slotMs) / 1_000;
  const bots = Array.from({ length: BOTS }, (_, place): Wallet => {
    const wallet = world.keyring.wallet(`arbitrageur/${place}`);
    world.bank.endow(wallet.address, PURSE_SOL);
    return wallet;
  });
  let meetings = 0;

  function meet(desk: SlotDesk, coin: Coin, slots: number): void {
    const group = `arbitrage-${meetings++}`;
    const who = { actor: 'arbitrageur' as const, group, aim: 'land' as const };
    const comers = [...new Set(Array.from({ length: random.between(2, MAX_MEETING) }, () => random.pick(bots)))];
    const wallets = comers.map(({ address }) => address);
    desk.note({ id: group, kind: 'arbitrage', mint: coin.token.mint, wallets, source: undefined });
    const plans = comers.map((payer) => {
      // A bot that has some of the coin sells into the price that the others' chance made.
      const sells = tokensOf(world, payer.address, coin.token) > 0n;
      const wish = sells
        ? { coin, user: payer.address, side: 'sell' as const, amount: EVERYTHING }
        : { coin, user: payer.address, side: 'buy' as const, amount: random.amount(MEDIAN_LAMPORTS, SPREAD) };
      const travel = { payer, bid: eagerBid(random), tip: random.amount(2_000_000, 1), router: ordinaryRouter(random) };
      return tradePlan(world, who, wish, travel, random);
    });
    desk.sendLater(slots, { rank: random.next(), plans });
  }

  return {
    follow(desk, { coin, delay }) {
      if (coin.quote !== undefined || !random.chance(AFTER_LAUNCH)) return;
      meet(desk, coin, delay + random.between(MIN_SLOTS_AFTER, MAX_SLOTS_AFTER));
    },
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(random, ({ quote }) => quote === undefined);
        if (coin !== undefined) meet(desk, coin, 0);
      }
    },
  };
}
