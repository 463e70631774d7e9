import { codePoints, editDistance, MAX_TYPO_LENGTH } from './edit-distance.ts';
import { FIELDS, type Field, type NameTable } from './name-table.ts';
import type { Segment } from './segment.ts';
import type { SortedRun } from './sorted-run.ts';
import { lettersOf, type NearTerm } from './term-groups.ts';

/** Where terms stand: a text as a whole, or one of its words. */
export const TERM_KINDS: readonly { readonly field: Field; readonly isWord: boolean }[] = [
  { field: FIELDS.symbol, isWord: false },
  { field: FIELDS.name, isWord: false },
  { field: FIELDS.name, isWord: true },
  { field: FIELDS.words, isWord: true },
];

/** Tokens beyond those that are wanted that terms are kept of: some may be answered already, or go meanwhile. */
const SPARE_TOKENS = 14;
/** Terms at most: looking all of them up holds the event loop. */
const MAX_TERMS = 256;

/** Code points of the term that is looked at. */
const plain = new Uint32Array(MAX_TYPO_LENGTH);

/** A text that is a few edits from what was asked for. */
export interface FoundTerm {
  readonly term: string;
  readonly edits: number;
  /** The greatest key of a token that has it. */
  readonly key: number;
  /** A bit for each of {@link TERM_KINDS} that has it. */
  readonly kinds: number;
}

/** Looks through all different terms for those that a few edits make a query of. */
export class NearTerms {
  readonly #table: NameTable;
  readonly #query: Uint32Array;
  readonly #near: NearTerm;
  /** Tokens that the terms have to stand for: each for one at least, but one with many near words stands behind all of them. */
  readonly #tokens: number;
  #found = new Map<string, FoundTerm>();

  constructor(table: NameTable, query: string, { edits, count }: { readonly edits: number; readonly count: number }) {
    this.#table = table;
    this.#query = codePoints(query);
    this.#near = { letters: lettersOf(query), length: this.#query.length, edits };
    this.#tokens = count + SPARE_TOKENS;
  }

  /** Edits that make the query of a text, if few enough. */
  editsOf(term: string): number | undefined {
    const edits = editDistance(codePoints(term), this.#query, this.#near.edits);
    return edits <= this.#near.edits ? edits : undefined;
  }

  /** Goes through the segments, and pauses when told that it is time. Gives the nearest terms, and among equals those of the best tokens. */
  async find(segments: readonly Segment[], rest: () => Promise<void> | undefined): Promise<readonly FoundTerm[]> {
    for (const { runs } of segments) {
      for (const [kind, { field, isWord }] of TERM_KINDS.entries()) {
        const run = runs[field]!;
        const groups = isWord ? run.words : run.wholes;
        for (const firsts of groups?.near(this.#near) ?? []) {
          for (const first of firsts) {
            this.#look(run, first, kind);
            const pause = rest();
            if (pause !== undefined) await pause;
          }
          await rest();
        }
      }
    }
    return this.#best();
  }

  #look(run: SortedRun, place: number, kind: number): void {
    const { isWord } = TERM_KINDS[kind]!;
    const first = run.entry(place);
    const length = this.#table.readPlain(run.field, first, isWord, plain);
    // Most terms are not near: of these no text is made.
    if (length !== undefined && editDistance(plain, this.#query, this.#near.edits, length) > this.#near.edits) return;
    const term = this.#table.term(run.field, first, isWord);
    const edits = this.editsOf(term);
    if (edits === undefined) return;
    const span = run.matching(Buffer.from(term, 'utf8'), isWord ? 'word' : 'whole');
    const known = this.#found.get(term);
    const key = Math.max(run.best(span), known?.key ?? Number.NEGATIVE_INFINITY);
    this.#found.set(term, { term, edits, key, kinds: (known?.kinds ?? 0) | (1 << kind) });
    if (this.#found.size >= 2 * MAX_TERMS) this.#found = new Map(this.#best().map((found) => [found.term, found]));
  }

  #best(): readonly FoundTerm[] {
    const sorted = [...this.#found.values()].sort((a, b) => a.edits - b.edits || b.key - a.key).slice(0, MAX_TERMS);
    const keys = new Set<number>();
    return sorted.filter(({ key }) => keys.size < this.#tokens && keys.add(key));
  }
}
