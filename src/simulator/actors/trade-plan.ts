import type { Address } from '../../chain/address.ts';
import { AMM, BONDING_CURVE } from '../../facts/venue.ts';
import type { Wallet } from '../keyring.ts';
import { route } from '../programs/router.ts';
import { transferLamports } from '../programs/system.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { signWrite } from '../runtime/instruction.ts';
import type { TransactionPlan } from '../runtime/plan.ts';
import type { LoadFailure } from '../runtime/transaction.ts';
import { ROUTERS, TIP_WALLETS } from '../scenery.ts';
import type { World } from '../world.ts';
import type { Bid } from './bidding.ts';
import type { TradeWish } from './trade-wish.ts';
import { tradeInstructions } from './venue-trade.ts';

/** The way of a trade to the chain: who pays, what it bids, whom it tips, what it goes through. */
export interface Travel {
  readonly payer: Wallet;
  readonly bid: Bid;
  /** Lamports; 0 for none. */
  readonly tip?: bigint;
  readonly router?: Address | undefined;
  /** Set for a transaction that is charged but never runs. */
  readonly loadFailure?: LoadFailure['kind'];
}

/** A transaction with one trade, built on the state it finds when its turn comes. */
export function tradePlan(
  world: World,
  who: Pick<TransactionPlan, 'actor' | 'aim'> & { readonly group?: string },
  wish: TradeWish,
  travel: Travel,
  random: Random,
): TransactionPlan {
  const { payer, router } = travel;
  const own = random.fork('trade');
  if (wish.side === 'buy') wish.coin.holders.add(payer);
  return {
    ...who,
    ...travel.bid,
    payer,
    ...(travel.loadFailure === undefined ? {} : { loadFailure: travel.loadFailure }),
    ...(router === undefined
      ? {}
      : {
          wanted: () => ({
            mint: wish.coin.token.mint,
            venue: wish.coin.pool === undefined ? BONDING_CURVE : AMM,
            router,
          }),
        }),
    build() {
      const instructions = tradeInstructions(world, wish, own);
      if (instructions === undefined || !canAfford(world, wish, travel)) return undefined;
      const body: Instruction[] =
        router === undefined ? instructions : [route(router, signWrite(payer.address), instructions)];
      return [...body, ...tipInstructions(payer, travel.tip ?? 0n, own)];
    },
  };
}

/** Rents, fees and a little more, so that a buyer is never stopped by an empty purse. */
const RESERVE_LAMPORTS = 30_000_000n;

function canAfford({ bank }: World, wish: TradeWish, { payer, tip }: Travel): boolean {
  const spends = wish.side === 'buy' && wish.coin.quote === undefined ? (wish.amount * 13n) / 10n : 0n;
  return bank.lamports(payer.address) >= spends + (tip ?? 0n) + RESERVE_LAMPORTS;
}

export function tipInstructions(payer: Wallet, lamports: bigint, random: Random): Instruction[] {
  if (lamports === 0n) return [];
  return [transferLamports(payer.address, random.pick(TIP_WALLETS), lamports)];
}

/** A third of the senders tip a landing service, most of them little. */
export function ordinaryTip(random: Random): bigint {
  return random.chance(0.35) ? random.amount(300_000, 1.1) : 0n;
}

/** About half of the trades come through a trading platform's contract. */
export function ordinaryRouter(random: Random): Address | undefined {
  return random.chance(0.5) ? ROUTERS[random.zipf(ROUTERS.length, 1)] : undefined;
}
