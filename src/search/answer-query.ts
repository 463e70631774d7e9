import { BestFirst } from './best-first.ts';
import { FIELDS, type Field, GONE, type NameTable } from './name-table.ts';
import { type FoundTerm, type NearTerms, TERM_KINDS } from './near-terms.ts';
import type { SearchQuery } from './query.ts';
import type { Segment } from './segment.ts';
import type { Ends } from './sorted-run.ts';

/** How a token fits a query, the closest first. */
export const MATCHES = [
  'mint',
  'symbol',
  'name',
  'symbol_prefix',
  'word_prefix',
  'mint_prefix',
  'one_typo',
  'two_typos',
] as const;
export type Match = (typeof MATCHES)[number];

const TYPOS: readonly Match[] = ['one_typo', 'two_typos'];
const PREFIX_MATCHES = MATCHES.filter((match) => !TYPOS.includes(match));
/** Characters of the shortest mint. */
const MINT_LENGTH = 32;

/** All tokens at one moment: those in order, and the numbers of those that are not, or not since the terms were looked through. */
export interface SearchView {
  readonly table: NameTable;
  readonly segments: readonly Segment[];
  readonly tail: readonly number[];
}

export interface Answered {
  readonly number: number;
  readonly match: Match;
}

export interface Asked {
  /** Tokens at most. */
  readonly count: number;
  /** Newest slot of a token's creation. */
  readonly upTo: number;
  /** Terms that are a few edits from the query, and what tells it of others. */
  readonly near?: { readonly terms: readonly FoundTerm[]; readonly edits: NearTerms } | undefined;
}

/** A text that entries of a field begin with, or are. */
interface Sought {
  readonly field: Field;
  readonly bytes: Uint8Array;
  readonly ends: Ends;
}

/** The tokens that fit best: by how they fit, then by market, then the newest. */
export function answerQuery({ table, segments, tail }: SearchView, query: SearchQuery, asked: Asked): Answered[] {
  const answered: Answered[] = [];
  const seen = new Set<number>();
  const order = (a: number, b: number) => table.within(b) - table.within(a) || (table.mint(a) < table.mint(b) ? -1 : 1);
  const ofTail = matchTail(table, tail, query, asked);
  for (const match of MATCHES) {
    if (answered.length >= asked.count) break;
    const sought = soughtOf(match, query, asked);
    const best = new BestFirst(table);
    for (const { runs } of segments) {
      for (const each of sought) {
        const run = runs[each.field]!;
        best.addSpan(run, run.matching(each.bytes, each.ends));
      }
    }
    for (const number of ofTail.get(match) ?? []) best.addToken(number);
    const isTaken = (number: number) =>
      !seen.has(number) && table.key(number) !== GONE && table.slot(number) <= asked.upTo;
    for (const number of best.take(asked.count - answered.length, isTaken, order)) {
      seen.add(number);
      answered.push({ number, match });
    }
  }
  return answered;
}

function soughtOf(match: Match, { folded, bytes, mint }: SearchQuery, { near }: Asked): readonly Sought[] {
  const { symbol, name, words } = FIELDS;
  const ofNames = (field: Field, ends: Sought['ends']): readonly Sought[] =>
    folded === '' ? [] : [{ field, bytes, ends }];
  switch (match) {
    case 'mint':
      return mint === undefined || mint.length < MINT_LENGTH
        ? []
        : [{ field: FIELDS.mint, bytes: mint, ends: 'whole' }];
    case 'symbol':
    case 'name':
      return ofNames(match === 'symbol' ? symbol : name, 'whole');
    case 'symbol_prefix':
      return ofNames(symbol, 'anywhere');
    case 'word_prefix':
      return [...ofNames(name, 'anywhere'), ...ofNames(words, 'anywhere')];
    case 'mint_prefix':
      return mint === undefined ? [] : [{ field: FIELDS.mint, bytes: mint, ends: 'anywhere' }];
    default:
      return (near?.terms ?? []).flatMap((term) => (term.edits === TYPOS.indexOf(match) + 1 ? soughtTerm(term) : []));
  }
}

/** A term wherever it was found. */
function soughtTerm({ term, kinds }: FoundTerm): readonly Sought[] {
  const bytes = Buffer.from(term, 'utf8');
  return TERM_KINDS.flatMap(({ field, isWord }, kind) =>
    (kinds & (1 << kind)) === 0 ? [] : [{ field, bytes, ends: isWord ? ('word' as const) : ('whole' as const) }],
  );
}

/** Tokens that are not in order yet, by how they fit: each where it fits best. */
function matchTail(
  table: NameTable,
  tail: readonly number[],
  query: SearchQuery,
  asked: Asked,
): ReadonlyMap<Match, readonly number[]> {
  const found = new Map<Match, number[]>();
  const sought = PREFIX_MATCHES.map((match) => [match, soughtOf(match, query, asked)] as const);
  for (const number of tail) {
    const [match] = sought.find(([, each]) => each.some((one) => hasText(table, number, one))) ?? [];
    const edits =
      match === undefined && asked.near !== undefined ? leastEdits(table, number, asked.near.edits) : undefined;
    const fit = match ?? (edits === undefined ? undefined : TYPOS[edits - 1]);
    if (fit !== undefined) found.set(fit, [...(found.get(fit) ?? []), number]);
  }
  return found;
}

function hasText(table: NameTable, number: number, { field, bytes, ends }: Sought): boolean {
  return table
    .entries(field, number)
    .some(
      (entry) =>
        table.comparePrefix(field, entry, bytes) === 0 &&
        (ends === 'anywhere' || table.endsAt(field, entry, bytes.length)),
    );
}

/** Edits that make the query of the nearest of a token's terms. */
function leastEdits(table: NameTable, number: number, near: NearTerms): number | undefined {
  let least: number | undefined;
  for (const { field, isWord } of TERM_KINDS) {
    for (const entry of table.entries(field, number)) {
      const edits = near.editsOf(table.term(field, entry, isWord));
      if (edits !== undefined && (least === undefined || edits < least)) least = edits;
    }
  }
  return least;
}
