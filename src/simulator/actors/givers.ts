import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { ActorKind, SchemeKind } from '../truth.ts';
import type { Actor, World } from '../world.ts';
import { richWallet } from './bundlers.ts';
import { fundPlan, recruit } from './crew.ts';
import type { Follower } from './launch-story.ts';
import { giftPlan, tokensOf } from './token-sends.ts';
import { pickHolder, pickTrader } from './traders.ts';

/** Shares of all schemes. */
const AIRDROPS = 0.16;
const DEALS = 0.05;
/** Of the airdrops: those to people who bought the coin; the others go to people who trade other coins. */
const TO_HOLDERS = 0.8;
/** Launches whose developer shares with the team. */
const TEAMS = 0.25;
const MAX_TEAM = 6;
const MEDIAN_RECEIVERS = 12;
const RECEIVERS_SPREAD = 0.6;
const MAX_RECEIVERS = 45;
const MAX_WIDTH = 9;
const MEDIAN_DEAL_LAMPORTS = 3_000_000_000;
const MEDIAN_VESTING_SLOTS = 80;

/** Honest sends: airdrops to a coin's buyers or to a community, a team's share, deals between two people. */
export function createGivers(world: World, random: Random): Actor & Follower {
  const perSlot = (world.load.schemes * (AIRDROPS + DEALS) * world.slotMs) / 1_000;
  let gifts = 0;

  function note(desk: SlotDesk, id: string, kind: SchemeKind, coin: Coin, from: Wallet, to: readonly Wallet[]): void {
    for (const receiver of to) coin.holders.add(receiver);
    desk.note({ id, kind, mint: coin.token.mint, wallets: to.map(({ address }) => address), source: from.address });
  }

  function send(
    desk: SlotDesk,
    who: { readonly actor: ActorKind; readonly group: string },
    gift: { readonly coin: Coin; readonly from: Wallet; readonly to: readonly Wallet[]; readonly share: number },
    firstSlots: number,
  ): void {
    const width = random.between(1, MAX_WIDTH);
    let slots = firstSlots;
    for (let at = 0; at < gift.to.length; at += width) {
      const to = gift.to.slice(at, at + width);
      const plan = giftPlan(world, who, { token: gift.coin.token, from: gift.from, to, share: gift.share }, random);
      desk.sendLater(slots, { rank: random.next(), plans: [plan] });
      slots += random.below(6);
    }
  }

  function airdrop(desk: SlotDesk, coin: Coin): void {
    const toHolders = random.chance(TO_HOLDERS);
    const wanted = Math.min(MAX_RECEIVERS, Number(random.amount(MEDIAN_RECEIVERS, RECEIVERS_SPREAD)));
    const devHolds = tokensOf(world, coin.dev.address, coin.token) > 0n;
    const from = devHolds && random.chance(0.6) ? coin.dev : pickHolder(world, coin, random);
    const someone = () => (toHolders ? pickHolder(world, coin, random) : pickTrader(world, random));
    const to = [...new Set(Array.from({ length: wanted }, someone))].filter(
      (wallet) => wallet !== from && wallet.label.startsWith('trader/'),
    );
    if (to.length === 0) return;
    const group = `airdrop-${gifts++}`;
    note(desk, group, toHolders ? 'holder_airdrop' : 'community_airdrop', coin, from, to);
    send(desk, { actor: 'honest_airdrop', group }, { coin, from, to, share: 0.05 + 0.25 * random.next() }, 0);
  }

  /** A buyer pays first, and the holder sends what was agreed on. */
  function deal(desk: SlotDesk, coin: Coin): void {
    const from = pickHolder(world, coin, random);
    const price = random.amount(MEDIAN_DEAL_LAMPORTS, 0.8);
    const buyer = richWallet(world, 'buyer', price + SOL);
    const group = `deal-${gifts++}`;
    const who = { actor: 'mover' as const, group };
    note(desk, group, 'otc', coin, from, [buyer]);
    desk.send({
      rank: random.next(),
      plans: [fundPlan(world, who, buyer, [{ wallet: from, lamports: price }], random)],
    });
    const gift = { coin, from, to: [buyer], share: random.pick([1, 0.5, 0.3]) };
    send(desk, who, gift, random.between(2, 20));
  }

  return {
    follow(desk, { coin, delay, id }) {
      // A launcher of one coin after the other has no team.
      if (coin.quote !== undefined || coin.dev.label.startsWith('serial-dev/') || !random.chance(TEAMS)) return;
      const group = `team-${id}`;
      const to = recruit(world, 'team', random.between(1, MAX_TEAM));
      note(desk, group, 'team_share', coin, coin.dev, to);
      const slots = delay + Number(random.amount(MEDIAN_VESTING_SLOTS, 0.6));
      send(desk, { actor: 'team', group }, { coin, from: coin.dev, to, share: 0.1 + 0.3 * random.next() }, slots);
    },
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(random, ({ holders, quote }) => quote === undefined && holders.size > 8);
        if (coin === undefined) continue;
        if (random.chance(AIRDROPS / (AIRDROPS + DEALS))) airdrop(desk, coin);
        else deal(desk, coin);
      }
    },
  };
}
