import type { Body } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { quoteJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { slotOfBody, stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';

/** Snapshots that are made at the same time: one that is not in memory takes several reads of the store. */
const AT_ONCE = 10;

/** Times that a batch is made at most. From the second on the known tokens are in memory. */
const MAX_ROUNDS = 4;

/**
 * A batch of one moment: made again when a block came while it was made. It is stamped with the slot of the moment, or
 * an earlier one that a snapshot is of.
 */
export async function batchAtOnce(
  {
    feed,
    shelf,
  }: { readonly feed: Pick<Feed, 'headSlot' | 'committedSlot'>; readonly shelf: Pick<BookShelf, 'epoch'> },
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  for (let round = 1; ; round += 1) {
    const { headSlot, committedSlot } = feed;
    const { epoch } = shelf;
    const body = await make();
    const isOneMoment = feed.headSlot === headSlot && shelf.epoch === epoch;
    if (!isOneMoment && round < MAX_ROUNDS) continue;
    const slot = Math.max(headSlot, committedSlot);
    return stampBody(body, Math.min(slot, slotOfBody(body) ?? slot));
  }
}

/** `{"data":[snapshots],"missing":[mints]}`, both in the order of the mints; stamped where a snapshot is. */
export async function batchBody(mints: readonly Address[], snapshot: (mint: Address) => Body): Promise<Buffer> {
  const parts: Buffer[] = [];
  const missing: Address[] = [];
  let slot = Number.POSITIVE_INFINITY;
  for (let first = 0; first < mints.length; first += AT_ONCE) {
    const some = mints.slice(first, first + AT_ONCE);
    const bodies = await Promise.all(some.map((mint) => snapshot(mint)));
    for (const [at, body] of bodies.entries()) {
      slot = Math.min(slot, (body && slotOfBody(body)) ?? slot);
      if (body === undefined) missing.push(some[at]!);
      else parts.push(parts.length === 0 ? OPEN : COMMA, body);
    }
  }
  if (parts.length === 0) parts.push(OPEN);
  const body = Buffer.concat([...parts, Buffer.from(`],"missing":[${missing.map(quoteJson)}]}`)]);
  return slot === Number.POSITIVE_INFINITY ? body : stampBody(body, slot);
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');
