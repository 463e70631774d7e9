import { createRefreshed } from '../../books/refreshed.ts';
import { firstSwapsSection } from '../../token/first-swaps.ts';
import type { StoreHistory } from '../../token/history.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import { analyseLaunch } from '../launch/launch-rules.ts';
import { COUNTED_LAUNCH_SWAPS } from './contract-limits.ts';
import type { TokenBodiesDeps } from './counters.ts';
import type { LaunchFacts } from './intelligence-rules.ts';
import { readSlotMs } from './slot-reads.ts';
import { lastSnipeSlot } from './sniper-rules.ts';

/** Swaps among which snipers are looked for: fewer than a launch's section holds. */
const SNIPED_SWAPS = 500;
/** A slot's length at a launch is measured again while slots behind it may still come. */
const SLOT_TIME_FRESH_MS = 60_000;

export interface LaunchFactsDeps extends Omit<TokenBodiesDeps, 'stats'> {
  readonly history: StoreHistory;
  /** Tokens of which a slot's length is kept. */
  readonly capacity: number;
}

/** Finds what is known of a token's launch up to slot `mark`. */
export function createLaunchFacts(deps: LaunchFactsDeps): (state: TokenState, mark: number) => Promise<LaunchFacts> {
  const { client, reads, clock, shelf, history, capacity } = deps;
  const slotTimes = createRefreshed<number | undefined>({
    clock,
    capacity,
    freshMs: SLOT_TIME_FRESH_MS,
    reuseMs: SLOT_TIME_FRESH_MS,
  });

  return async (state, mark) => {
    const { mint, creation } = state;
    // Without its creation, the first swaps that are known are not the launch's.
    const known = creation === undefined ? [] : (await shelf.open(mint, firstSwapsSection(reads, mint))).swaps;
    const swaps = known.filter(({ slot }) => slot <= mark);
    const supply = tokenSupply(state);
    const analysis = analyseLaunch({ mint, creation, supply, swaps, limit: COUNTED_LAUNCH_SWAPS });
    if (creation === undefined) return { launch: undefined, analysis };
    const { value: slotMs } = await slotTimes.get(mint, () => readSlotMs(client, creation.slot));
    const ofSnipers = { createdSlot: creation.slot, slotMs };
    const seen = {
      swaps: swaps.slice(0, SNIPED_SWAPS),
      complete: swaps.length <= SNIPED_SWAPS,
      // Of a launch under way: so far.
      isWhole: await history.hasSwaps(creation, Math.min(lastSnipeSlot(ofSnipers), mark)),
    };
    return { launch: { creator: creatorOf(state), ...ofSnipers, ...seen }, analysis };
  };
}
