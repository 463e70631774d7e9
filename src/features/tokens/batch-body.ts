import type { Body } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { quoteJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, slotOfBody, stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';

/** Snapshots that are made at the same time: one that is not in memory takes several reads of the store. */
const AT_ONCE = 10;

/** Times that a batch is made of books. From the second on the known tokens are in memory. */
const BOOK_ROUNDS = 3;

export interface BatchDeps {
  readonly feed: Pick<Feed, 'headSlot' | 'committedSlot'>;
  readonly shelf: Pick<BookShelf, 'epoch'>;
  /** Snapshots of the mints as of now, each out of its book or read. */
  readonly make: () => Promise<Batch>;
  /** The batch as of one slot, whatever comes meanwhile. */
  readonly makeStored: () => Promise<Buffer>;
}

/** Snapshots of several tokens, and the slots that they are of where that is not the newest one. */
export interface Batch {
  readonly body: Buffer;
  readonly slots: ReadonlySet<number | undefined>;
}

/**
 * A batch of one moment: made again when a block came while it was made, or a snapshot is of an earlier slot, and in the
 * end out of the store alone. It is stamped with the slot of the moment.
 */
export async function batchAtOnce({ feed, shelf, make, makeStored }: BatchDeps): Promise<Buffer> {
  for (let round = 1; round <= BOOK_ROUNDS; round += 1) {
    const { headSlot, committedSlot } = feed;
    const { epoch } = shelf;
    const { body, slots } = await make();
    const newest = Math.max(headSlot, committedSlot);
    const isOneMoment = feed.headSlot === headSlot && shelf.epoch === epoch;
    const stood = new Set(Array.from(slots, (slot) => slot ?? newest));
    if (isOneMoment && stood.size <= 1) return stampBody(body, [...stood][0] ?? newest);
  }
  return makeStored();
}

/** `{"data":[snapshots],"missing":[mints]}`, both in the order of the mints. */
export async function batchBody(mints: readonly Address[], snapshot: (mint: Address) => Body): Promise<Batch> {
  const parts: Buffer[] = [];
  const missing: Address[] = [];
  const slots = new Set<number | undefined>();
  for (let first = 0; first < mints.length; first += AT_ONCE) {
    const some = mints.slice(first, first + AT_ONCE);
    const bodies = await Promise.all(some.map((mint) => snapshot(mint)));
    for (const [at, body] of bodies.entries()) {
      slots.add(body instanceof Absence ? body.slot : slotOfBody(body));
      if (body instanceof Absence) missing.push(some[at]!);
      else parts.push(parts.length === 0 ? OPEN : COMMA, body);
    }
  }
  if (parts.length === 0) parts.push(OPEN);
  return { body: Buffer.concat([...parts, Buffer.from(`],"missing":[${missing.map(quoteJson)}]}`)]), slots };
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');
