import type { Address } from '../../chain/address.ts';
import { giveTokens } from '../genesis.ts';
import { type EquityPool, equitySwap } from '../programs/equity-swap.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { EQUITIES, USDC_DECIMALS } from '../scenery.ts';
import { type Actor, equityKind, USDC, type World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { tokensOf } from './token-sends.ts';

const TRADERS = 12;
const MEDIAN_DOLLARS = 120;
const DOLLAR = 10n ** BigInt(USDC_DECIMALS);
const POOL_SHARES = 1_000_000n;
const POOL_DOLLARS = 500_000_000n * DOLLAR;
const TRADER_DOLLARS = 2_000_000n * DOLLAR;
/** The price's own walk, each trade. */
const DRIFT = 0.001;

/** The pool of an equity that everybody trades in. */
export function equityPool(world: World, mint: Address): EquityPool {
  const address = (part: string) => world.keyring.wallet(`equity/${mint}/${part}`).address;
  const [pool, config, observation] = [address('pool'), address('config'), address('observation')];
  return { address: pool, config, observation, equity: equityKind(mint), money: USDC };
}

/** People who trade tokenized equities against dollars, on a program that is none of the launchpad's. */
export function createEquityTraders(world: World, random: Random): Actor {
  const perSlot = (world.load.equitySwaps * world.slotMs) / 1_000;
  const pools = EQUITIES.map(({ dollars, mint }) => {
    const pool = equityPool(world, mint);
    const { equity } = pool;
    giveTokens(world.bank, pool.address, equity, POOL_SHARES * 10n ** BigInt(equity.decimals));
    giveTokens(world.bank, pool.address, USDC, POOL_DOLLARS);
    return { pool, dollars };
  });
  const traders = Array.from({ length: TRADERS }, (_, place) => {
    const trader = world.keyring.wallet(`investor/${place}`);
    world.bank.endow(trader.address, 20_000_000_000n);
    giveTokens(world.bank, trader.address, USDC, TRADER_DOLLARS);
    return trader;
  });

  function trade(desk: SlotDesk): void {
    const market = random.pick(pools);
    const { equity, money } = market.pool;
    const trader = random.pick(traders);
    market.dollars *= 1 + DRIFT * (random.next() - 0.5);
    const shareUnits = 10 ** equity.decimals;
    const spend = DOLLAR * random.amount(MEDIAN_DOLLARS, 1);
    const shares = BigInt(Math.floor((Number(spend) / 10 ** money.decimals / market.dollars) * shareUnits));
    const wantsOut = random.chance(0.45);
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'equity_trader',
          aim: 'land',
          payer: trader,
          ...ordinaryBid(random),
          build() {
            const isBuy = !wantsOut || tokensOf(world, trader.address, equity) < shares;
            const amounts = isBuy ? { amountIn: spend, amountOut: shares } : { amountIn: shares, amountOut: spend };
            if (shares === 0n || tokensOf(world, trader.address, money) < spend) return undefined;
            return [
              openAssociated(trader.address, trader.address, equity),
              equitySwap({ pool: market.pool, user: trader.address, isBuy, ...amounts }),
            ];
          },
        },
      ],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) trade(desk);
    },
  };
}
