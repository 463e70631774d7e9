import type { Address } from '../../chain/address.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { fundPlan, recruit } from './crew.ts';
import { tradePlan } from './trade-plan.ts';

/** Transactions that land side by side for one tip. */
export const MAX_BUNDLE = 5;
const MEDIAN_LAMPORTS = 600_000_000;
const SPREAD = 0.6;
/** Left to each wallet beside what it buys for. */
const EXTRA_LAMPORTS = 500_000_000n;
/** Crews that their developer pays for, and those that another wallet does; the rest was there before. */
const PAID_BY_DEV = 0.45;
const PAID_BY_MASTER = 0.35;
/** Slots that a crew's funding takes at least. */
export const MIN_FUNDING_SLOTS = 6;

/** Wallets that buy at a launch for one hand. */
export interface Crew {
  readonly wallets: readonly Wallet[];
  readonly spends: readonly bigint[];
  /** Payer for the wallets; undefined when nobody is known. */
  readonly source: Address | undefined;
}

/** Newcomers for one launch, funded some slots before it. */
export function gatherCrew(
  world: World,
  desk: SlotDesk,
  launch: { readonly dev: Wallet; readonly group: string; readonly size: number; readonly delay: number },
  random: Random,
): Crew {
  const wallets = recruit(world, 'crew', launch.size);
  const spends = wallets.map(() => random.amount(MEDIAN_LAMPORTS, SPREAD));
  const shares = wallets.map((wallet, place) => ({ wallet, lamports: (spends[place]! * 14n) / 10n + EXTRA_LAMPORTS }));
  const who = { actor: 'funding_tree' as const, group: launch.group };
  const dice = random.next();
  if (dice < PAID_BY_DEV) {
    const plans = [fundPlan(world, who, launch.dev, shares, random)];
    desk.sendLater(random.below(launch.delay), { rank: random.next(), plans });
    return { wallets, spends, source: launch.dev.address };
  }
  if (dice < PAID_BY_DEV + PAID_BY_MASTER) {
    const master = richWallet(
      world,
      'master',
      shares.reduce((sum, { lamports }) => sum + lamports, SOL),
    );
    for (const share of shares) {
      const plans = [fundPlan(world, who, master, [share], random)];
      desk.sendLater(random.below(launch.delay), { rank: random.next(), plans });
    }
    return { wallets, spends, source: master.address };
  }
  for (const { lamports, wallet } of shares) world.bank.endow(wallet.address, lamports);
  return { wallets, spends, source: undefined };
}

/** A wallet that has its lamports from before the chain began. */
export function richWallet(world: World, kind: string, lamports: bigint): Wallet {
  const wallet = world.newWallet(kind);
  world.bank.endow(wallet.address, lamports);
  return wallet;
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
