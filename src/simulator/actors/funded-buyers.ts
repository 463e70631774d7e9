import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { ActorKind, SchemeKind } from '../truth.ts';
import type { World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { richWallet } from './bundlers.ts';
import { fundPlan, recruit } from './crew.ts';
import type { Follower, Launch } from './launch-story.ts';
import { ordinaryRouter, ordinaryTip, tradePlan } from './trade-plan.ts';

/** Launches that each kind comes to. */
const ONE_HAND = 0.22;
const OF_EXCHANGES = 0.35;
const OF_SERVICES = 0.2;

const MAX_HANDS = 10;
/** Of the groups with one hand: those whose hand is the developer. */
const DEV_PAYS = 0.3;
const MAX_NEWCOMERS = 8;
/** Newcomers of one exchange come from another one now and then. */
const OTHER_EXCHANGE = 0.3;
const MEDIAN_SPEND_LAMPORTS = 350_000_000;
const SPEND_SPREAD = 0.9;
const EXTRA_LAMPORTS = 150_000_000n;
const MEDIAN_LATE_SLOTS = 7;
const LATE_SPREAD = 1;
const MAX_LATE_SLOTS = 150;
/** Slots from the funding to the buy, at least. */
const MIN_LEAD_SLOTS = 2;
const MAX_LEAD_SLOTS = 400;

/** A group of early buyers that somebody pays for. */
interface Group {
  readonly kind: SchemeKind & ('shared_funder' | 'exchange_buyers' | 'service_buyers');
  readonly actor: ActorKind;
  readonly size: number;
  /** Asked for each buyer. */
  readonly funder: (lamports: bigint) => Wallet;
}

/**
 * Early buyers whom somebody paid for one hop before: groups that hang on one wallet,
 * and newcomers who have nothing in common but the exchange or the service that paid them out.
 */
export function createFundedBuyers(world: World, services: readonly Wallet[], random: Random): Follower {
  function come(desk: SlotDesk, { coin, delay, id, rank }: Launch, group: Group): void {
    const name = `${group.kind}-${id}`;
    const buyers = recruit(world, 'funded', group.size);
    const source = new Set<Wallet>();
    for (const payer of buyers) {
      const amount = random.amount(MEDIAN_SPEND_LAMPORTS, SPEND_SPREAD);
      const lamports = (amount * 14n) / 10n + EXTRA_LAMPORTS;
      const funder = group.funder(lamports);
      source.add(funder);
      const buysAt = delay + lateSlots(random);
      const earliest = Math.max(0, buysAt - MAX_LEAD_SLOTS);
      const fundedAt = random.between(earliest, Math.max(earliest, buysAt - MIN_LEAD_SLOTS));
      const who = {
        actor: group.kind === 'shared_funder' ? ('funding_tree' as const) : ('payer' as const),
        group: name,
      };
      const paid = [fundPlan(world, who, funder, [{ wallet: payer, lamports }], random)];
      desk.sendLater(fundedAt, { rank: random.next(), plans: paid });
      const wish = { coin, user: payer.address, side: 'buy' as const, amount, unborn: true };
      const travel = { payer, bid: ordinaryBid(random), tip: ordinaryTip(random), router: ordinaryRouter(random) };
      desk.sendLater(Math.max(buysAt, fundedAt + 1), {
        rank: buysAt === delay ? rank + (1 - rank) * random.next() : random.next(),
        plans: [tradePlan(world, { actor: group.actor, aim: 'land', group: name }, wish, travel, random)],
      });
    }
    desk.note({
      id: name,
      kind: group.kind,
      mint: coin.token.mint,
      wallets: buyers.map(({ address }) => address),
      source: source.size === 1 ? [...source][0]!.address : undefined,
    });
  }

  return {
    follow(desk, launch) {
      const { coin } = launch;
      if (coin.quote !== undefined) return;
      if (random.chance(ONE_HAND)) {
        const size = random.between(2, MAX_HANDS);
        const purse = BigInt(size) * 2n * SOL + 20n * SOL;
        const hand = random.chance(DEV_PAYS) ? coin.dev : richWallet(world, 'hand', purse);
        come(desk, launch, { kind: 'shared_funder', actor: 'newcomer', size, funder: () => hand });
      }
      if (random.chance(OF_EXCHANGES)) {
        const exchange = random.pick(world.exchanges);
        const funder = () => (random.chance(OTHER_EXCHANGE) ? random.pick(world.exchanges) : exchange);
        const size = random.between(1, MAX_NEWCOMERS);
        come(desk, launch, { kind: 'exchange_buyers', actor: 'newcomer', size, funder });
      }
      if (random.chance(OF_SERVICES)) {
        const service = random.pick(services);
        const size = random.between(1, 4);
        come(desk, launch, { kind: 'service_buyers', actor: 'newcomer', size, funder: () => service });
      }
    },
  };
}

function lateSlots(random: Random): number {
  return Math.min(MAX_LATE_SLOTS, Number(random.amount(MEDIAN_LATE_SLOTS, LATE_SPREAD)) - 1);
}
