import { buyWithQuote } from '../../programs/pump/curve.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { handOn } from '../programs/hand-on.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { richWallet } from './bundlers.ts';
import { recruit } from './crew.ts';

const MIN_RECEIVERS = 6;
const MAX_RECEIVERS = 12;
const MEDIAN_LAMPORTS = 90_000_000;
const FEES = { protocolBps: 95n, creatorBps: 30n };
const BUDGET = { unitLimit: 300_000, priorityFee: 40_000n };
/** Part of what was bought that goes on: one in so many, as much as a platform takes. */
const PART = 100n;

/** Hand a coin to newcomers one by one, each out of a purchase of its own: every crumb looks like a platform's share. */
export function createCrumbGivers(world: World, random: Random): Actor {
  const perSlot = (world.load.hiddenCrumbs * world.slotMs) / 1_000;
  let handouts = 0;

  function handOut(desk: SlotDesk, coin: Coin): void {
    const to = recruit(world, 'crumb', random.between(MIN_RECEIVERS, MAX_RECEIVERS));
    const spend = random.amount(MEDIAN_LAMPORTS, 0.5);
    const payer = richWallet(world, 'crumb-giver', BigInt(to.length) * 3n * spend + SOL);
    const group = `crumbs-${handouts++}`;
    const wallets = to.map(({ address }) => address);
    desk.note({ id: group, kind: 'hidden_handout', mint: coin.token.mint, wallets, source: payer.address });
    for (const holder of [payer, ...to]) coin.holders.add(holder);
    for (const receiver of to) {
      const build = () => buyFor(coin, payer, receiver, spend);
      const who = { actor: 'hidden_giver' as const, group, aim: 'land' as const };
      desk.send({ rank: random.next(), plans: [{ ...who, payer, version: 1, budget: BUDGET, build }] });
    }
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(
          random,
          ({ curve, holders, quote }) => quote === undefined && curve?.complete === false && holders.size > 4,
        );
        if (coin !== undefined) handOut(desk, coin);
      }
    },
  };
}

function buyFor(coin: Coin, payer: Wallet, receiver: Wallet, spend: bigint): Instruction[] | undefined {
  const { curve, token } = coin;
  if (coin.retired || curve === undefined || curve.complete) return undefined;
  const user = payer.address;
  const { tokenAmount, userQuote } = buyWithQuote(curve.reserves, spend, FEES);
  if (tokenAmount < PART || tokenAmount >= curve.reserves.realToken) return undefined;
  return [
    openAssociated(user, user, token),
    openAssociated(user, receiver.address, token),
    curveTrade({ name: 'buy', coin, user, amount: tokenAmount, limit: userQuote * 2n }),
    handOn(token, user, receiver.address, tokenAmount / PART),
  ];
}
