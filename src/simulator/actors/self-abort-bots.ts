import { BONDING_CURVE } from '../../facts/venue.ts';
import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import { route } from '../programs/router.ts';
import type { Random } from '../random.ts';
import { signWrite } from '../runtime/instruction.ts';
import type { World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import type { Follower } from './launch-story.ts';
import { tipInstructions } from './trade-plan.ts';
import { tradeInstructions } from './venue-trade.ts';

const BOTS = 6;
const BOT_SOL = 60n * SOL;
const NOTICED = 0.5;
/** Of the aborts: those whose contract looks first and never calls the venue. */
const LOOKS_FIRST = 0.6;
const MEDIAN_LAMPORTS = 300_000_000;
const MAX_LATE_SLOTS = 12;

/** Bots with a routing contract of their own, which declines to trade when it does not like what it sees. */
export function createSelfAbortBots(world: World, random: Random): Follower {
  const router = world.keyring.wallet('private-router').address;
  const bots = Array.from({ length: BOTS }, (_, place): Wallet => {
    const wallet = world.keyring.wallet(`self-abort/${place}`);
    world.bank.endow(wallet.address, BOT_SOL);
    return wallet;
  });

  return {
    follow(desk, { coin, delay }) {
      if (coin.quote !== undefined || !random.chance(NOTICED)) return;
      for (let count = random.between(1, 3); count > 0; count--) {
        const payer = random.pick(bots);
        const own = random.fork('abort');
        const abort = random.chance(LOOKS_FIRST) ? 'before' : 'after';
        const wish = { coin, user: payer.address, side: 'buy' as const, amount: random.amount(MEDIAN_LAMPORTS, 0.5) };
        const tip = random.amount(1_000_000, 0.5);
        desk.sendLater(delay + random.between(1, MAX_LATE_SLOTS), {
          rank: random.next(),
          plans: [
            {
              actor: 'self_abort_bot',
              aim: 'revert',
              payer,
              ...eagerBid(random),
              wanted: () => ({ mint: coin.token.mint, venue: BONDING_CURVE, router }),
              build() {
                // Once the coin is in its pool the bot has lost interest.
                const trade = coin.pool === undefined ? tradeInstructions(world, wish, own) : undefined;
                if (trade === undefined) return undefined;
                return [route(router, signWrite(payer.address), trade, { abort }), ...tipInstructions(payer, tip, own)];
              },
            },
          ],
        });
      }
    },
  };
}
