import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import { ordinaryRouter, ordinaryTip, tradePlan } from './trade-plan.ts';

const LEADERS = 3;
const FOLLOWERS_EACH = 4;
const PURSE_SOL = 200n * SOL;
/** Share of all schemes. */
const SHARE = 0.4;
const MEDIAN_LAMPORTS = 800_000_000;
const MAX_LAG_SLOTS = 8;

/** Leaders, and the wallets that do after them what they did, a few slots later and smaller. */
export function createCopyTraders(world: World, random: Random): Actor {
  const perSlot = (world.load.schemes * SHARE * world.slotMs) / 1_000;
  const endowed = (label: string): Wallet => {
    const wallet = world.keyring.wallet(label);
    world.bank.endow(wallet.address, PURSE_SOL);
    return wallet;
  };
  const packs = Array.from({ length: LEADERS }, (_, place) => ({
    leader: endowed(`leader/${place}`),
    followers: Array.from({ length: FOLLOWERS_EACH }, (_, rank) => endowed(`copier/${place}/${rank}`)),
  }));
  let schemes = 0;

  function play(desk: SlotDesk): void {
    const coin = world.market.notice(random, ({ quote }) => quote === undefined);
    if (coin === undefined) return;
    const { followers, leader } = random.pick(packs);
    const group = `copy-${schemes++}`;
    const hold = random.between(20, 200);
    const trade = (payer: Wallet, lag: number, side: 'buy' | 'sell', amount: bigint) => {
      const wish = { coin, user: payer.address, side, amount };
      const travel = { payer, bid: ordinaryBid(random), tip: ordinaryTip(random), router: ordinaryRouter(random) };
      desk.sendLater(lag, {
        rank: random.next(),
        plans: [tradePlan(world, { actor: 'copy_trader', group, aim: 'land' }, wish, travel, random)],
      });
    };
    const spend = random.amount(MEDIAN_LAMPORTS, 0.5);
    trade(leader, 0, 'buy', spend);
    trade(leader, hold, 'sell', EVERYTHING);
    for (const follower of followers) {
      trade(follower, random.between(1, MAX_LAG_SLOTS), 'buy', spend / 4n);
      trade(follower, hold + random.between(1, MAX_LAG_SLOTS), 'sell', EVERYTHING);
    }
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) play(desk);
    },
  };
}
