import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import type { Follower } from './launch-story.ts';
import { ordinaryRouter, tradePlan } from './trade-plan.ts';

const SNIPERS = 24;
const SNIPER_SOL = 300n * SOL;
/** Launches that snipers notice. */
const NOTICED = 0.6;
const MAX_SNIPERS_EACH = 6;
/** Later than this many slots after the creation is no sniping any more. */
const MAX_LATE_SLOTS = 3;
const LOSERS = 0.35;
/** Of the exits: those that sell all at once. */
const WHOLE_EXITS = 0.6;
const MEDIAN_LAMPORTS = 600_000_000;
const MIN_HOLD_SLOTS = 15;
const MAX_HOLD_SLOTS = 250;

/** Bots that buy in the creation's slot or right after, and sell soon. Those that come late are turned down. */
export function createSnipers(world: World, random: Random): Follower {
  const snipers = Array.from({ length: SNIPERS }, (_, place): Wallet => {
    const wallet = world.keyring.wallet(`sniper/${place}`);
    world.bank.endow(wallet.address, SNIPER_SOL);
    return wallet;
  });

  return {
    follow(desk, { coin, delay, id, rank }) {
      if (coin.quote !== undefined || !random.chance(NOTICED)) return;
      const group = `snipe-${id}`;
      const payers = Array.from({ length: random.between(1, MAX_SNIPERS_EACH) }, () => random.pick(snipers));
      const wallets = payers.map(({ address }) => address);
      desk.note({ id: group, kind: 'snipe', mint: coin.token.mint, wallets, source: undefined });
      for (const payer of payers) {
        const late = random.below(MAX_LATE_SLOTS + 1);
        const loses = random.chance(LOSERS);
        const buy = {
          coin,
          user: payer.address,
          side: 'buy' as const,
          amount: random.amount(MEDIAN_LAMPORTS, 0.7),
          unborn: true,
          ...(loses ? { spoil: 'slippage' as const } : {}),
        };
        const travel = {
          payer,
          bid: eagerBid(random),
          tip: random.amount(5_000_000, 0.9),
          router: ordinaryRouter(random),
        };
        const who = { actor: 'sniper' as const, group, aim: loses ? ('revert' as const) : ('land' as const) };
        const place = late === 0 ? rank + (1 - rank) * random.next() * 0.3 : random.next() * 0.2;
        desk.sendLater(delay + late, { rank: place, plans: [tradePlan(world, who, buy, travel, random)] });
        if (loses) continue;
        const share = random.chance(WHOLE_EXITS) ? 1 : 0.2 + 0.8 * random.next();
        const exit = { coin, user: payer.address, side: 'sell' as const, amount: EVERYTHING, share };
        const hold = random.between(MIN_HOLD_SLOTS, MAX_HOLD_SLOTS);
        desk.sendLater(delay + late + hold, {
          rank: random.next(),
          plans: [tradePlan(world, { ...who, aim: 'land' }, exit, { payer, bid: eagerBid(random) }, random)],
        });
      }
    },
  };
}
