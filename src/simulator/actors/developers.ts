import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import { type Actor, USDC, type World } from '../world.ts';
import { type Crew, crewBuys, gatherCrew, MAX_BUNDLE, MIN_FUNDING_SLOTS } from './bundlers.ts';
import { dump, takeProfit } from './exits.ts';
import { launchPlan, listedPlan } from './launch.ts';
import type { Follower } from './launch-story.ts';
import { pickTrader } from './traders.ts';

const MAYHEM_SHARE = 0.15;
const HOLDER_REWARD_SHARE = 0.1;
const DOLLAR_SHARE = 0.06;
const LEGACY_SHARE = 0.2;
const MEDIAN_FIRST_BUY_LAMPORTS = 700_000_000;
const FIRST_BUY_SHARE = 0.85;
/** Bundles in which the developer buys too. */
const DEV_IN_BUNDLE = 0.7;
/** Bundles that come a little after the creation. */
const LATE_BUNDLES = 0.2;
const MAX_LATE_SLOTS = 3;
const MAX_SPREAD_CREW = 7;

const SERIAL_DEVS = 5;
const SERIAL_SOL = 400n * SOL;
const SERIAL_DUMPS = 0.5;
const PLAIN_PROFITS = 0.3;
/** Launches that were prepared some slots ahead, and by how many. */
const PREPARED_SHARE = 0.6;
const MEDIAN_LEAD_SLOTS = 30;
const LEAD_SPREAD = 0.8;
const MAX_LEAD_SLOTS = 300;
/** Launches that were announced: their mint is known some slots before. */
const ANNOUNCED_SHARE = 0.4;
const MAX_ANNOUNCED_SLOTS = 12;

/** Style of a launch. `plain`: honest; `serial`: one of many by the same hand; `rug`: sells all soon after. */
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
    world.bank.endow(wallet.address, SERIAL_SOL);
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

  function launch(desk: SlotDesk, style: Style, atOnce = false): void {
    const coin = design(style);
    const id = launches++;
    const group = `launch-${id}`;
    const actor = ACTORS[style];
    const bundles = style === 'bundle' || style === 'spread_bundle';
    const lead = leadSlots(random, bundles);
    const delay = atOnce ? 0 : lead;
    const announced = random.chance(ANNOUNCED_SHARE) ? Math.min(delay, random.between(2, MAX_ANNOUNCED_SLOTS)) : 0;
    const rank = random.next() * 0.8;
    const buys = coin.quote === undefined && random.chance(bundles ? DEV_IN_BUNDLE : FIRST_BUY_SHARE);
    const firstBuy = buys ? random.amount(MEDIAN_FIRST_BUY_LAMPORTS, 0.8) : 0n;
    const options = { actor, group, firstBuy, tip: random.amount(1_000_000, 0.7) };
    const creation = listedPlan(world, coin, launchPlan(world, coin, options, random), random);
    const size = style === 'bundle' ? random.between(buys ? 1 : 2, MAX_BUNDLE - 1) : random.between(2, MAX_SPREAD_CREW);
    const crew = bundles ? gatherCrew(world, desk, { dev: coin.dev, group, size, delay }, random) : undefined;
    const crewPlans = crew === undefined ? [] : crewBuys(world, { actor, group }, coin, crew, random);
    // One transaction alone is a bundle only with the creation.
    const late = style === 'bundle' && size > 1 && random.chance(LATE_BUNDLES) ? random.between(1, MAX_LATE_SLOTS) : 0;
    const together = style === 'bundle' && late === 0 ? crewPlans : [];
    desk.sendLater(delay, { rank, plans: [creation, ...together] });
    if (late > 0) desk.sendLater(delay + late, { rank: random.next(), plans: crewPlans });
    if (style === 'spread_bundle') {
      for (const plan of crewPlans) desk.sendLater(delay, { rank: rank + (1 - rank) * random.next(), plans: [plan] });
    }
    if (crew !== undefined) noteBundle(desk, style, coin, group, crew, buys && late === 0);
    exit(desk, style, { actor, id, coin, delay }, crew);
    for (const follower of followers) {
      follower.follow(desk, { coin, id, delay, announced, rank, crew: crew?.wallets ?? [] });
    }
  }

  function exit(desk: SlotDesk, style: Style, of: Parameters<typeof dump>[2], crew: Crew | undefined): void {
    if (style === 'plain') {
      if (random.chance(PLAIN_PROFITS)) takeProfit(world, desk, of, random);
    } else if (style !== 'serial' || random.chance(SERIAL_DUMPS)) {
      dump(world, desk, of, crew?.wallets ?? [], random);
    }
  }

  return {
    act(desk) {
      // Something to trade from the very first slot on.
      if (launches === 0) {
        for (let left = Math.ceil(Math.sqrt(world.load.liveCoins)); left > 0; left--) launch(desk, 'plain', true);
      }
      for (let left = random.poisson(perSlot); left > 0; left--) launch(desk, random.pick(STYLES));
    },
  };
}

/** Slots from the first preparation to the creation. */
function leadSlots(random: Random, bundles: boolean): number {
  const prepared = Math.min(MAX_LEAD_SLOTS, Number(random.amount(MEDIAN_LEAD_SLOTS, LEAD_SPREAD)));
  if (bundles) return Math.max(MIN_FUNDING_SLOTS, prepared);
  return random.chance(PREPARED_SHARE) ? prepared : 0;
}

function noteBundle(desk: SlotDesk, style: Style, coin: Coin, id: string, crew: Crew, withDev: boolean): void {
  const crewWallets = crew.wallets.map(({ address }) => address);
  desk.note({
    id,
    kind: style === 'bundle' ? 'bundle' : 'spread_bundle',
    mint: coin.token.mint,
    wallets: withDev ? [coin.dev.address, ...crewWallets] : crewWallets,
    source: crew.source,
  });
}
