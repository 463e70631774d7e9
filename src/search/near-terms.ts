import { codePoints, editDistance } from './edit-distance.ts';
import type { NameTable } from './name-table.ts';
import type { Segment } from './segment.ts';
import type { SortedRun } from './sorted-run.ts';
import { lettersOf, type NearTerm, type TermGroups } from './term-groups.ts';

/** Terms kept of those that are near: more than a page has tokens, the nearest and among equals those of the best. */
const MAX_TERMS = 256;

interface FoundTerm {
  readonly edits: number;
  /** The greatest key of a token that has it. */
  readonly key: number;
}

/** Looks through all different terms for those that a few edits make a query of. */
export class NearTerms {
  readonly #table: NameTable;
  readonly #query: Uint32Array;
  readonly #near: NearTerm;
  #found = new Map<string, FoundTerm>();

  constructor(table: NameTable, query: string, edits: number) {
    this.#table = table;
    this.#query = codePoints(query);
    this.#near = { letters: lettersOf(query), length: this.#query.length, edits };
  }

  /** Edits that make the query of a text, if few enough. */
  editsOf(term: string): number | undefined {
    const edits = editDistance(codePoints(term), this.#query, this.#near.edits);
    return edits <= this.#near.edits ? edits : undefined;
  }

  /** Goes through the segments, and pauses when told that it is time. Gives the terms by their edits. */
  async find(
    segments: readonly Segment[],
    rest: () => Promise<void> | undefined,
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    for (const { runs } of segments) {
      for (const run of runs) {
        for (const [groups, isWord] of [[run.wholes, false] as const, [run.words, true] as const]) {
          if (groups === undefined) continue;
          for (let block = 0; block < groups.blocks.length; block += 1) {
            for (const group of groups.near(block, this.#near)) {
              this.#look(run, groups, group, isWord);
              await rest();
            }
            await rest();
          }
        }
      }
    }
    return this.#byEdits();
  }

  #look(run: SortedRun, groups: TermGroups, group: number, isWord: boolean): void {
    const span = run.ofGroup(groups, group);
    const term = this.#table.term(run.field, run.entry(span.low), isWord);
    const edits = this.editsOf(term);
    if (edits === undefined) return;
    const key = run.best(span);
    const known = this.#found.get(term);
    if (known === undefined || known.key < key) this.#found.set(term, { edits, key });
    if (this.#found.size >= 2 * MAX_TERMS) this.#found = new Map(this.#best());
  }

  #best(): readonly (readonly [string, FoundTerm])[] {
    return [...this.#found].sort(([, a], [, b]) => a.edits - b.edits || b.key - a.key).slice(0, MAX_TERMS);
  }

  #byEdits(): ReadonlyMap<number, readonly string[]> {
    const byEdits = new Map<number, string[]>();
    for (const [term, { edits }] of this.#best()) {
      const terms = byEdits.get(edits);
      if (terms === undefined) byEdits.set(edits, [term]);
      else terms.push(term);
    }
    return byEdits;
  }
}
