import { coinCreatorVaultAuthorityAddress } from '../../programs/pump-amm/addresses.ts';
import { SOL } from '../genesis.ts';
import type { Coin } from '../market.ts';
import { quoteKind } from '../programs/curve-terms.ts';
import { migrate } from '../programs/migrate.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Actor, World } from '../world.ts';
import { eagerBid } from './bidding.ts';

const KEEPER_SOL = 5_000n * SOL;
/** Migrations follow a few slots after the curve is full. */
const MIN_DELAY_SLOTS = 2;
const MAX_DELAY_SLOTS = 5;

/** Watches for full curves and moves them to their pools. */
export function createMigrator(world: World, random: Random): Actor {
  const keeper = world.keyring.wallet('migrator');
  world.bank.endow(keeper.address, KEEPER_SOL);
  const underway = new Set<Coin>();

  return {
    act(desk) {
      for (const coin of underway) if (coin.pool !== undefined || coin.retired) underway.delete(coin);
      for (const coin of world.market.coins) {
        if (coin.curve?.complete !== true || coin.pool !== undefined || underway.has(coin)) continue;
        underway.add(coin);
        const bid = eagerBid(random);
        desk.sendLater(random.between(MIN_DELAY_SLOTS, MAX_DELAY_SLOTS), {
          rank: random.next(),
          plans: [
            {
              actor: 'migrator',
              aim: 'land',
              payer: keeper,
              ...bid,
              // So many accounts fit only where tables or the larger format help.
              version: bid.version === 'legacy' ? 0 : bid.version,
              build: () => [
                openAssociated(keeper.address, coinCreatorVaultAuthorityAddress(coin.feeCreator), quoteKind(coin)),
                migrate(coin, keeper.address),
              ],
            },
          ],
        });
      }
    },
  };
}
