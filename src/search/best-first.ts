import { GONE, type NameTable, numberOf } from './name-table.ts';
import { FAN, FAN_BITS, type SortedRun, type Span } from './sorted-run.ts';

/** A part of what is looked through: a node of a run's tree, an entry of it (level -1), or a token by itself. */
interface Part {
  /** No token below it has a greater key. */
  readonly key: number;
  readonly run: SortedRun | undefined;
  readonly level: number;
  /** Place in the level; without a run the token's number. */
  readonly at: number;
}

/** Tokens of one key that are looked at beyond the ones wanted, to rank them among themselves. */
const MAX_EQUALS = 256;

/** Gives the tokens of some spans by descending key, without going through the spans. */
export class BestFirst {
  readonly #table: NameTable;
  readonly #heap: Part[] = [];

  constructor(table: NameTable) {
    this.#table = table;
  }

  addToken(number: number): void {
    this.#push({ key: this.#table.key(number), run: undefined, level: -1, at: number });
  }

  /** Adds the largest nodes that lie within a span. */
  addSpan(run: SortedRun, { low, high }: Span): void {
    let from = low;
    let to = high;
    for (let level = -1; from < to; level += 1) {
      if (level + 1 >= run.height) {
        for (; from < to; from += 1) this.#add(run, level, from);
        return;
      }
      for (; from < to && from % FAN !== 0; from += 1) this.#add(run, level, from);
      for (; from < to && to % FAN !== 0; to -= 1) this.#add(run, level, to - 1);
      from >>>= FAN_BITS;
      to >>>= FAN_BITS;
    }
  }

  /** Numbers of the best tokens that are taken, in order: by key, and equal ones as `order` has them. */
  take(count: number, isTaken: (number: number) => boolean, order: (a: number, b: number) => number): number[] {
    const taken: number[] = [];
    const seen = new Set<number>();
    while (this.#heap.length > 0) {
      const last = taken[count - 1];
      const next = this.#heap[0]!.key;
      if (last !== undefined && (next < this.#table.key(last) || taken.length >= count + MAX_EQUALS)) break;
      const number = this.#next();
      if (number === undefined || seen.has(number)) continue;
      seen.add(number);
      if (isTaken(number)) taken.push(number);
    }
    return taken.sort((a, b) => this.#table.key(b) - this.#table.key(a) || order(a, b)).slice(0, count);
  }

  /** Takes the best part out: its token, or undefined when its own parts have taken its place. */
  #next(): number | undefined {
    const { run, level, at } = this.#pop();
    if (run === undefined) return at;
    if (level < 0) return numberOf(run.entry(at));
    const end = Math.min((at + 1) * FAN, run.width(level - 1));
    for (let below = at * FAN; below < end; below += 1) this.#add(run, level - 1, below);
    return undefined;
  }

  #add(run: SortedRun, level: number, at: number): void {
    this.#push({ key: run.greatest(level, at), run, level, at });
  }

  #push(part: Part): void {
    if (part.key <= GONE) return;
    const heap = this.#heap;
    let at = heap.length;
    heap.push(part);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (heap[above]!.key >= part.key) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = part;
  }

  #pop(): Part {
    const heap = this.#heap;
    const best = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return best;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      const right = below + 1;
      const greater = right < heap.length && heap[right]!.key > heap[below]!.key ? right : below;
      if (heap[greater]!.key <= last.key) break;
      heap[at] = heap[greater]!;
      at = greater;
    }
    heap[at] = last;
    return best;
  }
}
