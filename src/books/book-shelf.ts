import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { BodyCache } from './body-cache.ts';
import { BookSet, type Section, type ShelfLimits } from './book-set.ts';
import { type MintRows, readBatch } from './mint-rows.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

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

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly mint: Address;
  readonly rows: MintRows[];
  /** True once rows came that the read may or may not have seen. */
  spoiled: boolean;
}

export function createBookShelf({ feed, limits }: { feed: Feed; limits: ShelfLimits }): BookShelf {
  const books = new BookSet(limits);
  const opening = new Map<string, Promise<Section>>();
  const warmings = new Set<Warming>();
  const unsettled = createUnsettledRows<Address | ''>(feed);

  const unsubscribe = feed.subscribe((batch) => {
    const late = unsettled.isLate(batch);
    for (const [mint, rows] of readBatch(batch)) {
      if (late) unsettled.note(mint, batch);
      for (const warming of warmings) {
        if (warming.mint !== mint) continue;
        if (late) warming.spoiled = true;
        else warming.rows.push(rows);
      }
      if (mint === '') continue;
      if (late) books.discard(mint);
      else books.grow(mint, rows);
    }
    books.shrink();
  });

  async function read<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
    const mark = feed.committedSlot;
    if (unsettled.has(mint)) return source.load(mark);
    const warming: Warming = { mint, rows: heldRows(feed, mark, mint), spoiled: false };
    warmings.add(warming);
    try {
      const section = await source.load(mark);
      if (warming.spoiled) return section;
      for (const rows of warming.rows) {
        if (!section.apply(rows)) return await source.load(feed.committedSlot);
      }
      if (source.isWorthKeeping(section)) books.keep(mint, source.key, section);
      return section;
    } finally {
      warmings.delete(warming);
    }
  }

  return {
    async open<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
      const known = books.find(mint)?.sections.get(source.key);
      if (known !== undefined) return known as S;
      // Everybody who asks while it is read waits for the same read.
      const name = `${mint} ${source.key}`;
      const underWay = opening.get(name);
      if (underWay !== undefined) return underWay as Promise<S>;
      const started = read(mint, source).finally(() => opening.delete(name));
      opening.set(name, started);
      return started;
    },
    bodies: (mint) => books.find(mint)?.bodies,
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
