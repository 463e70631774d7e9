import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { RowBatch } from '../store/clickhouse/tables.ts';
import { BodyCache } from './body-cache.ts';
import { type MintRows, readBatch } from './mint-rows.ts';

/** A part of a token's book: one question's rows, kept up to date by the feed. */
export interface Section {
  /** Takes later rows in. False when the section can no longer be trusted and has to be read again. */
  apply(rows: MintRows): boolean;
  /** About what it holds in memory. */
  readonly bytes: number;
}

export interface SectionSource<S extends Section> {
  /** Names the section within its book. */
  readonly key: string;
  /** Reads the section from the store as it stands at slot `mark`. */
  load(mark: number): Promise<S>;
  /** False for a section that is not worth its place. */
  isWorthKeeping(section: S): boolean;
}

/**
 * Books of the tokens that are asked for. A section is read from the store once,
 * at the slot the store answers for, and from then on grown by the feed; what
 * the feed brought while the store was being read is kept aside and applied
 * after it, so nothing is missed and nothing counted twice.
 */
export interface BookShelf {
  /** The section, out of memory or read now. */
  open<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S>;
  /** Answers built from the mint's book since it last changed; undefined without a book. */
  bodies(mint: Address): BodyCache | undefined;
  /** Stops following the feed. */
  close(): void;
}

export interface ShelfLimits {
  /** Memory of all books together, bytes. */
  readonly maxBytes: number;
  /** Tokens with a book at once. */
  readonly maxBooks: number;
  /** Sections in one book at once. */
  readonly maxSections: number;
}

interface Book {
  readonly sections: Map<string, Section>;
  readonly bodies: BodyCache;
  bytes: number;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly mint: Address;
  readonly rows: MintRows[];
  /** True once rows came that the read may or may not have seen. */
  spoiled: boolean;
}

/** Mints remembered as unsettled before those that have settled are swept out. */
const UNSETTLED_SWEEP = 10_000;

export function createBookShelf({ feed, limits }: { feed: Feed; limits: ShelfLimits }): BookShelf {
  /** Least recently asked for first. */
  const books = new Map<Address, Book>();
  const opening = new Map<string, Promise<Section>>();
  const warmings = new Set<Warming>();
  /**
   * Mints with rows that came out of order or without their block, by the batch
   * that brought them. Until the store has that batch nothing in memory can tell
   * what a read has seen, so such mints are answered from the store alone.
   */
  const unsettled = new Map<Address | '', RowBatch>();
  let totalBytes = 0;
  let appliedSlot = feed.headSlot;

  const unsubscribe = feed.subscribe((batch) => {
    const late = !batch.closesSlots || batch.firstSlot <= appliedSlot;
    appliedSlot = Math.max(appliedSlot, batch.lastSlot);
    for (const [mint, rows] of readBatch(batch)) {
      if (late) unsettled.set(mint, batch);
      for (const warming of warmings) {
        if (warming.mint !== mint) continue;
        if (late) warming.spoiled = true;
        else warming.rows.push(rows);
      }
      const book = books.get(mint as Address);
      if (book === undefined) continue;
      if (late) discard(mint as Address, book);
      else grow(book, rows);
    }
    if (unsettled.size > UNSETTLED_SWEEP) for (const mint of unsettled.keys()) isUnsettled(mint);
    shrink();
  });

  function grow(book: Book, rows: MintRows): void {
    book.bodies.clear();
    for (const [key, section] of book.sections) if (!section.apply(rows)) book.sections.delete(key);
    weigh(book);
  }

  function weigh(book: Book): void {
    let bytes = 0;
    for (const section of book.sections.values()) bytes += section.bytes;
    totalBytes += bytes - book.bytes;
    book.bytes = bytes;
  }

  function discard(mint: Address, book: Book): void {
    books.delete(mint);
    totalBytes -= book.bytes;
  }

  function shrink(): void {
    for (const [mint, book] of books) {
      if (books.size <= limits.maxBooks && totalBytes <= limits.maxBytes) return;
      discard(mint, book);
    }
  }

  function isUnsettled(mint: Address | ''): boolean {
    const batch = unsettled.get(mint);
    if (batch === undefined) return false;
    if (feed.since(0).includes(batch)) return true;
    unsettled.delete(mint);
    return false;
  }

  async function read<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
    if (isUnsettled(mint)) return source.load(feed.committedSlot);
    const mark = feed.committedSlot;
    const warming: Warming = { mint, rows: heldRows(feed, mark, mint), spoiled: false };
    warmings.add(warming);
    try {
      const section = await source.load(mark);
      if (warming.spoiled) return section;
      for (const rows of warming.rows) {
        if (!section.apply(rows)) return await source.load(feed.committedSlot);
      }
      if (source.isWorthKeeping(section)) keep(mint, source.key, section);
      return section;
    } finally {
      warmings.delete(warming);
    }
  }

  function keep(mint: Address, key: string, section: Section): void {
    const book = books.get(mint) ?? { sections: new Map(), bodies: new BodyCache(), bytes: 0 };
    const oldest = book.sections.keys().next();
    if (book.sections.size >= limits.maxSections && !oldest.done) book.sections.delete(oldest.value);
    book.sections.set(key, section);
    touch(mint, book);
    weigh(book);
    shrink();
  }

  function touch(mint: Address, book: Book): void {
    books.delete(mint);
    books.set(mint, book);
  }

  return {
    async open<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
      const book = books.get(mint);
      const known = book?.sections.get(source.key);
      if (book !== undefined && known !== undefined) {
        touch(mint, book);
        return known as S;
      }
      // Everybody who asks while it is read waits for the same read.
      const name = `${mint} ${source.key}`;
      const underWay = opening.get(name);
      if (underWay !== undefined) return underWay as Promise<S>;
      const started = read(mint, source).finally(() => opening.delete(name));
      opening.set(name, started);
      return started;
    },
    bodies(mint) {
      const book = books.get(mint);
      if (book !== undefined) touch(mint, book);
      return book?.bodies;
    },
    close: unsubscribe,
  };
}

/** Rows that the feed brought past `mark` and the store does not have yet. */
function heldRows(feed: Feed, mark: number, mint: Address): MintRows[] {
  const rows: MintRows[] = [];
  for (const batch of feed.since(mark)) {
    const ours = readBatch(batch).get(mint);
    if (ours !== undefined) rows.push(ours);
  }
  return rows;
}
