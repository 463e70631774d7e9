import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { EVERYTHING, fundPlan, recruit } from './crew.ts';
import { tradePlan } from './trade-plan.ts';

const MIN_CREW = 3;
const MAX_CREW = 5;
const MIN_LAMPORTS = 300_000_000;
const MAX_LAMPORTS = 1_500_000_000;
/** Left to each wallet beside what it buys for. */
const EXTRA_LAMPORTS = 500_000_000n;
/** Slots between the funding and the launch. */
export const FUNDING_LEAD_SLOTS = 6;

/** Wallets that buy at a launch for one master. */
export interface Crew {
  readonly wallets: readonly Wallet[];
  readonly spends: readonly bigint[];
}

/** Newcomers, funded by one wallet some slots before the launch. */
export function fundCrew(world: World, desk: SlotDesk, master: Wallet, group: string, random: Random): Crew {
  const wallets = recruit(world, 'crew', random.between(MIN_CREW, MAX_CREW));
  const spends = wallets.map(() => BigInt(random.between(MIN_LAMPORTS, MAX_LAMPORTS)));
  const shares = wallets.map((wallet, place) => ({ wallet, lamports: (spends[place]! * 14n) / 10n + EXTRA_LAMPORTS }));
  desk.send({
    rank: random.next(),
    plans: [fundPlan(world, { actor: 'funding_tree', group }, master, shares, random)],
  });
  return { wallets, spends };
}

/** The crew's buys of a coin. */
export function crewBuys(
  world: World,
  who: { readonly actor: ActorKind; readonly group: string },
  coin: Coin,
  crew: Crew,
  random: Random,
): TransactionPlan[] {
  const bid = eagerBid(random);
  return crew.wallets.map((payer, place) => {
    const wish = { coin, user: payer.address, side: 'buy' as const, amount: crew.spends[place]!, unborn: true };
    const tip = place === crew.wallets.length - 1 ? random.amount(10_000_000, 0.5) : 0n;
    return tradePlan(world, { ...who, aim: 'land' }, wish, { payer, bid, tip }, random);
  });
}

/** Everything the crew holds, sold in one cluster. */
export function crewExit(
  world: World,
  who: { readonly actor: ActorKind; readonly group: string },
  coin: Coin,
  wallets: readonly Wallet[],
  random: Random,
): TransactionPlan[] {
  return wallets.map((payer) => {
    const wish = { coin, user: payer.address, side: 'sell' as const, amount: EVERYTHING };
    return tradePlan(world, { ...who, aim: 'land' }, wish, { payer, bid: eagerBid(random) }, random);
  });
}
