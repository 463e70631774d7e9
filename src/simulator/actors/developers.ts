import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import { type Actor, USDC, type World } from '../world.ts';
import { type Crew, crewBuys, crewExit, FUNDING_LEAD_SLOTS, fundCrew } from './bundlers.ts';
import { launchPlan } from './launch.ts';
import type { Follower } from './launch-story.ts';
import { pickTrader } from './traders.ts';

const MAYHEM_SHARE = 0.15;
const HOLDER_REWARD_SHARE = 0.1;
const DOLLAR_SHARE = 0.06;
const LEGACY_SHARE = 0.2;
const MEDIAN_FIRST_BUY_LAMPORTS = 700_000_000;
const FIRST_BUY_SHARE = 0.85;

const SERIAL_DEVS = 5;
const SERIAL_SOL = 400n * SOL;
const MIN_EXIT_SLOTS = 40;
const MAX_EXIT_SLOTS = 300;
/** Launches that were announced: their mint is known some slots before. */
const ANNOUNCED_SHARE = 0.25;

/** How a launch goes. `plain`: honest; `serial`: one of many by the same hand; `rug`: sells all soon after. */
type Style = 'plain' | 'serial' | 'rug' | 'bundle' | 'spread_bundle';

const STYLES: readonly Style[] = ['plain', 'plain', 'plain', 'serial', 'serial', 'rug', 'bundle', 'spread_bundle'];

const ACTORS: Readonly<Record<Style, ActorKind>> = {
  plain: 'dev',
  serial: 'serial_dev',
  rug: 'rug_dev',
  bundle: 'bundler',
  spread_bundle: 'spread_bundler',
};

/** Launches of coins, in every style; whoever follows launches is told of each. */
export function createDevelopers(world: World, followers: readonly Follower[], random: Random): Actor {
  const perSlot = (world.load.creations * world.slotMs) / 1_000;
  const serials = Array.from({ length: SERIAL_DEVS }, (_, place): Wallet => {
    const wallet = world.keyring.wallet(`serial-dev/${place}`);
    world.ledger.endow(wallet.address, SERIAL_SOL);
    return wallet;
  });
  let launches = 0;

  function design(style: Style): Coin {
    const dev = style === 'plain' ? pickTrader(world, random) : random.pick(serials);
    const dice = random.next();
    if (style !== 'plain') return world.market.design({ dev, legacy: dice < LEGACY_SHARE });
    if (dice < MAYHEM_SHARE) return world.market.design({ dev, mayhem: true });
    if (dice < MAYHEM_SHARE + HOLDER_REWARD_SHARE) return world.market.design({ dev, holderReward: true });
    if (dice < MAYHEM_SHARE + HOLDER_REWARD_SHARE + DOLLAR_SHARE) return world.market.design({ dev, quote: USDC });
    return world.market.design({ dev, legacy: random.chance(LEGACY_SHARE) });
  }

  function launch(desk: SlotDesk, style: Style): void {
    const coin = design(style);
    const group = `launch-${launches++}`;
    const actor = ACTORS[style];
    const bundles = style === 'bundle' || style === 'spread_bundle';
    const crew = bundles ? fundCrew(world, desk, coin.dev, group, random) : undefined;
    const announced = random.chance(ANNOUNCED_SHARE) ? random.between(2, 12) : 0;
    const delay = bundles ? FUNDING_LEAD_SLOTS : announced;
    const rank = random.next() * 0.8;
    const buys = coin.quote === undefined && (bundles || random.chance(FIRST_BUY_SHARE));
    const firstBuy = buys ? random.amount(MEDIAN_FIRST_BUY_LAMPORTS, 0.8) : 0n;
    const creation = launchPlan(world, coin, { actor, group, firstBuy, tip: random.amount(1_000_000, 0.7) }, random);
    const crewPlans = crew === undefined ? [] : crewBuys(world, { actor, group }, coin, crew, random);
    const together = style === 'bundle' ? crewPlans : [];
    desk.sendLater(delay, { rank, plans: [creation, ...together] });
    if (style === 'spread_bundle') {
      for (const plan of crewPlans) desk.sendLater(delay, { rank: rank + (1 - rank) * random.next(), plans: [plan] });
    }
    world.market.list(coin, random);
    if (style !== 'plain' && style !== 'serial') exit(desk, delay, coin, { actor, group }, crew);
    else if (style === 'serial' && random.chance(0.5)) exit(desk, delay, coin, { actor, group }, undefined);
    for (const follower of followers) follower.follow(desk, { coin, group, delay, rank, crew: crew?.wallets ?? [] });
  }

  function exit(
    desk: SlotDesk,
    delay: number,
    coin: Coin,
    who: { readonly actor: ActorKind; readonly group: string },
    crew: Crew | undefined,
  ): void {
    const wallets = [coin.dev, ...(crew?.wallets ?? [])];
    desk.sendLater(delay + random.between(MIN_EXIT_SLOTS, MAX_EXIT_SLOTS), {
      rank: random.next(),
      plans: crewExit(world, who, coin, wallets, random),
    });
  }

  return {
    act(desk) {
      // Something to trade from the very first slot on.
      if (launches === 0) {
        for (let left = Math.ceil(Math.sqrt(world.load.liveCoins)); left > 0; left--) launch(desk, 'plain');
      }
      for (let left = random.poisson(perSlot); left > 0; left--) launch(desk, random.pick(STYLES));
    },
  };
}
