import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import type { Follower } from './launch-story.ts';
import { tradePlan } from './trade-plan.ts';

const BIRDS = 8;
const BIRD_SOL = 80n * SOL;
const MEDIAN_LAMPORTS = 400_000_000;
/** Of those whose attempt came too soon: who tries again once the coin is there. */
const COME_BACK = 0.5;

/** Buyers who know a mint before it exists: their attempts land, and fail, in slots before the creation. */
export function createEarlyBirds(world: World, random: Random): Follower {
  const birds = Array.from({ length: BIRDS }, (_, place): Wallet => {
    const wallet = world.keyring.wallet(`early-bird/${place}`);
    world.bank.endow(wallet.address, BIRD_SOL);
    return wallet;
  });

  return {
    follow(desk, { announced, coin, delay, rank }) {
      if (announced === 0 || coin.quote !== undefined || coin.token.decimals !== 6) return;
      const payer = random.pick(birds);
      const wish = {
        coin,
        user: payer.address,
        side: 'buy' as const,
        amount: random.amount(MEDIAN_LAMPORTS, 0.5),
        unborn: true,
      };
      const travel = { payer, bid: eagerBid(random), tip: random.amount(3_000_000, 0.5) };
      for (let tries = random.between(1, 3); tries > 0; tries--) {
        const soon = { ...wish, withoutAccount: true };
        desk.sendLater(delay - 1 - random.below(announced), {
          rank: random.next(),
          plans: [tradePlan(world, { actor: 'early_bird', aim: 'revert' }, soon, travel, random)],
        });
      }
      if (!random.chance(COME_BACK)) return;
      desk.sendLater(delay, {
        rank: rank + (1 - rank) * 0.5,
        plans: [tradePlan(world, { actor: 'early_bird', aim: 'land' }, wish, travel, random)],
      });
    },
  };
}
