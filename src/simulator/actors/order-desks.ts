import { smaller } from '../../facts/amounts.ts';
import { buyWithQuote } from '../../programs/pump/curve.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { handOver, keepPart, onBehalf } from '../programs/order-desk.ts';
import { route } from '../programs/router.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { signWrite } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { tokensOf } from './token-sends.ts';

/** Share of all trades. */
const SHARE = 0.006;
const CUSTOMERS = 16;
const KEEPERS = 3;
const MOST_SERVED = 4;
const MEDIAN_LAMPORTS = 60_000_000;
const DEPOSITS = 50_000n * SOL;
const KEEPER_SOL = 500n * SOL;
/** The keeper's part of an order that it fills alone: one in so many. */
const PART = 100n;
const FEES = { protocolBps: 95n, creatorBps: 30n };

/** Orders filled in one transaction. */
interface Round {
  readonly coin: Coin;
  readonly keeper: Wallet;
  readonly customers: readonly Wallet[];
  /** Lamports for each. */
  readonly spend: bigint;
  /** Each order is handed over before the next is filled; otherwise all of them at the end, or at the start of a sale. */
  readonly oneByOne: boolean;
}

/**
 * Keepers who fill orders of people who do not sign: a program trades under its own address, for several customers by
 * equal amounts, or for one whose keeper takes a part.
 */
export function createOrderDesks(world: World, random: Random): Actor {
  const perSlot = (world.load.trades * SHARE * world.slotMs) / 1_000;
  const address = (part: string) => world.keyring.wallet(`order-desk/${part}`).address;
  const [program, authority] = [address('program'), address('authority')];
  world.bank.endow(authority, DEPOSITS);
  const customers = Array.from({ length: CUSTOMERS }, (_, place) =>
    world.keyring.wallet(`order-desk/customer/${place}`),
  );
  const keepers = Array.from({ length: KEEPERS }, (_, place): Wallet => {
    const keeper = world.keyring.wallet(`order-desk/keeper/${place}`);
    world.bank.endow(keeper.address, KEEPER_SOL);
    return keeper;
  });

  function purchase({ coin, keeper, customers: served, spend, oneByOne }: Round, refused: boolean) {
    const { curve, token } = coin;
    if (coin.retired || curve === undefined || curve.complete) return undefined;
    const amount = buyWithQuote(curve.reserves, spend, FEES).tokenAmount;
    const count = BigInt(served.length);
    if (amount < PART || amount * count * 2n >= curve.reserves.realToken) return undefined;
    if (world.bank.lamports(authority) < spend * count * 4n) return undefined;
    const limit = refused ? 1n : spend * 4n;
    const fills = served.map((customer) => {
      const trade = curveTrade({ name: 'buy', coin, user: authority, amount, limit });
      return onBehalf(trade, customer.address, keeper.address);
    });
    const part = served.length === 1 ? amount / PART : 0n;
    const handovers = served.map(({ address: customer }) =>
      handOver(token, authority, customer, authority, amount - part),
    );
    if (part > 0n) handovers.push(keepPart(token, authority, served[0]!.address, keeper.address, part));
    const open = [authority, keeper.address, ...served.map((customer) => customer.address)].map((owner) =>
      openAssociated(keeper.address, owner, token),
    );
    const inner = oneByOne ? alternate(fills, handovers) : [...fills, ...handovers];
    return [...open, route(program, signWrite(keeper.address), inner, { authority })];
  }

  function sale({ coin, keeper, customers: served, oneByOne }: Round) {
    const { curve, token } = coin;
    if (coin.retired || curve === undefined || curve.complete) return undefined;
    const amount = served.map((customer) => tokensOf(world, customer.address, token)).reduce((a, b) => smaller(a, b));
    if (amount < PART) return undefined;
    const handovers = served.map(({ address: customer }) => handOver(token, customer, authority, authority, amount));
    const fills = served.map((customer) => {
      const trade = curveTrade({ name: 'sell', coin, user: authority, amount, limit: 0n });
      return onBehalf(trade, customer.address, keeper.address);
    });
    const inner = oneByOne ? alternate(handovers, fills) : [...handovers, ...fills];
    return [route(program, signWrite(keeper.address), inner, { authority })];
  }

  function fill(desk: SlotDesk): void {
    const coin = world.market.notice(random, ({ curve, quote }) => quote === undefined && !curve!.complete);
    if (coin === undefined) return;
    const holders = customers.filter((customer) => tokensOf(world, customer.address, coin.token) > 0n);
    const sells = holders.length > 0 && random.chance(0.45);
    const first = random.between(0, CUSTOMERS - 1);
    const count = random.between(1, MOST_SERVED);
    const queue = sells ? holders : [...customers.slice(first), ...customers.slice(0, first)];
    const round = {
      coin,
      keeper: random.pick(keepers),
      customers: queue.slice(0, count),
      spend: random.amount(MEDIAN_LAMPORTS, 0.7),
      oneByOne: random.chance(0.5),
    };
    const refused = !sells && random.chance(0.3);
    desk.send({
      // Orders wait for the price at which the block ends.
      rank: 1,
      plans: [
        {
          actor: 'order_desk',
          aim: refused ? 'revert' : 'land',
          payer: round.keeper,
          ...ordinaryBid(random),
          build: () => (sells ? sale(round) : purchase(round, refused)),
        },
      ],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) fill(desk);
    },
  };
}

function alternate(first: readonly Instruction[], second: readonly Instruction[]): Instruction[] {
  const turns = first.flatMap((instruction, place) => [instruction, second[place]!]);
  return [...turns, ...second.slice(first.length)];
}
