import type { Address } from '../../chain/address.ts';
import type { LaunchSwap } from './rule-rows.ts';

/** Snipers: wallets that bought so early that they must have waited for the launch. */

/** A sniper's first buy lands within so many milliseconds of the creation. */
export const SNIPE_MS = 800;
/** A slot is measured to about a hundredth: a ratio this little over a whole number is that number. */
const MEASURE_SLACK = 0.05;

/** Slots after the creation's within which a first buy is a sniper's. */
export function snipeSlots(slotMs: number): number {
  return Math.ceil(SNIPE_MS / slotMs - MEASURE_SLACK);
}

export interface Launch {
  readonly creator: Address | undefined;
  readonly createdSlot: number;
  /** The first swaps from the creation on, in order of place. */
  readonly swaps: readonly LaunchSwap[];
  /** False when more swaps follow than are given. */
  readonly complete: boolean;
  /** False when swaps of the first moments may be missing. */
  readonly isWhole: boolean;
  /** Measured; undefined while too little is known. */
  readonly slotMs: number | undefined;
}

export interface Snipers {
  readonly wallets: ReadonlySet<Address>;
  /** Undefined while the time of a slot is not known: then only buys in the creation's own slot count. */
  readonly maxSlots: number | undefined;
  /** True when some may be missing. */
  readonly partial: boolean;
}

/** The last slot in which a first buy is a sniper's. */
export function lastSnipeSlot({ createdSlot, slotMs }: Pick<Launch, 'createdSlot' | 'slotMs'>): number {
  return createdSlot + (slotMs === undefined ? 0 : snipeSlots(slotMs));
}

export function findSnipers(launch: Launch): Snipers {
  const { creator, swaps, complete, isWhole, slotMs } = launch;
  const maxSlots = slotMs === undefined ? undefined : snipeSlots(slotMs);
  const last = lastSnipeSlot(launch);
  const wallets = new Set<Address>();
  for (const { slot, trader, is_buy, protocol_actor } of swaps) {
    if (slot > last) break;
    if (is_buy && !protocol_actor && trader !== creator) wallets.add(trader);
  }
  const isCut = !complete && (swaps.at(-1)?.slot ?? 0) <= last;
  return { wallets, maxSlots, partial: isCut || !isWhole || maxSlots === undefined };
}

/** The first buy of each wallet. Swaps come in order of place. */
export function firstBuys(swaps: readonly LaunchSwap[]): ReadonlyMap<Address, LaunchSwap> {
  const first = new Map<Address, LaunchSwap>();
  for (const swap of swaps) {
    if (swap.is_buy && !swap.protocol_actor && !first.has(swap.trader)) {
      first.set(swap.trader, swap);
    }
  }
  return first;
}
