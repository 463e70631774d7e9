import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { eagerBid, ordinaryBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import { tradePlan } from './trade-plan.ts';

const MEDIAN_EXIT_SLOTS = 110;
const EXIT_SPREAD = 0.7;
const MAX_EXIT_SLOTS = 1_500;
/** Of the dumps: those in one go. */
const AT_ONCE = 0.5;
const MAX_PARTS = 5;
const MAX_PART_GAP = 40;
/** A dump sells at least so much of what there is. */
const LEAST_DUMPED = 0.6;
const MAX_PROFIT_TAKEN = 0.3;

/** An actor's exit from a coin. */
export interface Exit {
  readonly actor: ActorKind;
  /** Tells it from all other exits. */
  readonly id: number;
  readonly coin: Coin;
  /** Slots until the coin is made. */
  readonly delay: number;
}

/** The developer, and whoever bought along, sell most of what they hold: at once, or in parts. */
export function dump(world: World, desk: SlotDesk, exit: Exit, crew: readonly Wallet[], random: Random): void {
  const { actor, coin, id } = exit;
  const group = `dump-${id}`;
  const wallets = [coin.dev, ...crew];
  noteSale(desk, group, 'dev_dump', coin, wallets);
  const total = random.chance(AT_ONCE) ? 1 : LEAST_DUMPED + (1 - LEAST_DUMPED) * random.next();
  const parts = random.chance(AT_ONCE) ? 1 : random.between(2, MAX_PARTS);
  const together = random.chance(0.5);
  let slots = exit.delay + exitSlots(random);
  for (let part = 0; part < parts; part++) {
    // Each part is the same share of the whole, so a growing one of what is left.
    const share = total / parts / (1 - (part * total) / parts);
    const plans = wallets.map((wallet) => sellPlan(world, { actor, group }, coin, wallet, share, random));
    if (together) desk.sendLater(slots, { rank: random.next(), plans });
    else for (const plan of plans) desk.sendLater(slots + random.below(10), { rank: random.next(), plans: [plan] });
    slots += random.between(3, MAX_PART_GAP);
  }
}

/** The developer sells a little, and stays in. */
export function takeProfit(world: World, desk: SlotDesk, exit: Exit, random: Random): void {
  const { actor, coin, id } = exit;
  const group = `profit-${id}`;
  noteSale(desk, group, 'dev_profit', coin, [coin.dev]);
  const share = 0.05 + (MAX_PROFIT_TAKEN - 0.05) * random.next();
  const plan = sellPlan(world, { actor, group }, coin, coin.dev, share, random);
  desk.sendLater(exit.delay + exitSlots(random), { rank: random.next(), plans: [plan] });
}

/** A sale of a share of what the wallet holds when its turn comes. */
export function sellPlan(
  world: World,
  who: { readonly actor: ActorKind; readonly group: string },
  coin: Coin,
  payer: Wallet,
  share: number,
  random: Random,
): TransactionPlan {
  const wish = { coin, user: payer.address, side: 'sell' as const, amount: EVERYTHING, share };
  const bid = random.chance(0.5) ? eagerBid(random) : ordinaryBid(random);
  return tradePlan(world, { ...who, aim: 'land' }, wish, { payer, bid }, random);
}

function noteSale(
  desk: SlotDesk,
  id: string,
  kind: 'dev_dump' | 'dev_profit',
  { token }: Coin,
  sellers: readonly Wallet[],
): void {
  desk.note({ id, kind, mint: token.mint, wallets: sellers.map(({ address }) => address), source: undefined });
}

function exitSlots(random: Random): number {
  return Math.min(MAX_EXIT_SLOTS, 10 + Number(random.amount(MEDIAN_EXIT_SLOTS, EXIT_SPREAD)));
}
