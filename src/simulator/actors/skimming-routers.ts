import { buyWithQuote } from '../../programs/pump/curve.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { handOn } from '../programs/hand-on.ts';
import { route } from '../programs/router.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import { signWrite } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { ROUTERS } from '../scenery.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { pickTrader } from './traders.ts';

/** Share of all trades. */
const SHARE = 0.02;
const MEDIAN_LAMPORTS = 150_000_000;
/** The router's part of what it buys: one in so many. */
const PART = 100n;
const FEES = { protocolBps: 95n, creatorBps: 30n };
const RESERVE_LAMPORTS = 20_000_000n;

/** Trades whose platform takes its fee in the bought tokens. */
export function createSkimmingRouters(world: World, random: Random): Actor {
  const perSlot = (world.load.trades * SHARE * world.slotMs) / 1_000;
  const keeper = world.keyring.wallet('router-fees').address;

  function buy(desk: SlotDesk): void {
    const coin = world.market.notice(random, ({ curve, quote }) => quote === undefined && !curve!.complete);
    if (coin === undefined) return;
    const payer = pickTrader(world, random);
    const spend = random.amount(MEDIAN_LAMPORTS, 0.7);
    coin.holders.add(payer);
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'router_skim',
          aim: 'land',
          payer,
          ...ordinaryBid(random),
          build() {
            const { curve } = coin;
            if (coin.retired || curve === undefined || curve.complete) return undefined;
            const user = payer.address;
            const { tokenAmount, userQuote } = buyWithQuote(curve.reserves, spend, FEES);
            const affordable = world.bank.lamports(user) >= userQuote * 2n + RESERVE_LAMPORTS;
            if (tokenAmount < PART || tokenAmount >= curve.reserves.realToken || !affordable) return undefined;
            return [
              openAssociated(user, user, coin.token),
              openAssociated(user, keeper, coin.token),
              route(ROUTERS[0]!, signWrite(user), [
                curveTrade({ name: 'buy', coin, user, amount: tokenAmount, limit: userQuote * 2n }),
                handOn(coin.token, user, keeper, tokenAmount / PART),
              ]),
            ];
          },
        },
      ],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) buy(desk);
    },
  };
}
