import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { associatedAccount } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { ordinaryRouter, ordinaryTip, tradePlan } from './trade-plan.ts';
import type { Spoil } from './trade-wish.ts';

/** Activity of traders falls with rank as a power law with about this exponent. */
const ACTIVITY_EXPONENT = 0.8;
const BUY_SHARE = 0.58;
/** Of the trades that revert: those that were never even loaded. */
const LOAD_FAILURES = 0.02;
const MEDIAN_BUY_LAMPORTS = 180_000_000;
const MEDIAN_BUY_DOLLARS = 25_000_000;
const BUY_SPREAD = 1.2;

/** The crowd: buys what is noticed, sells what it holds, and reverts as often as mainnet's does. */
export function createTraders(world: World, random: Random): Actor {
  const perSlot = (world.load.trades * world.slotMs) / 1_000;

  function send(desk: SlotDesk): void {
    const coin = world.market.notice(random);
    if (coin === undefined) return;
    const sells = coin.holders.size > 2 && !random.chance(BUY_SHARE);
    const trader = sells ? pickHolder(world, coin, random) : pickTrader(world, random);
    const spoil = random.chance(world.load.revertedShare) ? pickSpoil(sells, random) : undefined;
    const unloaded = spoil !== undefined && random.chance(LOAD_FAILURES);
    const wish = {
      coin,
      user: trader.address,
      side: sells ? ('sell' as const) : ('buy' as const),
      amount: sells ? pickShare(world, coin, trader, random) : pickSpend(coin, random),
      ...(spoil === undefined ? {} : { spoil }),
    };
    const travel = {
      payer: trader,
      bid: ordinaryBid(random),
      tip: ordinaryTip(random),
      router: ordinaryRouter(random),
      ...(unloaded ? { loadFailure: 'MaxLoadedAccountsDataSizeExceeded' as const } : {}),
    };
    const aim = spoil === undefined ? 'land' : unloaded ? 'fail_to_load' : 'revert';
    desk.send({
      rank: random.next(),
      plans: [tradePlan(world, { actor: 'trader', aim }, wish, travel, random)],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) send(desk);
    },
  };
}

export function pickTrader(world: World, random: Random): Wallet {
  return world.trader(random.zipf(world.traderCount, ACTIVITY_EXPONENT));
}

/** Somebody who got the coin once, and holds it still if one is found quickly. */
export function pickHolder({ bank }: World, coin: Coin, random: Random): Wallet {
  return coin.holders.pick(random, ({ address }) => {
    return (bank.tokenAccount(associatedAccount(address, coin.token))?.amount ?? 0n) > 0n;
  });
}

function pickSpend(coin: Coin, random: Random): bigint {
  return random.amount(coin.quote === undefined ? MEDIAN_BUY_LAMPORTS : MEDIAN_BUY_DOLLARS, BUY_SPREAD);
}

/** All, half, or some share of what the wallet holds. */
function pickShare(world: World, coin: Coin, trader: Wallet, random: Random): bigint {
  const held = world.bank.tokenAccount(associatedAccount(trader.address, coin.token))?.amount ?? 0n;
  const share = random.pick([1, 1, 0.5, 0.25, random.next()]);
  const amount = (held * BigInt(Math.ceil(share * 1_000))) / 1_000n;
  return amount > 0n ? amount : 1n;
}

function pickSpoil(sells: boolean, random: Random): Spoil {
  if (sells) return random.chance(0.25) ? 'too_much' : 'slippage';
  return random.chance(0.1) ? 'dust' : 'slippage';
}
