import type { Address } from '../chain/address.ts';
import { BodyCache } from './body-cache.ts';
import type { MintRows } from './mint-rows.ts';

/** A part of a token's book: one question's rows, kept up to date by the feed. */
export interface Section {
  /** Takes later rows in. False when the section can no longer be trusted and has to be read again. */
  apply(rows: MintRows): boolean;
  /** About what it holds in memory. */
  readonly bytes: number;
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
  bytes: number;
}

/** The books in memory, within a bound: those that nobody has asked for the longest go first. */
export class BookSet {
  /** Least recently asked for first. */
  readonly #books = new Map<Address, Book>();
  readonly #limits: ShelfLimits;
  #bytes = 0;

  constructor(limits: ShelfLimits) {
    this.#limits = limits;
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

  /** Puts a section into its token's book, in the place of the oldest when there are too many. */
  keep(mint: Address, key: string, section: Section): void {
    const book = this.find(mint) ?? { sections: new Map(), bodies: new BodyCache(), bytes: 0 };
    const oldest = book.sections.keys().next();
    if (book.sections.size >= this.#limits.maxSections && !oldest.done) book.sections.delete(oldest.value);
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
    for (const [key, section] of book.sections) if (!section.apply(rows)) book.sections.delete(key);
    this.#weigh(book);
  }

  discard(mint: Address): void {
    const book = this.#books.get(mint);
    if (book === undefined) return;
    this.#books.delete(mint);
    this.#bytes -= book.bytes;
  }

  /** Discards books until the rest is within the limits. */
  shrink(): void {
    const { maxBooks, maxBytes } = this.#limits;
    for (const mint of this.#books.keys()) {
      if (this.#books.size <= maxBooks && this.#bytes <= maxBytes) return;
      this.discard(mint);
    }
  }

  #weigh(book: Book): void {
    let bytes = 0;
    for (const section of book.sections.values()) bytes += section.bytes;
    this.#bytes += bytes - book.bytes;
    book.bytes = bytes;
  }
}
