import { WSOL_MINT, ZERO_ADDRESS } from '../../chain/address.ts';
import { poolAddress } from '../../programs/pump-amm/addresses.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin, Pool } from '../market.ts';
import { poolBuybackRecipient, poolFeeRecipient } from '../programs/pool-accounts.ts';
import { createPool } from '../programs/pool-create.ts';
import { moveLamports } from '../programs/system.ts';
import { associatedAccount, closeAccount, openAssociated, syncNative, WSOL } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { tokensOf } from './token-sends.ts';
import { tradePlan } from './trade-plan.ts';
import { pickHolder, pickTrader } from './traders.ts';

/** Chance of a new pool each slot, and of a trade in each one there is. */
const MAKE_RATE = 0.005;
const TRADE_RATE = 0.02;
const SEED_LAMPORTS = 2_000_000_000n;
const MEDIAN_LAMPORTS = 60_000_000;
const POOL_INDEX = 1;

/** Pools made by hand, with SOL as their base: they trade the coin the wrong way round, and price nothing. */
export function createSidePools(world: World, random: Random): Actor {
  function make(desk: SlotDesk, coin: Coin, maker: Wallet): void {
    const pool: Pool = {
      address: poolAddress(POOL_INDEX, maker.address, WSOL_MINT, coin.token.mint),
      base: WSOL,
      quote: coin.token,
      canonical: false,
      coinCreator: ZERO_ADDRESS,
      boost: 0n,
      unswept: 0n,
      creatorFees: 0n,
    };
    const purse = associatedAccount(maker.address, WSOL);
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'pool_maker',
          aim: 'land',
          payer: maker,
          version: 1,
          budget: { unitLimit: 600_000, priorityFee: 50_000n },
          build() {
            const tokens = tokensOf(world, maker.address, coin.token) / 2n;
            const poor = world.bank.lamports(maker.address) < SEED_LAMPORTS * 2n;
            if (coin.retired || coin.sidePool !== undefined || tokens < 1_000_000n || poor) return undefined;
            const birth = { coin, pool, index: POOL_INDEX, creator: maker.address, payer: maker.address };
            return [
              openAssociated(maker.address, maker.address, WSOL),
              moveLamports(maker.address, purse, SEED_LAMPORTS),
              syncNative(purse),
              createPool({ ...birth, base: SEED_LAMPORTS, quote: tokens }),
              // Fees come in the coin: whoever gets them needs an account for it.
              openAssociated(maker.address, poolFeeRecipient(pool), coin.token),
              openAssociated(maker.address, poolBuybackRecipient(pool), coin.token),
              closeAccount(WSOL, purse, maker.address),
            ];
          },
        },
      ],
    });
  }

  function trade(desk: SlotDesk, coin: Coin): void {
    const sells = random.chance(0.5) && coin.holders.size > 1;
    const payer = sells ? pickHolder(world, coin, random) : pickTrader(world, random);
    const held = tokensOf(world, payer.address, coin.token);
    // A small pool: a whole bag would empty it.
    const amount = sells ? held / 50n : random.amount(MEDIAN_LAMPORTS, 0.5);
    const wish = {
      coin,
      user: payer.address,
      side: sells ? ('sell' as const) : ('buy' as const),
      amount,
      inSidePool: true,
    };
    const travel = { payer, bid: ordinaryBid(random) };
    desk.send({
      rank: random.next(),
      plans: [tradePlan(world, { actor: 'trader', aim: 'land' }, wish, travel, random)],
    });
  }

  return {
    act(desk) {
      if (random.chance(MAKE_RATE)) {
        const coin = world.market.notice(random, ({ holders, quote, sidePool }) => {
          return quote === undefined && sidePool === undefined && holders.size > 4;
        });
        if (coin !== undefined) make(desk, coin, pickHolder(world, coin, random));
      }
      for (const coin of world.market.coins) {
        if (coin.sidePool !== undefined && random.chance(TRADE_RATE)) trade(desk, coin);
      }
    },
  };
}
