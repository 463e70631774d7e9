import { buyWithQuote } from '../../programs/pump/curve.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { EVERYTHING } from './crew.ts';
import { tradePlan } from './trade-plan.ts';

const PAIRS = 4;
const WASHER_SOL = 150n * SOL;
/** Share of all schemes. */
const SHARE = 0.35;
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 10;
const MEDIAN_LAMPORTS = 500_000_000;
const FEES = { protocolBps: 95n, creatorBps: 30n };

/** Pairs of wallets that trade with themselves and each other, so that a coin looks busy. */
export function createWashTraders(world: World, random: Random): Actor {
  const perSlot = (world.load.schemes * SHARE * world.slotMs) / 1_000;
  const pairs = Array.from({ length: PAIRS }, (_, place) => {
    const pair = [world.keyring.wallet(`washer/${place}/a`), world.keyring.wallet(`washer/${place}/b`)] as const;
    for (const { address } of pair) world.bank.endow(address, WASHER_SOL);
    return pair;
  });
  let schemes = 0;

  /** In and out in one transaction. */
  function roundTrip(coin: Coin, payer: Wallet, group: string): TransactionPlan {
    const spend = random.amount(MEDIAN_LAMPORTS, 0.3);
    return {
      actor: 'wash_trader',
      group,
      aim: 'land',
      payer,
      ...ordinaryBid(random),
      build() {
        const { curve } = coin;
        if (coin.retired || curve === undefined || curve.complete) return undefined;
        const { tokenAmount, userQuote } = buyWithQuote(curve.reserves, spend, FEES);
        if (tokenAmount >= curve.reserves.realToken || world.bank.lamports(payer.address) < userQuote * 2n)
          return undefined;
        const trade = { coin, user: payer.address, amount: tokenAmount };
        return [
          openAssociated(payer.address, payer.address, coin.token),
          curveTrade({ ...trade, name: 'buy', limit: userQuote * 2n }),
          curveTrade({ ...trade, name: 'sell', limit: 0n }),
        ];
      },
    };
  }

  /** One sells next to where the other buys. */
  function handOver(coin: Coin, [first, second]: readonly [Wallet, Wallet], group: string): TransactionPlan[] {
    const who = { actor: 'wash_trader' as const, aim: 'land' as const, group };
    const amount = random.amount(MEDIAN_LAMPORTS, 0.2);
    const buy = { coin, user: first.address, side: 'buy' as const, amount };
    const sell = { coin, user: second.address, side: 'sell' as const, amount: EVERYTHING };
    return [
      tradePlan(world, who, buy, { payer: first, bid: ordinaryBid(random) }, random),
      tradePlan(world, who, sell, { payer: second, bid: ordinaryBid(random) }, random),
    ];
  }

  function wash(desk: SlotDesk, coin: Coin): void {
    const pair = random.pick(pairs);
    const group = `wash-${schemes++}`;
    let slots = 0;
    for (let rounds = random.between(MIN_ROUNDS, MAX_ROUNDS); rounds > 0; rounds--) {
      const turned = rounds % 2 === 0 ? pair : ([pair[1], pair[0]] as const);
      const plans = random.chance(0.5) ? [roundTrip(coin, turned[0], group)] : handOver(coin, turned, group);
      for (const wallet of pair) coin.holders.add(wallet);
      desk.sendLater(slots, { rank: random.next(), plans });
      slots += random.between(1, 12);
    }
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const coin = world.market.notice(random, ({ curve, quote }) => quote === undefined && !curve!.complete);
        if (coin !== undefined) wash(desk, coin);
      }
    },
  };
}
