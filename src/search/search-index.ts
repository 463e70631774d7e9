import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Answered, answerQuery, type SearchView } from './answer-query.ts';
import { forgivenEdits } from './edit-distance.ts';
import { FIELDS, GONE, MAX_TOKENS, marketOf, type NamedToken, NameTable, numberOf, rankKey } from './name-table.ts';
import { NearTerms } from './near-terms.ts';
import type { SearchQuery } from './query.ts';
import { refreshToken, type Segment, SegmentMerge, sealSegment } from './segment.ts';

export interface SearchLimits {
  /** Tokens at most. */
  readonly tokens: number;
  /** Bytes at most, those that the largest merge takes for a while among them. */
  readonly bytes: number;
}

/** Five million names in a gigabyte. */
export const DEFAULT_SEARCH_LIMITS: SearchLimits = { tokens: 5_000_000, bytes: 1_000_000_000 };

export interface SearchOptions {
  /** Tokens at most. */
  readonly limit: number;
  /** Newest slot of a token's creation. */
  readonly upTo?: number;
}

/** Tokens that are not in order yet are gone through one by one. */
const TAIL = 256;
/** Fewer tokens than this of what begins with a query, and typos are looked for. */
export const FEW = 5;
/** Milliseconds that the event loop is held at a time. */
const SLICE_MS = 4;
/** Mints whose numbers are remembered: those that trade do so again. */
const REMEMBERED = 32_768;
/** Searches for typos that wait for their turn. */
const MAX_WAITING = 100;

/** Thrown when more searches for typos wait than are answered in good time. */
export class SearchCrowdedError extends Error {
  override readonly name = 'SearchCrowdedError';
}

/**
 * Tokens by their mints, symbols and names, in memory. New ones are gone through one by one until some hundred of them are
 * put in order together; ordered ones are merged with their neighbours, a little at a time, whenever there is time
 * ({@link SearchIndex.work}). Nothing here waits for anything but its own pauses.
 */
export class SearchIndex {
  readonly #table = new NameTable();
  readonly #limits: SearchLimits;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #segments: readonly Segment[] = [];
  /** Numbers of the tokens behind the last segment, by mint. */
  readonly #tail = new Map<string, number>();
  readonly #remembered = createBoundedMap<string, number>(REMEMBERED);
  #merge: SegmentMerge | undefined;
  #gone = 0;
  /** Searches for typos go one after the other: many together hold the event loop no longer than one. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(clock: Pick<Clock, 'elapsed'>, limits: SearchLimits = DEFAULT_SEARCH_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Tokens that can be found. */
  get size(): number {
    return this.#table.count - this.#gone;
  }

  /** What it takes at most until everything is merged. */
  get bytes(): number {
    const ordered = this.#segments.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.bytes, 0);
    return this.#table.bytes + 2 * ordered;
  }

  /** True when no other token has room: those that are gone keep theirs. */
  get isFull(): boolean {
    const { count } = this.#table;
    return (
      count >= this.#limits.tokens || count >= MAX_TOKENS || (count % TAIL === 0 && this.bytes > this.#limits.bytes)
    );
  }

  /**
   * Takes a token in, instead of what is known of its mint. False when there is no room for it: what is known stays
   * then. A token that is known just so takes no room, whatever its rank.
   */
  add(token: NamedToken): boolean {
    const known = this.#find(token.mint);
    if (known !== undefined && this.#table.isGivenAs(known, token)) {
      this.#setKey(known, rankKey(token.market, token.slot));
      return true;
    }
    if (this.isFull) return false;
    this.remove(token.mint);
    const number = this.#table.add(token);
    this.#tail.set(token.mint, number);
    this.#remembered.set(token.mint, number);
    if (this.#tail.size >= TAIL) this.#seal();
    return true;
  }

  /** What a token is ranked by, without reading its names. */
  rank(mint: string): Pick<NamedToken, 'slot' | 'market'> | undefined {
    const number = this.#find(mint);
    if (number === undefined) return undefined;
    const slot = this.#table.slot(number);
    return { slot, market: marketOf(this.#table.key(number), slot) };
  }

  /** The token as it was given; its names cut where they are longer than names are. */
  get(mint: string): NamedToken | undefined {
    const number = this.#find(mint);
    return number === undefined ? undefined : this.#tokenOf(number);
  }

  /** Another rank by market. Nothing for a mint that is not there. */
  setMarket(mint: string, market: number): void {
    const number = this.#find(mint);
    if (number !== undefined) this.#setKey(number, rankKey(market, this.#table.slot(number)));
  }

  remove(mint: string): void {
    const number = this.#find(mint);
    if (number === undefined) return;
    this.#setKey(number, GONE);
    this.#tail.delete(mint);
    this.#remembered.delete(mint);
    this.#gone += 1;
  }

  /**
   * The tokens that fit a query best, best first. Typos are forgiven where few tokens begin with it.
   *
   * @throws {SearchCrowdedError} when too many others wait to have their typos looked for.
   */
  async search(query: SearchQuery, { limit, upTo = Number.POSITIVE_INFINITY }: SearchOptions): Promise<Found[]> {
    const asked = { count: Math.max(limit, FEW), upTo };
    const begin = answerQuery(this.#view(this.#table.count), query, asked);
    const edits = forgivenEdits(query.length);
    if (begin.length >= FEW || edits === 0) return this.#found(begin, limit);
    return this.#found(await this.#inTurn(() => this.#searchNear(query, { ...asked, edits })), limit);
  }

  async #searchNear(
    query: SearchQuery,
    { edits, count, upTo }: { readonly edits: number; readonly count: number; readonly upTo: number },
  ): Promise<Answered[]> {
    const near = new NearTerms(this.#table, query.folded, { edits, count });
    const known = this.#segments.at(-1)?.end ?? 0;
    const terms = await near.find(this.#segments, this.#pauses());
    // Tokens may have come or gone in the pauses: the rest is done at once.
    return answerQuery(this.#view(known), query, { count, upTo, near: { terms, edits: near } });
  }

  async #inTurn<T>(search: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw new SearchCrowdedError(`${MAX_WAITING} searches for typos wait`);
    this.#waiting += 1;
    const turn = this.#turn.then(search).finally(() => {
      this.#waiting -= 1;
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Puts more of what came in order, for some milliseconds. False when everything is. */
  work(): boolean {
    this.#merge ??= this.#nextMerge();
    if (this.#merge === undefined) return false;
    const begun = this.#clock.elapsed();
    const { from, into } = this.#merge;
    if (this.#merge.step(() => this.#clock.elapsed() - begun >= SLICE_MS)) {
      const at = this.#segments.indexOf(from[0]);
      this.#segments = this.#segments.toSpliced(at, 2, into);
      this.#merge = undefined;
    }
    return true;
  }

  /** All tokens, those from a number on as if they were not in order: their terms were not looked through. */
  #view(known: number): SearchView {
    const { count } = this.#table;
    const fresh = Array.from({ length: Math.max(0, count - known) }, (_, at) => known + at);
    const tail = new Set([...this.#tail.values(), ...fresh]);
    return { table: this.#table, segments: this.#segments, tail: [...tail] };
  }

  #found(answered: readonly Answered[], limit: number): Found[] {
    return answered.slice(0, limit).map(({ number, match }) => ({ ...this.#tokenOf(number), match }));
  }

  #tokenOf(number: number): NamedToken {
    const table = this.#table;
    const slot = table.slot(number);
    return {
      mint: table.mint(number),
      ...table.shown(number),
      slot,
      within: table.within(number),
      market: marketOf(table.key(number), slot),
    };
  }

  #find(mint: string): number | undefined {
    const recent = this.#tail.get(mint) ?? this.#remembered.get(mint);
    if (recent !== undefined) return recent;
    const bytes = Buffer.from(mint, 'utf8');
    for (const { runs } of this.#segments) {
      const mints = runs[FIELDS.mint]!;
      const { low, high } = mints.matching(bytes, 'whole');
      for (let at = high - 1; at >= low; at -= 1) {
        const number = numberOf(mints.entry(at));
        if (this.#table.key(number) === GONE) continue;
        this.#remembered.set(mint, number);
        return number;
      }
    }
    return undefined;
  }

  #setKey(number: number, key: number): void {
    if (this.#table.key(number) === key) return;
    this.#table.setKey(number, key);
    const holds = ({ first, end }: Segment) => number >= first && number < end;
    const segment = this.#segments.find(holds);
    if (segment !== undefined) refreshToken(this.#table, segment, number);
    if (this.#merge !== undefined && holds(this.#merge.into)) refreshToken(this.#table, this.#merge.into, number);
  }

  #seal(): void {
    const first = this.#segments.at(-1)?.end ?? 0;
    const sealed = sealSegment(this.#table, first, this.#table.count);
    this.#segments = [...this.#segments, sealed];
    this.#tail.clear();
  }

  /** The last two neighbours of about one size: so each token is merged as often as the number can be halved. */
  #nextMerge(): SegmentMerge | undefined {
    const sizeOf = ({ first, end }: Segment) => end - first;
    for (let at = this.#segments.length - 1; at > 0; at -= 1) {
      const left = this.#segments[at - 1]!;
      const right = this.#segments[at]!;
      if (sizeOf(left) < 2 * sizeOf(right)) return new SegmentMerge(this.#table, left, right);
    }
    return undefined;
  }

  /** Lets others go first whenever a slice of time is over. */
  #pauses(): () => Promise<void> | undefined {
    let begun = this.#clock.elapsed();
    return () => {
      if (this.#clock.elapsed() - begun < SLICE_MS) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          begun = this.#clock.elapsed();
          resolve();
        });
      });
    };
  }
}

/** A token that was found, and how. */
export interface Found extends NamedToken {
  readonly match: Answered['match'];
}
