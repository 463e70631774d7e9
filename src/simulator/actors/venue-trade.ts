import { newbornCurve } from '../market.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { World } from '../world.ts';
import { curveInstructions } from './curve-wish.ts';
import { poolInstructions } from './pool-wish.ts';
import type { TradeWish } from './trade-wish.ts';

/** The instructions of a trade at the venue where the coin trades now; undefined when there is nothing to do. */
export function tradeInstructions(world: World, wish: TradeWish, random: Random): Instruction[] | undefined {
  const { coin } = wish;
  if (coin.retired) return undefined;
  const pool = wish.inSidePool === true ? coin.sidePool : coin.pool;
  if (pool !== undefined) return poolInstructions(world, wish, pool, random);
  const curve = coin.curve ?? (wish.unborn === true ? newbornCurve(coin) : undefined);
  return curve === undefined ? undefined : curveInstructions(world, wish, curve, random);
}
