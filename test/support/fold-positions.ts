import { compareChainPlaces } from '../../src/chain/place.ts';
import { foldSwap, type PositionState, type PositionSwap, positionKey } from '../../src/facts/average-cost.ts';

/**
 * Folds swaps, in order of place, into positions by their `positionKey` and returns the keys of those that changed: what
 * ingest makes of wallets that only trade. A swap that is not newer than its position is left out, as are protocol actors.
 */
export function foldPositions(positions: Map<string, PositionState>, swaps: Iterable<PositionSwap>): Set<string> {
  const changed = new Set<string>();
  for (const swap of swaps) {
    if (swap.protocolActor) continue;
    const key = positionKey(swap);
    const state = positions.get(key);
    if (state !== undefined && compareChainPlaces(swap, state) <= 0) continue;
    positions.set(key, foldSwap(state, swap));
    changed.add(key);
  }
  return changed;
}
