import type { Address } from '../chain/address.ts';
import { createArbitrageurs } from './actors/arbitrageurs.ts';
import { createBackground } from './actors/background.ts';
import { createCopyTraders } from './actors/copy-traders.ts';
import { createCopycats } from './actors/copycats.ts';
import { createCoveredRelays } from './actors/covered-relays.ts';
import { createCrumbGivers } from './actors/crumb-givers.ts';
import { createDevelopers } from './actors/developers.ts';
import { createEarlyBirds } from './actors/early-birds.ts';
import { createEquityTraders } from './actors/equity-traders.ts';
import { createFakeHolders } from './actors/fake-holders.ts';
import { createFundedBuyers } from './actors/funded-buyers.ts';
import { createFunders, createServices } from './actors/funders.ts';
import { createGivers } from './actors/givers.ts';
import { createHiddenGivers } from './actors/hidden-givers.ts';
import { createHype } from './actors/hype.ts';
import { createLookAlikes } from './actors/look-alikes.ts';
import { createMarketHoppers } from './actors/market-hoppers.ts';
import { createMarketMakers } from './actors/market-makers.ts';
import { createMayhemAgent } from './actors/mayhem-agent.ts';
import { createMigrator } from './actors/migrator.ts';
import { createOrderDesks } from './actors/order-desks.ts';
import { createPriceWashers } from './actors/price-washers.ts';
import { createPropAmmTraders } from './actors/prop-amm-traders.ts';
import { createSelfAbortBots } from './actors/self-abort-bots.ts';
import { createSenders } from './actors/senders.ts';
import { createSidePools } from './actors/side-pools.ts';
import { createSkimmingRouters } from './actors/skimming-routers.ts';
import { createSnipers } from './actors/snipers.ts';
import { createTraders } from './actors/traders.ts';
import { createValidators } from './actors/validators.ts';
import { createWashTraders } from './actors/wash-traders.ts';
import { createAddressTables } from './address-tables.ts';
import { encodeGeyserBlock } from './encode-geyser.ts';
import { encodeRpcBlock, type RpcEncoding } from './encode-rpc.ts';
import { createWorld } from './genesis.ts';
import { createKeyring } from './keyring.ts';
import { LOADS, type Load, type LoadName } from './load.ts';
import type { Network } from './network/network.ts';
import { createRandom } from './random.ts';
import { type Parent, produceBlock } from './runtime/produce.ts';
import { SlotQueue } from './runtime/slot-queue.ts';
import type { BlockTruth } from './truth.ts';
import type { Actor, World } from './world.ts';

export interface SimulatorOptions {
  /** Equal seeds make equal chains, byte for byte. */
  readonly seed: string | number;
  /** Load of the chain: `desk` when left out. */
  readonly load?: LoadName | Load;
  readonly startSlot?: number;
  /** Unix seconds of the first slot. */
  readonly startTime?: number;
  readonly slotMs?: number;
  /** False puts a repeatable stand-in where signatures would be. */
  readonly sign?: boolean;
  /** True for a chain on which coins are copied; false when left out, so that known seeds make the chains they made. */
  readonly copycats?: boolean;
  /**
   * Whose validators vote, and lead by its schedule; one that is delinquent makes no block. Without it a few lead in
   * turn, so that known seeds make the chains they made.
   */
  readonly network?: Network;
  /** Slots that stay without a block, the first never; a few by chance when left out. */
  readonly isSkipped?: (slot: number) => boolean;
}

/** A block of the simulated chain, encoded only when asked. */
export interface SimulatedBlock {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
  /** The validator that made it, who has its fees. */
  readonly leader: Address;
  /** A whole `SubscribeUpdate` of a Yellowstone stream. */
  geyser(): Uint8Array;
  /** The `result` of `getBlock`. */
  rpc(encoding?: RpcEncoding): object;
  readonly truth: BlockTruth;
}

export interface Simulator {
  readonly world: World;
  /** The next block; now and then a slot is skipped before it. */
  next(): SimulatedBlock;
}

const DEFAULT_SLOT = 460_000_000;
/** 14 November 2026. */
const DEFAULT_TIME = 1_794_614_400;
const DEFAULT_SLOT_MS = 200;
const SKIPPED_SHARE = 0.015;

/** An endless chain with known truth. It reads no clock: pace is whoever asks for the next block. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { load = 'desk', sign = true, slotMs = DEFAULT_SLOT_MS, startSlot = DEFAULT_SLOT } = options;
  const startTime = options.startTime ?? DEFAULT_TIME;
  const seed = String(options.seed);
  const random = createRandom(seed);
  const keyring = createKeyring(seed, { sign });
  const world = createWorld({
    seed,
    load: typeof load === 'string' ? LOADS[load] : load,
    slotMs,
    keyring,
    random: random.fork('genesis'),
  });
  const validators = createValidators(world, random.fork('validators'), options.network);
  const services = createServices(world);
  const marketMakers = createMarketMakers(world, random.fork('market-makers'));
  const arbitrageurs = createArbitrageurs(world, random.fork('arbitrageurs'));
  const givers = createGivers(world, random.fork('givers'));
  const followers = [
    createSnipers(world, random.fork('snipers')),
    createEarlyBirds(world, random.fork('early-birds')),
    createSelfAbortBots(world, random.fork('self-abort-bots')),
    createFakeHolders(world, random.fork('fake-holders')),
    createFundedBuyers(world, services, random.fork('funded-buyers')),
    marketMakers,
    arbitrageurs,
    givers,
  ];
  const actors: Actor[] = [
    createDevelopers(world, followers, random.fork('developers')),
    createTraders(world, random.fork('traders')),
    createHype(world, random.fork('hype')),
    createMigrator(world, random.fork('migrator')),
    createMayhemAgent(world, random.fork('mayhem-agent')),
    createWashTraders(world, random.fork('wash-traders')),
    createCopyTraders(world, random.fork('copy-traders')),
    createSkimmingRouters(world, random.fork('skimming-routers')),
    createSidePools(world, random.fork('side-pools')),
    createEquityTraders(world, random.fork('equity-traders')),
    marketMakers,
    arbitrageurs,
    givers,
    createSenders(world, random.fork('senders')),
    createFunders(world, services, random.fork('funders')),
    createLookAlikes(world, random.fork('look-alikes')),
    createBackground(world, random.fork('background')),
    validators,
  ];
  const queue = new SlotQueue();
  const tables = createAddressTables(keyring);
  const skips = random.fork('skips');
  // Whoever joins the chain draws behind all others, whose chances stay what they were.
  actors.push(
    createPropAmmTraders(world, random.fork('prop-amm-traders')),
    createOrderDesks(world, random.fork('order-desks')),
  );
  const isMissed = (slot: number) => {
    const { network } = options;
    return network?.isDelinquent(network.leaderOf(slot), slot) === true;
  };
  const isSkipped = options.isSkipped ?? ((slot: number) => skips.chance(SKIPPED_SHARE) || isMissed(slot));
  // Forked last: without them, the chain is the one that it was before they came.
  actors.push(createHiddenGivers(world, random.fork('hidden-givers')));
  actors.push(createMarketHoppers(world, random.fork('market-hoppers')));
  actors.push(createCrumbGivers(world, random.fork('crumb-givers')));
  // Of streams of chance that nobody else draws from.
  if (world.load.coveredRelays > 0) actors.push(createCoveredRelays(world, createRandom(`${seed}/covered-relays`)));
  if (world.load.priceWashes > 0) actors.push(createPriceWashers(world, createRandom(`${seed}/price-washers`)));
  if (options.copycats === true) actors.push(createCopycats(world, createRandom(`${seed}/copycats`)));
  let slot = startSlot - 1;
  let height = startSlot;
  let parent: Parent = { slot: startSlot - 1, blockhash: new Uint8Array(32).fill(7) };

  return {
    world,
    next() {
      do slot++;
      while (slot > startSlot && isSkipped(slot));
      const time = startTime + Math.floor(((slot - startSlot) * slotMs) / 1_000);
      const desk = queue.desk(slot, time);
      for (const actor of actors) actor.act(desk);
      const clusters = queue.take(slot);
      const leader = validators.leaderOf(slot);
      const schemes = queue.takeSchemes();
      const place = { slot, height: height++, time, parent, leader };
      const { block, truth } = produceBlock({ world, ...place, tables, clusters, schemes });
      parent = { slot, blockhash: block.blockhash };
      world.market.trim();
      return {
        slot,
        time,
        leader: leader.address,
        truth,
        geyser: () => encodeGeyserBlock(block),
        rpc: (encoding = 'json') => encodeRpcBlock(block, encoding),
      };
    },
  };
}
