import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { SchemeKind } from '../truth.ts';
import type { World } from '../world.ts';
import { recruit } from './crew.ts';
import { sellPlan } from './exits.ts';
import type { Follower, Launch } from './launch-story.ts';
import { giftPlan } from './token-sends.ts';

const RELAY_SHARE = 0.2;
const FAN_SHARE = 0.08;
const AIRDROP_SHARE = 0.2;
const MEDIAN_HOPS = 6;
const HOPS_SPREAD = 0.45;
const MAX_HOPS = 16;
const MEDIAN_DELAY_SLOTS = 6;
const DELAY_SPREAD = 0.9;
const MAX_DELAY_SLOTS = 120;
/** A relay hands on a good part of what it got, some of them almost all. */
const LEAST_SHARE_ON = 0.55;
/** For each hop that is still to come. */
const RELAY_PURSE_LAMPORTS = 40_000_000n;
const MEDIAN_DROPPED = 11;
const DROPPED_SPREAD = 0.6;
const MAX_DROPPED = 50;
/** Receivers of one transaction, at most. */
const MAX_WIDTH = 9;
/** Chains whose last wallet sells. */
const LAST_SELLS = 0.7;
/** Airdrops whose newcomers sell later, and how many of them. */
const DROPS_SOLD = 0.3;
const DROPPED_SELL = 0.5;
const DROPPED_PURSE_LAMPORTS = 40_000_000n;

/** Developers who make their coin look widely held: by handing it on from wallet to wallet, or out to many newcomers. */
export function createFakeHolders(world: World, random: Random): Follower {
  const skewed = (median: number, spread: number, most: number) =>
    Math.min(most, Number(random.amount(median, spread)));
  const pause = () => skewed(MEDIAN_DELAY_SLOTS, DELAY_SPREAD, MAX_DELAY_SLOTS);
  const shareOn = () => LEAST_SHARE_ON + (1 - LEAST_SHARE_ON) * Math.sqrt(random.next());

  function note(desk: SlotDesk, launch: Launch, id: string, kind: SchemeKind, from: Wallet, to: readonly Wallet[]) {
    for (const receiver of to) launch.coin.holders.add(receiver);
    const wallets = to.map(({ address }) => address);
    desk.note({ id, kind, mint: launch.coin.token.mint, wallets, source: from.address });
  }

  /** Each wallet keeps some and sends the rest, and the lamports to go on with, to the next. */
  function relay(desk: SlotDesk, launch: Launch, from: Wallet): void {
    const { coin, delay, id } = launch;
    const group = `relay-${id}`;
    const who = { actor: 'relay_chain' as const, group };
    const hops = recruit(world, 'relay', Math.max(2, skewed(MEDIAN_HOPS, HOPS_SPREAD, MAX_HOPS)));
    note(desk, launch, group, 'relay_chain', from, hops);
    let giver = from;
    let slots = delay + 2 + pause();
    hops.forEach((receiver, hop) => {
      const purse = RELAY_PURSE_LAMPORTS * BigInt(hops.length - hop);
      const gift = { token: coin.token, from: giver, to: [receiver], share: shareOn(), purse };
      desk.sendLater(slots, { rank: random.next(), plans: [giftPlan(world, who, gift, random)] });
      giver = receiver;
      slots += pause();
    });
    if (!random.chance(LAST_SELLS)) return;
    desk.sendLater(slots + pause(), { rank: random.next(), plans: [sellPlan(world, who, coin, giver, 1, random)] });
  }

  /** Out to several at once, each of which hands it on to one more. */
  function fan(desk: SlotDesk, launch: Launch, from: Wallet): void {
    const { coin, delay, id } = launch;
    const group = `fan-${id}`;
    const who = { actor: 'relay_chain' as const, group };
    const firsts = recruit(world, 'relay', random.between(3, MAX_WIDTH));
    const seconds = recruit(world, 'relay', firsts.length);
    note(desk, launch, group, 'relay_chain', from, [...firsts, ...seconds]);
    const slots = delay + 2 + pause();
    const gift = { token: coin.token, from, to: firsts, share: shareOn(), purse: RELAY_PURSE_LAMPORTS };
    desk.sendLater(slots, { rank: random.next(), plans: [giftPlan(world, who, gift, random)] });
    firsts.forEach((giver, place) => {
      const onward = { token: coin.token, from: giver, to: [seconds[place]!], share: shareOn() };
      desk.sendLater(slots + pause(), { rank: random.next(), plans: [giftPlan(world, who, onward, random)] });
    });
  }

  /** Newcomers who never bought get some of the supply. */
  function airdrop(desk: SlotDesk, launch: Launch, from: Wallet): void {
    const { coin, delay, id } = launch;
    const group = `fake-airdrop-${id}`;
    const who = { actor: 'fake_airdrop' as const, group };
    const receivers = recruit(world, 'dropped', Math.max(2, skewed(MEDIAN_DROPPED, DROPPED_SPREAD, MAX_DROPPED)));
    note(desk, launch, group, 'fake_airdrop', from, receivers);
    const width = random.between(1, MAX_WIDTH);
    const even = random.chance(0.5);
    const share = 0.1 + 0.3 * random.next();
    const purse = random.chance(DROPS_SOLD) ? DROPPED_PURSE_LAMPORTS : 0n;
    let slots = delay + 3 + 2 * pause();
    for (let at = 0; at < receivers.length; at += width) {
      const to = receivers.slice(at, at + width);
      const weights = to.map(() => (even ? 1 : 0.2 + random.next()));
      const gift = { token: coin.token, from, to, share, weights, purse };
      desk.sendLater(slots, { rank: random.next(), plans: [giftPlan(world, who, gift, random)] });
      slots += random.below(6);
    }
    for (const receiver of receivers) {
      if (purse === 0n || !random.chance(DROPPED_SELL)) continue;
      const plans = [sellPlan(world, who, coin, receiver, 1, random)];
      desk.sendLater(slots + 5 * pause(), { rank: random.next(), plans });
    }
  }

  return {
    follow(desk, launch) {
      const { coin, crew } = launch;
      if (coin.quote !== undefined) return;
      const from = crew.length > 0 && random.chance(0.7) ? random.pick(crew) : coin.dev;
      const dice = random.next();
      if (dice < RELAY_SHARE) relay(desk, launch, from);
      else if (dice < RELAY_SHARE + FAN_SHARE) fan(desk, launch, from);
      else if (dice < RELAY_SHARE + FAN_SHARE + AIRDROP_SHARE) airdrop(desk, launch, from);
    },
  };
}
