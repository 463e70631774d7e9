import { buyWithQuote } from '../../programs/pump/curve.ts';
import { PUMP_PROGRAM } from '../../programs/pump/ids.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import { type Coin, newbornCurve } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { handOn } from '../programs/hand-on.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read } from '../runtime/instruction.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { richWallet } from './bundlers.ts';
import { recruit } from './crew.ts';
import { launchPlan } from './launch.ts';
import { giftPlan } from './token-sends.ts';
import { pickHolder } from './traders.ts';

const MIN_RECEIVERS = 6;
/** As many as one transaction has room for. */
const MAX_RECEIVERS = 12;
const MEDIAN_LAMPORTS = 900_000_000;
const FEES = { protocolBps: 95n, creatorBps: 30n };
/** Part of what was bought that the giver keeps: one in so many. */
const KEPT_PART = 10n;
const BUDGET = { unitLimit: 900_000, priorityFee: 40_000n };

/** Ways to hide a hand-out in what looks like a trade. */
type Way = 'split_creation' | 'buy_and_send' | 'named_venue';
const WAYS: readonly Way[] = ['split_creation', 'buy_and_send', 'named_venue'];

/**
 * Hands a coin to newcomers where nobody looks for sends: out of the creation's own buy, in the transaction that buys
 * it, or in a plain send that names the launchpad among its accounts without calling it.
 */
export function createHiddenGivers(world: World, random: Random): Actor {
  const perSlot = (world.load.hiddenHandouts * world.slotMs) / 1_000;
  let handouts = 0;

  function note(desk: SlotDesk, coin: Coin, from: Wallet): { readonly group: string; readonly to: Wallet[] } {
    const to = recruit(world, 'handed', random.between(MIN_RECEIVERS, MAX_RECEIVERS));
    for (const receiver of to) coin.holders.add(receiver);
    const group = `handout-${handouts++}`;
    const wallets = to.map(({ address }) => address);
    desk.note({ id: group, kind: 'hidden_handout', mint: coin.token.mint, wallets, source: from.address });
    return { group, to };
  }

  function splitCreation(desk: SlotDesk): void {
    const spend = random.amount(MEDIAN_LAMPORTS, 0.5);
    const dev = richWallet(world, 'splitter', 2n * spend + SOL);
    const coin = world.market.design({ dev });
    const { group, to } = note(desk, coin, dev);
    const options = { actor: 'hidden_giver' as const, group, firstBuy: 0n, tip: random.amount(1_000_000, 0.7) };
    const creation = launchPlan(world, coin, options, random);
    const places = random.fork('listing');
    const build = () => {
      const body = creation.build();
      if (body === undefined) return undefined;
      world.market.list(coin, places);
      coin.holders.add(dev);
      return [...body, ...buyForOthers(coin, dev, to, spend)];
    };
    desk.send({ rank: random.next(), plans: [{ ...creation, version: 1, budget: BUDGET, build }] });
  }

  function buyAndSend(desk: SlotDesk, coin: Coin): void {
    const spend = random.amount(MEDIAN_LAMPORTS, 0.5);
    const payer = richWallet(world, 'hidden-giver', 3n * spend + SOL);
    const { group, to } = note(desk, coin, payer);
    coin.holders.add(payer);
    const build = () => {
      if (coin.retired || coin.curve === undefined || coin.curve.complete) return undefined;
      return buyForOthers(coin, payer, to, spend);
    };
    const who = { actor: 'hidden_giver' as const, group, aim: 'land' as const };
    const plan: TransactionPlan = { ...who, payer, version: 1, budget: BUDGET, build };
    desk.send({ rank: random.next(), plans: [plan] });
  }

  function sendNamingVenue(desk: SlotDesk, coin: Coin): void {
    const from = pickHolder(world, coin, random);
    const { group, to } = note(desk, coin, from);
    const gift = { token: coin.token, from, to, share: 0.3 + 0.3 * random.next() };
    const plan = giftPlan(world, { actor: 'hidden_giver', group }, gift, random);
    const build = () => {
      const [first, ...others] = plan.build() ?? [];
      return first && [{ ...first, accounts: [...first.accounts, read(PUMP_PROGRAM)] }, ...others];
    };
    desk.send({ rank: random.next(), plans: [{ ...plan, build }] });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const way = random.pick(WAYS);
        if (way === 'split_creation') {
          splitCreation(desk);
          continue;
        }
        const coin = world.market.notice(
          random,
          ({ curve, holders, quote }) => quote === undefined && curve?.complete === false && holders.size > 4,
        );
        if (coin === undefined) continue;
        if (way === 'buy_and_send') buyAndSend(desk, coin);
        else sendNamingVenue(desk, coin);
      }
    },
  };
}

/** One buy on the curve, most of which goes on to others in the same transaction. */
function buyForOthers(coin: Coin, buyer: Wallet, to: readonly Wallet[], spend: bigint): Instruction[] {
  const { token } = coin;
  const user = buyer.address;
  const { reserves } = coin.curve ?? newbornCurve(coin);
  const { tokenAmount, userQuote } = buyWithQuote(reserves, spend, FEES);
  const part = (tokenAmount - tokenAmount / KEPT_PART) / BigInt(to.length);
  if (part === 0n || tokenAmount >= reserves.realToken) return [];
  return [
    openAssociated(user, user, token),
    curveTrade({ name: 'buy', coin, user, amount: tokenAmount, limit: userQuote * 2n }),
    ...to.flatMap(({ address }) => [openAssociated(user, address, token), handOn(token, user, address, part)]),
  ];
}
