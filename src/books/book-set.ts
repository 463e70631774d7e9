import type { Address } from '../chain/address.ts';
import { BodyCache } from './body-cache.ts';
import type { MintRows } from './mint-rows.ts';

/** A part of a token's book: one question's rows, kept up to date by the feed. */
export interface Section {
  /** Takes later rows in. False when the section can no longer be trusted and has to be read again. */
  apply(rows: MintRows): boolean;
  /** About what it holds in memory. */
  readonly bytes: number;
  /** Slot that it was read at, of rows that the store keeps no older ones of; without it that which was asked for. */
  readonly readAt?: number;
}

export interface ShelfLimits {
  /** Memory of all books together, bytes. */
  readonly maxBytes: number;
  /** Tokens with a book at once. */
  readonly maxBooks: number;
  /** Sections in one book at once. */
  readonly maxSections: number;
}

/** One token's sections, and the answers made of them since they last changed. */
export interface Book {
  readonly sections: Map<string, Section>;
  readonly bodies: BodyCache;
  /** About what both hold in memory. */
  bytes: number;
}

/** Books in memory with their bytes, and the bytes that they may take. */
export interface BookMemory {
  readonly books: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** Books that were discarded to keep within the limits, so far. */
  readonly evicted: number;
}

/** The books in memory, within a bound: those that nobody has asked for the longest go first. */
export class BookSet {
  /** Least recently asked for first. */
  readonly #books = new Map<Address, Book>();
  readonly #limits: ShelfLimits;
  readonly #left: (section: Section) => void;
  #bytes = 0;
  #evicted = 0;

  /** `left` is told of every section that is kept up to date no longer. */
  constructor(limits: ShelfLimits, left: (section: Section) => void = () => {}) {
    this.#limits = limits;
    this.#left = left;
  }

  get memory(): BookMemory {
    return { books: this.#books.size, bytes: this.#bytes, maxBytes: this.#limits.maxBytes, evicted: this.#evicted };
  }

  /** The book of a token that is asked for now. */
  find(mint: Address): Book | undefined {
    const book = this.#books.get(mint);
    if (book !== undefined) {
      this.#books.delete(mint);
      this.#books.set(mint, book);
    }
    return book;
  }

  /** True while the section is in its token's book. */
  holds(mint: Address, key: string, section: Section): boolean {
    return this.#books.get(mint)?.sections.get(key) === section;
  }

  /** Puts a section into its token's book, in the place of the oldest when there are too many. */
  keep(mint: Address, key: string, section: Section): void {
    const book = this.find(mint) ?? this.#newBook(mint);
    const oldest = book.sections.keys().next();
    if (book.sections.size >= this.#limits.maxSections && !oldest.done) this.#drop(book, oldest.value);
    this.#drop(book, key);
    book.sections.set(key, section);
    this.#books.set(mint, book);
    this.#weigh(book);
    this.shrink();
  }

  /** Takes later rows into a token's book, when it has one. */
  grow(mint: Address, rows: MintRows): void {
    const book = this.#books.get(mint);
    if (book === undefined) return;
    book.bodies.clear();
    for (const [key, section] of book.sections) if (!section.apply(rows)) this.#drop(book, key);
    this.#weigh(book);
  }

  discard(mint: Address): void {
    const book = this.#books.get(mint);
    if (book === undefined) return;
    this.#books.delete(mint);
    this.#bytes -= book.bytes;
    for (const section of book.sections.values()) this.#left(section);
  }

  /** Discards books until the rest is within the limits. */
  shrink(): void {
    const { maxBooks, maxBytes } = this.#limits;
    for (const mint of this.#books.keys()) {
      if (this.#books.size <= maxBooks && this.#bytes <= maxBytes) return;
      this.discard(mint);
      this.#evicted += 1;
    }
  }

  #drop(book: Book, key: string): void {
    const section = book.sections.get(key);
    if (section === undefined) return;
    book.sections.delete(key);
    this.#left(section);
  }

  #newBook(mint: Address): Book {
    const book: Book = {
      sections: new Map(),
      bodies: new BodyCache(() => {
        // Answers may still be made for a book that was discarded.
        if (this.#books.get(mint) !== book) return;
        const before = book.bytes;
        this.#weigh(book);
        if (book.bytes > before) this.shrink();
      }),
      bytes: 0,
    };
    return book;
  }

  #weigh(book: Book): void {
    let bytes = book.bodies.bytes;
    for (const section of book.sections.values()) bytes += section.bytes;
    this.#bytes += bytes - book.bytes;
    book.bytes = bytes;
  }
}
