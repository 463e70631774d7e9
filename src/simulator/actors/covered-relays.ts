import { buyWithQuote } from '../../programs/pump/curve.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { richWallet } from './bundlers.ts';
import { recruit } from './crew.ts';
import { giftPlan } from './token-sends.ts';
import { pickHolder } from './traders.ts';

const MIN_HOPS = 5;
const MAX_HOPS = 8;
const MIN_CRUMBS = 18;
const MAX_CRUMBS = 30;
/** Receivers of one transaction. */
const WIDTH = 6;
/** A crumb is one in so many parts of the bag, whose coins are passed on. */
const CRUMB_PART = 200;
/** Of what it has each relay hands on so much at least: a chain's amounts halve, or stay as they are. */
const LEAST_SHARE_ON = 0.52;
const PURSE_LAMPORTS = 30_000_000n;
const MEDIAN_LAMPORTS = 2_000_000_000;
const FEES = { protocolBps: 95n, creatorBps: 30n };
const BUDGET = { unitLimit: 300_000, priorityFee: 40_000n };

/**
 * Somebody who buys a bag and hands it on from wallet to wallet, and covers that: crumbs for people who hold the coin
 * already, and two wallets that pass on next to nothing, by which crumbs are to be taken for what everybody gets.
 */
export function createCoveredRelays(world: World, random: Random): Actor {
  const perSlot = (world.load.coveredRelays * world.slotMs) / 1_000;
  let chains = 0;

  function handOn(desk: SlotDesk, coin: Coin): void {
    const spend = random.amount(MEDIAN_LAMPORTS, 0.3);
    const payer = richWallet(world, 'covered', 3n * spend + 5n * SOL);
    const group = `covered-${chains++}`;
    const who = { actor: 'relay_chain' as const, group };
    const hops = recruit(world, 'covered', random.between(MIN_HOPS, MAX_HOPS));
    const decoys = recruit(world, 'covered', 2);
    const wanted = random.between(MIN_CRUMBS, MAX_CRUMBS);
    const people = new Map<string, Wallet>();
    for (let tries = 0; tries < 3 * wanted && people.size < wanted; tries++) {
      const holder = pickHolder(world, coin, random);
      people.set(holder.address, holder);
    }
    const wallets = [...hops, ...decoys, ...people.values()].map(({ address }) => address);
    desk.note({ id: group, kind: 'relay_chain', mint: coin.token.mint, wallets, source: payer.address });
    for (const wallet of [payer, ...hops, ...decoys]) coin.holders.add(wallet);

    const build = () => buyBag(coin, payer, spend);
    desk.send({ rank: random.next(), plans: [{ ...who, aim: 'land', payer, version: 1, budget: BUDGET, build }] });
    let slots = 1;
    const give = (from: Wallet, to: readonly Wallet[], share: number, purse = 0n) => {
      const gift = { token: coin.token, from, to, share, purse };
      desk.sendLater(slots++, { rank: random.next(), plans: [giftPlan(world, who, gift, random)] });
    };
    const covered = [...people.values()];
    for (let at = 0; at < covered.length; at += WIDTH) {
      const to = covered.slice(at, at + WIDTH);
      give(payer, to, to.length / CRUMB_PART);
    }
    give(payer, [decoys[0]!], 1 / CRUMB_PART, 2n * PURSE_LAMPORTS);
    give(decoys[0]!, [decoys[1]!], 1);
    const halves = random.chance(0.5);
    let giver = payer;
    hops.forEach((receiver, hop) => {
      const share = halves ? LEAST_SHARE_ON + 0.05 * random.next() : 0.95;
      give(giver, [receiver], hop === 0 ? 0.95 : share, PURSE_LAMPORTS * BigInt(hops.length - hop));
      giver = receiver;
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(
          random,
          ({ curve, holders, quote }) => quote === undefined && curve?.complete === false && holders.size > MIN_CRUMBS,
        );
        if (coin !== undefined) handOn(desk, coin);
      }
    },
  };
}

function buyBag(coin: Coin, payer: Wallet, spend: bigint): Instruction[] | undefined {
  const { curve, token } = coin;
  if (coin.retired || curve === undefined || curve.complete) return undefined;
  const user = payer.address;
  const { tokenAmount, userQuote } = buyWithQuote(curve.reserves, spend, FEES);
  if (tokenAmount === 0n || tokenAmount >= curve.reserves.realToken) return undefined;
  return [
    openAssociated(user, user, token),
    curveTrade({ name: 'buy', coin, user, amount: tokenAmount, limit: userQuote * 2n }),
  ];
}
