import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import type { Follower } from './launch-story.ts';
import { ordinaryTip, tradePlan } from './trade-plan.ts';

const FIRMS = 4;
const MAX_WALLETS = 3;
const PURSE_SOL = 500n * SOL;
/** Launches that a firm is there for from the start. */
const AT_LAUNCH = 0.15;
/** Sessions on other coins, as a share of all schemes. */
const SHARE = 0.06;
const MIN_TRADES = 6;
const MAX_TRADES = 30;
const MAX_GAP_SLOTS = 9;
const MEDIAN_LAMPORTS = 150_000_000;
const SPREAD = 0.5;

/** Firms that keep an inventory of a coin and trade both ways around it, side by side with others by chance. */
export function createMarketMakers(world: World, random: Random): Actor & Follower {
  const perSlot = (world.load.schemes * SHARE * world.slotMs) / 1_000;
  const firms = Array.from({ length: FIRMS }, (_, firm) =>
    Array.from({ length: 1 + (firm % MAX_WALLETS) }, (_, place): Wallet => {
      const wallet = world.keyring.wallet(`market-maker/${firm}/${place}`);
      world.bank.endow(wallet.address, PURSE_SOL);
      return wallet;
    }),
  );
  let sessions = 0;

  function make(desk: SlotDesk, coin: Coin, from: number): void {
    const firm = random.pick(firms);
    const group = `market-making-${sessions++}`;
    const wallets = firm.map(({ address }) => address);
    desk.note({ id: group, kind: 'market_making', mint: coin.token.mint, wallets, source: undefined });
    const who = { actor: 'market_maker' as const, group, aim: 'land' as const };
    let slots = from;
    for (let left = random.between(MIN_TRADES, MAX_TRADES); left > 0; left--) {
      const payer = random.pick(firm);
      const buys = left > MIN_TRADES ? random.chance(0.55) : random.chance(0.2);
      const wish = buys
        ? { coin, user: payer.address, side: 'buy' as const, amount: random.amount(MEDIAN_LAMPORTS, SPREAD) }
        : { coin, user: payer.address, side: 'sell' as const, amount: EVERYTHING, share: 0.1 + 0.5 * random.next() };
      const travel = { payer, bid: ordinaryBid(random), tip: ordinaryTip(random) };
      desk.sendLater(slots, { rank: random.next(), plans: [tradePlan(world, who, wish, travel, random)] });
      slots += random.below(MAX_GAP_SLOTS);
    }
  }

  return {
    follow(desk, { coin, delay }) {
      if (coin.quote === undefined && random.chance(AT_LAUNCH)) make(desk, coin, delay + random.between(1, 10));
    },
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(random, ({ quote }) => quote === undefined);
        if (coin !== undefined) make(desk, coin, 0);
      }
    },
  };
}
