import type { Scheme } from '../truth.ts';
import type { Cluster, SlotDesk } from './plan.ts';

/** Schemes look at most this many slots ahead. */
const MAX_SLOTS_AHEAD = 5_000;

/** Clusters by the slot they are meant for. */
export class SlotQueue {
  readonly #waiting = new Map<number, Cluster[]>();
  #noted: Scheme[] = [];

  /** The desk of a slot: what is sent there lands in it, or in the next block when the slot is skipped. */
  desk(slot: number, time: number): SlotDesk {
    const add = (target: number, cluster: Cluster) => {
      const clusters = this.#waiting.get(target);
      if (clusters === undefined) this.#waiting.set(target, [cluster]);
      else clusters.push(cluster);
    };
    return {
      slot,
      time,
      send: (cluster) => add(slot, cluster),
      sendLater(slots, cluster) {
        if (slots < 0 || slots > MAX_SLOTS_AHEAD) throw new RangeError(`${slots} slots ahead`);
        add(slot + slots, cluster);
      },
      note: (scheme) => void this.#noted.push(scheme),
    };
  }

  /** Everything meant for slots up to this one, by slot, then by rank. */
  take(slot: number): Cluster[] {
    const due: Cluster[] = [];
    const slots = [...this.#waiting.keys()].filter((waiting) => waiting <= slot).sort((a, b) => a - b);
    for (const waiting of slots) {
      due.push(...this.#waiting.get(waiting)!.sort((a, b) => a.rank - b.rank));
      this.#waiting.delete(waiting);
    }
    return due;
  }

  /** Schemes noted since the last call. */
  takeSchemes(): Scheme[] {
    const noted = this.#noted;
    this.#noted = [];
    return noted;
  }
}
