import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { SharedRead } from '../store/reads/shared-read.ts';
import type { BodyCache } from './body-cache.ts';
import { type BookMemory, BookSet, type Section, type ShelfLimits } from './book-set.ts';
import { type MintRows, readBatch } from './mint-rows.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

export interface SectionSource<S extends Section> {
  /** Names the section within its book. */
  readonly key: string;
  /** Reads the section from the store as it stands at slot `mark`, or at a later one that it names. */
  load(mark: number): Promise<S>;
  /** False for a section that is not worth its place. */
  isWorthKeeping(section: S): boolean;
}

/**
 * Books of the tokens that are asked for. A section is read from the store once,
 * at the slot the store answers for, and from then on grown by the feed; what
 * the feed brought while the store was being read is kept aside and applied
 * after it, so nothing is missed and nothing counted twice. A book that holds
 * what is no longer so, a withdrawn block's rows or rows that the store has
 * since replaced, is discarded, and read again for the next question.
 */
export interface BookShelf {
  /** The section, out of memory or read now. */
  open<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S>;
  /** The same for the sections of one answer, which tells then how far they go. */
  follow(): Following;
  /** Sections out of the store alone, all as of the slot that it answers for now, whatever comes meanwhile. */
  followStore(): Following;
  /** Answers built from the mint's book since it last changed; undefined without a book. */
  bodies(mint: Address): BodyCache | undefined;
  /**
   * Changes whenever an answer under way, or one that was given, may be made of
   * what is no longer so, whether there was a book of it or not.
   */
  readonly epoch: number;
  readonly memory: BookMemory;
  /** Stops following the feed. */
  close(): void;
}

/** Opens the sections that an answer is made of. */
export type Opening = Pick<BookShelf, 'open'>;

export interface Following extends Opening {
  /** Slot up to which the store is asked for what no section has. */
  mark(): number;
  /** How far the sections go that were opened so far: those in a book to the newest slot that came. */
  stand(): Stand;
}

/** Slots up to which some sections have everything, and beyond which they have nothing. */
export interface Stand {
  readonly least: number;
  /** Another than `least` when they do not tell of one slot. */
  readonly most: number;
  /** True while all of them are kept up to date. */
  readonly live: boolean;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly name: string;
  readonly mint: Address;
  readonly brought: { readonly batch: RowBatch; readonly rows: MintRows }[];
  /** True once late rows came, which the read may or may not have seen. */
  late: boolean;
  /** True once what is read may be what is no longer so. */
  outdated: boolean;
}

export function createBookShelf({ feed, limits }: { feed: Feed; limits: ShelfLimits }): BookShelf {
  /** Newest slot whose rows the books have. */
  let seenSlot = feed.headSlot;
  const headSlot = () => Math.max(seenSlot, feed.committedSlot);
  /** Slots at which sections stand that no book keeps up to date. */
  const stoppedAt = new WeakMap<Section, number>();
  const books = new BookSet(limits, (section) => stoppedAt.set(section, headSlot()));
  const opening = new Map<string, SharedRead<Section>>();
  const warmings = new Set<Warming>();
  const unsettled = createUnsettledRows<Address | ''>(feed);

  let epoch = 0;

  /**
   * Lets a mint's book go, and what is being read for it: that may be of rows
   * that were replaced, or asked for with what a withdrawn block said. Whoever
   * asks from now on waits for a read of their own.
   */
  function forget(mint: Address): void {
    books.discard(mint);
    for (const warming of warmings) {
      if (warming.mint !== mint) continue;
      warming.outdated = true;
      opening.delete(warming.name);
    }
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      const late = unsettled.isLate(batch);
      if (late) epoch += 1;
      for (const [mint, rows] of readBatch(batch)) {
        if (late) unsettled.note(mint, batch);
        for (const warming of warmings) {
          if (warming.mint !== mint) continue;
          if (late) warming.late = true;
          else warming.brought.push({ batch, rows });
        }
        if (mint === '') continue;
        if (late) books.discard(mint);
        else books.grow(mint, rows);
      }
      seenSlot = feed.headSlot;
      books.shrink();
    },
    withdrawn(batch) {
      epoch += 1;
      unsettled.withdrawn();
      for (const { brought } of warmings) {
        const at = brought.findIndex((each) => each.batch === batch);
        if (at >= 0) brought.splice(at, 1);
      }
      for (const mint of readBatch(batch).keys()) if (mint !== '') forget(mint);
      seenSlot = feed.headSlot;
    },
    changed(mints) {
      epoch += 1;
      for (const mint of new Set(mints)) forget(mint);
    },
  });

  async function loadAt<S extends Section>(source: SectionSource<S>, mark: number): Promise<S> {
    const section = await source.load(mark);
    stoppedAt.set(section, Math.max(mark, section.readAt ?? mark));
    return section;
  }

  async function read<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
    const mark = feed.committedSlot;
    if (unsettled.has(mint)) return loadAt(source, mark);
    const name = openingName(mint, source);
    const warming: Warming = { name, mint, brought: heldRows(feed, mark, mint), late: false, outdated: false };
    warmings.add(warming);
    try {
      const section = await loadAt(source, mark);
      if (warming.late) return section;
      for (const { rows } of warming.brought) {
        if (section.apply(rows)) continue;
        // The section that is read below lacks rows that the feed brought.
        epoch += 1;
        return await loadAt(source, feed.committedSlot);
      }
      stoppedAt.set(section, headSlot());
      if (!warming.outdated && source.isWorthKeeping(section)) books.keep(mint, source.key, section);
      return section;
    } finally {
      warmings.delete(warming);
    }
  }

  async function open<S extends Section>(mint: Address, source: SectionSource<S>): Promise<S> {
    const known = books.find(mint)?.sections.get(source.key);
    if (known !== undefined) return known as S;
    // Everybody who asks while it is read waits for the same read.
    const name = openingName(mint, source);
    const underWay = opening.get(name);
    if (underWay !== undefined && !underWay.abandoned) return underWay.wait() as Promise<S>;
    const started = new SharedRead<S>(() =>
      read(mint, source).finally(() => {
        if (opening.get(name) === started) opening.delete(name);
      }),
    );
    opening.set(name, started);
    return started.wait();
  }

  function followWith(openSection: BookShelf['open'], mark: () => number): Following {
    const opened: { readonly mint: Address; readonly key: string; readonly section: Section }[] = [];
    return {
      mark,
      async open(mint, source) {
        const section = await openSection(mint, source);
        opened.push({ mint, key: source.key, section });
        return section;
      },
      stand() {
        const head = headSlot();
        const stopped = opened.filter(({ mint, key, section }) => !books.holds(mint, key, section));
        const slots = stopped.map(({ section }) => stoppedAt.get(section) ?? head);
        if (stopped.length < opened.length || opened.length === 0) slots.push(head);
        return { least: Math.min(...slots), most: Math.max(...slots), live: stopped.length === 0 };
      },
    };
  }

  return {
    open,
    follow: () => followWith(open, () => feed.committedSlot),
    followStore() {
      const mark = feed.committedSlot;
      return followWith(
        (_mint, source) => loadAt(source, mark),
        () => mark,
      );
    },
    bodies: (mint) => books.find(mint)?.bodies,
    get epoch() {
      return epoch;
    },
    get memory() {
      return books.memory;
    },
    close: unsubscribe,
  };
}

function openingName(mint: Address, { key }: SectionSource<Section>): string {
  return `${mint} ${key}`;
}

/** Rows that the feed brought past `mark` and the store does not have yet. */
function heldRows(feed: Feed, mark: number, mint: Address): Warming['brought'] {
  const brought: Warming['brought'] = [];
  for (const batch of feed.since(mark)) {
    const rows = readBatch(batch).get(mint);
    if (rows !== undefined) brought.push({ batch, rows });
  }
  return brought;
}
