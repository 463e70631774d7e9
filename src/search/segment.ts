import { FIELD_COUNT, FIELDS, type Field, GONE, type NameTable, numberOf } from './name-table.ts';
import { SortedRun } from './sorted-run.ts';

const ALL_FIELDS: readonly Field[] = Object.values(FIELDS);

/** Tokens from number `first` to before `end`, each of their texts in order. */
export interface Segment {
  readonly first: number;
  readonly end: number;
  /** By field. */
  readonly runs: readonly SortedRun[];
}

/** Puts a few tokens in order at once: a millisecond or two for some hundred. */
export function sealSegment(table: NameTable, first: number, end: number): Segment {
  const runs = ALL_FIELDS.map((field) => {
    const entries: number[] = [];
    for (let number = first; number < end; number += 1) {
      if (table.key(number) !== GONE) entries.push(...table.entries(field, number));
    }
    entries.sort((a, b) => table.compare(field, a, b));
    const run = new SortedRun(table, field, entries.length);
    for (const entry of entries) run.push(entry);
    return run;
  });
  return { first, end, runs };
}

/** Makes the keys above a token's texts anew. */
export function refreshToken(table: NameTable, { runs }: Segment, number: number): void {
  for (const run of runs) for (const entry of table.entries(run.field, number)) run.refresh(entry);
}

/** Entries that are merged between two looks at the clock. */
const STRIDE = 128;

/** Two neighbouring segments that become one, a little at a time. Both are read as before until it is done. */
export class SegmentMerge {
  readonly from: readonly [Segment, Segment];
  /** What is made so far: whoever changes a key changes it here too. */
  readonly into: Segment;
  readonly #table: NameTable;
  #field = 0;
  #left = 0;
  #right = 0;

  constructor(table: NameTable, left: Segment, right: Segment) {
    this.#table = table;
    this.from = [left, right];
    const runs = ALL_FIELDS.map(
      (field) => new SortedRun(table, field, left.runs[field]!.length + right.runs[field]!.length),
    );
    this.into = { first: left.first, end: right.end, runs };
  }

  /** Goes on until all is merged or the time is over. True when all is. */
  step(isOver: () => boolean): boolean {
    while (this.#field < FIELD_COUNT) {
      for (let merged = 0; merged < STRIDE; merged += 1) {
        if (this.#next()) continue;
        this.#field += 1;
        this.#left = 0;
        this.#right = 0;
        break;
      }
      if (isOver()) break;
    }
    return this.#field >= FIELD_COUNT;
  }

  /** Takes the next entry of the field over. False when there is none. */
  #next(): boolean {
    const [{ runs: ofLeft }, { runs: ofRight }] = this.from;
    const left = ofLeft[this.#field]!;
    const right = ofRight[this.#field]!;
    const hasLeft = this.#left < left.length;
    const hasRight = this.#right < right.length;
    if (!hasLeft && !hasRight) return false;
    const isLeft =
      hasLeft && (!hasRight || this.#table.compare(left.field, left.entry(this.#left), right.entry(this.#right)) < 0);
    const entry = isLeft ? left.entry(this.#left++) : right.entry(this.#right++);
    if (this.#table.key(numberOf(entry)) !== GONE) this.into.runs[this.#field]!.push(entry);
    return true;
  }
}
