import { giveTokens } from '../genesis.ts';
import { ownVault, type PropAmm, propAmmSwap } from '../programs/prop-amm.ts';
import { route } from '../programs/router.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import { signWrite } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { EQUITIES, ROUTERS, USDC_DECIMALS } from '../scenery.ts';
import { type Actor, equityKind, USDC, type World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { tokensOf } from './token-sends.ts';

/** Of all swaps of equities. */
const SHARE = 0.25;
const TRADERS = 5;
const MEDIAN_DOLLARS = 60;
const DOLLAR = 10n ** BigInt(USDC_DECIMALS);
const POOL_SHARES = 100_000n;
const POOL_DOLLARS = 50_000_000n * DOLLAR;
const TRADER_DOLLARS = 500_000n * DOLLAR;
/** Aggregators are how a proprietary market is found at all. */
const ROUTED = 0.7;

/** People whom an aggregator leads to a proprietary market, whose vaults own themselves. */
export function createPropAmmTraders(world: World, random: Random): Actor {
  const perSlot = (world.load.equitySwaps * SHARE * world.slotMs) / 1_000;
  const address = (part: string) => world.keyring.wallet(`prop-amm/${part}`).address;
  const markets = EQUITIES.map(({ dollars, mint }) => {
    const equity = equityKind(mint);
    const market: PropAmm = {
      address: address(`${mint}/market`),
      shareVault: address(`${mint}/shares`),
      moneyVault: address(`${mint}/money`),
      equity,
      money: USDC,
    };
    ownVault(world.bank, market.shareVault, equity, POOL_SHARES * 10n ** BigInt(equity.decimals));
    ownVault(world.bank, market.moneyVault, USDC, POOL_DOLLARS);
    return { market, dollars };
  });
  const traders = Array.from({ length: TRADERS }, (_, place) => {
    const trader = world.keyring.wallet(`prop-amm/trader/${place}`);
    world.bank.endow(trader.address, 20_000_000_000n);
    giveTokens(world.bank, trader.address, USDC, TRADER_DOLLARS);
    return trader;
  });

  function trade(desk: SlotDesk): void {
    const { dollars, market } = random.pick(markets);
    const trader = random.pick(traders);
    const user = trader.address;
    const spend = DOLLAR * random.amount(MEDIAN_DOLLARS, 1);
    const shareUnits = 10 ** market.equity.decimals;
    const shares = BigInt(Math.floor((Number(spend) / 10 ** market.money.decimals / dollars) * shareUnits));
    const wantsOut = random.chance(0.45);
    const routed = random.chance(ROUTED);
    desk.send({
      rank: 1,
      plans: [
        {
          actor: 'prop_amm_trader',
          aim: 'land',
          payer: trader,
          ...ordinaryBid(random),
          build() {
            const isBuy = !wantsOut || tokensOf(world, user, market.equity) < shares;
            if (shares === 0n || tokensOf(world, user, market.money) < spend) return undefined;
            const swap = propAmmSwap({ market, user, isBuy, dollars: spend, shares });
            const opened = openAssociated(user, user, market.equity);
            return [opened, routed ? route(ROUTERS.at(-1)!, signWrite(user), [swap]) : swap];
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
