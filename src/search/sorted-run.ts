import { FIELDS, type Field, type NameTable, numberOf } from './name-table.ts';
import { TermGroups } from './term-groups.ts';

/** Entries, or nodes of the level below, that one node of a level stands for. */
export const FAN_BITS = 5;
export const FAN = 2 ** FAN_BITS;

/** Where a text has to end: nowhere, with a word, or with the text. */
export type Ends = 'anywhere' | 'word' | 'whole';

/** Entries from `low` to before `high`. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/**
 * Entries of one field in the order of their texts. Above them a tree of the greatest key in every 32, in every 32 of
 * these, and so on: the best of any span are found without going through it, however many there are.
 */
export class SortedRun {
  readonly field: Field;
  readonly #table: NameTable;
  readonly #entries: Uint32Array;
  /** The greatest keys; the last level has one node. */
  readonly #levels: readonly Float64Array[];
  /** Different texts, and different first words, where typos are looked for in them. */
  readonly wholes: TermGroups | undefined;
  readonly words: TermGroups | undefined;
  #length = 0;

  constructor(table: NameTable, field: Field, capacity: number) {
    this.field = field;
    this.#table = table;
    this.#entries = new Uint32Array(capacity);
    const levels: Float64Array[] = [];
    for (let nodes = capacity; nodes > 1; ) {
      nodes = Math.ceil(nodes / FAN);
      levels.push(new Float64Array(nodes));
    }
    this.#levels = levels;
    this.wholes = field === FIELDS.symbol || field === FIELDS.name ? new TermGroups() : undefined;
    this.words = field === FIELDS.name || field === FIELDS.words ? new TermGroups() : undefined;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    const levels = this.#levels.reduce((sum, level) => sum + level.byteLength, 0);
    return this.#entries.byteLength + levels + (this.wholes?.bytes ?? 0) + (this.words?.bytes ?? 0);
  }

  /** Number of levels above the entries. */
  get height(): number {
    return this.#levels.length;
  }

  entry(at: number): number {
    return this.#entries[at]!;
  }

  /** The greatest key below a node; of level -1 the key of an entry. */
  greatest(level: number, at: number): number {
    return level < 0 ? this.#table.key(numberOf(this.#entries[at]!)) : this.#levels[level]![at]!;
  }

  /** Nodes of a level, or entries of level -1, that are filled so far. */
  width(level: number): number {
    return Math.ceil(this.#length / FAN ** (level + 1));
  }

  /** Puts an entry behind all others, which come before it in order. */
  push(entry: number): void {
    const at = this.#length;
    this.#entries[at] = entry;
    this.#length += 1;
    const key = this.#table.key(numberOf(entry));
    for (let level = 0, node = at >>> FAN_BITS; level < this.#levels.length; level += 1, node >>>= FAN_BITS) {
      const nodes = this.#levels[level]!;
      if (nodes[node]! < key) nodes[node] = key;
    }
    this.#note(at, entry);
  }

  /** Makes the nodes above a token's entry anew, when the entry is here: its key is another. */
  refresh(entry: number): void {
    const place = this.#lower((other) => this.#table.compare(this.field, other, entry));
    if (place >= this.#length || this.#entries[place] !== entry) return;
    let at = place;
    for (let level = 0; level < this.#levels.length; level += 1) {
      at >>>= FAN_BITS;
      const end = Math.min((at + 1) * FAN, this.width(level - 1));
      let greatest = Number.NEGATIVE_INFINITY;
      for (let below = at * FAN; below < end; below += 1) {
        greatest = Math.max(greatest, this.greatest(level - 1, below));
      }
      if (this.#levels[level]![at] === greatest) return;
      this.#levels[level]![at] = greatest;
    }
  }

  /** Entries whose text begins with the prefix and ends as told: those that end come first of those that begin so. */
  matching(prefix: Uint8Array, ends: Ends): Span {
    const low = this.#lower((entry) => this.#table.comparePrefix(this.field, entry, prefix));
    const isIn = (entry: number) =>
      this.#table.comparePrefix(this.field, entry, prefix) === 0 &&
      (ends === 'anywhere' || this.#table.endsAt(this.field, entry, prefix.length, ends === 'word'));
    // Most spans are short: their end is looked for near their beginning.
    let within = low;
    let beyond = low;
    for (let step = 1; beyond < this.#length && isIn(this.#entries[beyond]!); step *= 2) {
      within = beyond + 1;
      beyond += step;
    }
    return { low, high: this.#lower((entry) => (isIn(entry) ? -1 : 1), within, Math.min(beyond, this.#length)) };
  }

  /** The greatest key of a span's entries. */
  best({ low, high }: Span): number {
    let best = Number.NEGATIVE_INFINITY;
    for (let at = low; at < high; ) {
      const isNode = at % FAN === 0 && at + FAN <= high && this.height > 0;
      best = Math.max(best, isNode ? this.greatest(0, at >>> FAN_BITS) : this.greatest(-1, at));
      at += isNode ? FAN : 1;
    }
    return best;
  }

  #note(at: number, entry: number): void {
    const { field } = this;
    const before = at === 0 ? undefined : this.#entries[at - 1]!;
    for (const isWord of [false, true]) {
      const groups = isWord ? this.words : this.wholes;
      if (groups === undefined) continue;
      if (before !== undefined && this.#table.isSameTerm(field, before, entry, isWord)) continue;
      groups.add(at, this.#table.term(field, entry, isWord));
    }
  }

  /** The first place whose entry is not told to come before. */
  #lower(order: (entry: number) => number, from = 0, to = this.#length): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(this.#entries[middle]!) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
