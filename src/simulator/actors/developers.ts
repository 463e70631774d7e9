import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { USDC } from '../world.ts';
import { launchPlan } from './launch.ts';
import { pickTrader } from './traders.ts';

const MAYHEM_SHARE = 0.15;
const HOLDER_REWARD_SHARE = 0.1;
const DOLLAR_SHARE = 0.06;
const LEGACY_SHARE = 0.2;
const MEDIAN_FIRST_BUY_LAMPORTS = 700_000_000;
const FIRST_BUY_SHARE = 0.85;

/** Launches of coins. */
export function createDevelopers(world: World, random: Random): Actor {
  const perSlot = (world.load.creations * world.slotMs) / 1_000;
  let launches = 0;

  function design(): Coin {
    const dev = pickTrader(world, random);
    const dice = random.next();
    if (dice < MAYHEM_SHARE) return world.market.design({ dev, mayhem: true });
    if (dice < MAYHEM_SHARE + HOLDER_REWARD_SHARE) return world.market.design({ dev, holderReward: true });
    if (dice < MAYHEM_SHARE + HOLDER_REWARD_SHARE + DOLLAR_SHARE) return world.market.design({ dev, quote: USDC });
    return world.market.design({ dev, legacy: random.chance(LEGACY_SHARE) });
  }

  function launch(desk: SlotDesk): void {
    const coin = design();
    const firstBuy =
      coin.quote === undefined && random.chance(FIRST_BUY_SHARE) ? random.amount(MEDIAN_FIRST_BUY_LAMPORTS, 0.8) : 0n;
    const options = {
      actor: 'dev' as const,
      group: `launch-${launches++}`,
      firstBuy,
      tip: random.amount(1_000_000, 0.7),
    };
    desk.send({ rank: random.next(), plans: [launchPlan(world, coin, options, random)] });
    world.market.list(coin, random);
  }

  return {
    act(desk) {
      // Something to trade from the very first slot on.
      const count = launches === 0 ? 2 : random.poisson(perSlot);
      for (let left = count; left > 0; left--) launch(desk);
    },
  };
}
