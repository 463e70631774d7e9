/** A block at the end of a run of slots, all of which are from before this second or from it. */
interface Anchor {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
}

/** Of the newest blocks one is noted in so many seconds. */
const APART_S = 600;
/** A week of them, and some. */
const MOST_ANCHORS = 1_200;

/** About when slots were, of a week of them: one block in ten minutes is remembered. */
export class SlotTimes {
  /** In order of slots, and of times. */
  #anchors: Anchor[] = [];

  /** A block that came, nearly always the newest. */
  noteNewest(slot: number, time: number): void {
    const newest = this.#anchors.at(-1);
    if (newest !== undefined && (slot <= newest.slot || time < newest.time + APART_S)) return;
    this.#anchors.push({ slot, time });
    if (this.#anchors.length > MOST_ANCHORS) this.#anchors.shift();
  }

  /** What the store tells of slots of long ago: none up to this one is from behind this second. */
  note(slot: number, time: number): void {
    const others = this.#anchors.filter((each) => each.slot < slot === each.time < time && each.slot !== slot);
    this.#anchors = [...others, { slot, time }].sort((a, b) => a.slot - b.slot);
  }

  /** The newest second at which a slot may have been; undefined when it is behind all that is known. */
  latest(slot: number): number | undefined {
    let [from, to] = [0, this.#anchors.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#anchors[middle]!.slot < slot) from = middle + 1;
      else to = middle;
    }
    return this.#anchors[from]?.time;
  }
}
