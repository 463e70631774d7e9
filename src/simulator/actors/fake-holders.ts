import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { World } from '../world.ts';
import { crewExit } from './bundlers.ts';
import { recruit } from './crew.ts';
import type { Follower, Launch } from './launch-story.ts';
import { giftPlan } from './token-sends.ts';

const RELAY_SHARE = 0.2;
const AIRDROP_SHARE = 0.2;
const MIN_RELAY_HOPS = 3;
const MAX_RELAY_HOPS = 7;
const RELAY_PURSE_LAMPORTS = 60_000_000n;
/** A relay hands on almost all it got, less each time. */
const RELAY_SHARE_ON = 0.9;
const MIN_DROPPED = 6;
const MAX_DROPPED = 14;
/** Receivers of one transaction. */
const DROP_WIDTH = 7;

/** Developers who make their coin look widely held: by handing it on from wallet to wallet, or out to many at once. */
export function createFakeHolders(world: World, random: Random): Follower {
  let schemes = 0;

  /** Each wallet keeps a little and sends the rest, and the lamports to go on with, to the next. */
  function relay(desk: SlotDesk, { coin, delay }: Launch, from: Wallet): void {
    const group = `relay-${schemes++}`;
    const hops = recruit(world, 'relay', random.between(MIN_RELAY_HOPS, MAX_RELAY_HOPS));
    let giver = from;
    let slots = delay + random.between(3, 30);
    hops.forEach((receiver, hop) => {
      coin.holders.add(receiver);
      const purse = RELAY_PURSE_LAMPORTS * BigInt(hops.length - hop);
      const gift = { token: coin.token, from: giver, to: [receiver], share: RELAY_SHARE_ON, purse };
      desk.sendLater(slots, {
        rank: random.next(),
        plans: [giftPlan(world, { actor: 'relay_chain', group }, gift, random)],
      });
      giver = receiver;
      slots += random.between(2, 15);
    });
    const last = hops[hops.length - 1]!;
    desk.sendLater(slots + 20, {
      rank: random.next(),
      plans: crewExit(world, { actor: 'relay_chain', group }, coin, [last], random),
    });
  }

  /** Newcomers who never bought get some of the supply. */
  function airdrop(desk: SlotDesk, { coin, delay }: Launch, from: Wallet): void {
    const group = `fake-airdrop-${schemes++}`;
    const receivers = recruit(world, 'dropped', random.between(MIN_DROPPED, MAX_DROPPED));
    const slots = delay + random.between(5, 60);
    for (let at = 0; at < receivers.length; at += DROP_WIDTH) {
      const to = receivers.slice(at, at + DROP_WIDTH);
      for (const receiver of to) coin.holders.add(receiver);
      const gift = { token: coin.token, from, to, share: 0.3 };
      desk.sendLater(slots + at, {
        rank: random.next(),
        plans: [giftPlan(world, { actor: 'fake_airdrop', group }, gift, random)],
      });
    }
  }

  return {
    follow(desk, launch) {
      const { coin, crew } = launch;
      if (coin.quote !== undefined) return;
      const from = crew.length > 0 ? random.pick(crew) : coin.dev;
      if (random.chance(RELAY_SHARE)) relay(desk, launch, from);
      else if (random.chance(AIRDROP_SHARE)) airdrop(desk, launch, from);
    },
  };
}
