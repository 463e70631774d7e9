import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { createCoin } from '../programs/curve-create.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { tipInstructions } from './trade-plan.ts';
import { tradeInstructions } from './venue-trade.ts';

/** Lamports that a launch costs beside the first buy: rents, fees, the tip. */
const LAUNCH_LAMPORTS = 60_000_000n;

/** The transaction that makes a coin, with its developer's first buy when `firstBuy` (raw quote units) is not 0. */
export function launchPlan(
  world: World,
  coin: Coin,
  options: { readonly actor: ActorKind; readonly group: string; readonly firstBuy: bigint; readonly tip: bigint },
  random: Random,
): TransactionPlan {
  const { dev } = coin;
  const own = random.fork('launch');
  if (options.firstBuy > 0n) coin.holders.add(dev);
  return {
    actor: options.actor,
    group: options.group,
    aim: 'land',
    payer: dev,
    cosigners: [coin.mint],
    ...eagerBid(own),
    build() {
      if (world.bank.lamports(dev.address) < options.firstBuy + options.tip + LAUNCH_LAMPORTS) return undefined;
      return [
        createCoin(coin),
        ...creatorAccounts(coin, dev),
        ...firstBuy(world, coin, options.firstBuy, own),
        ...tipInstructions(dev, options.tip, own),
      ];
    },
  };
}

/** The plan of a creation whose coin is up for trade once it has been sent. */
export function listedPlan(world: World, coin: Coin, plan: TransactionPlan, random: Random): TransactionPlan {
  const places = random.fork('listing');
  return {
    ...plan,
    build() {
      const body = plan.build();
      if (body !== undefined) world.market.list(coin, places);
      return body;
    },
  };
}

/** Coins quoted in another token pay their creator into an account that somebody has to open. */
function creatorAccounts(coin: Coin, dev: Wallet) {
  return coin.quote === undefined ? [] : [openAssociated(dev.address, coin.addresses.creatorVault, coin.quote)];
}

function firstBuy(world: World, coin: Coin, amount: bigint, random: Random) {
  if (amount === 0n) return [];
  return tradeInstructions(world, { coin, user: coin.dev.address, side: 'buy', amount, unborn: true }, random) ?? [];
}
