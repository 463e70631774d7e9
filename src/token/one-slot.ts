import type { BookShelf, Following } from '../books/book-shelf.ts';
import { stampBody } from '../contract/stamp.ts';
import { notSettled } from './settled.ts';

/** Times that an answer is made of books. From the second on everything is at hand, unless they are let go meanwhile. */
const BOOK_ROUNDS = 3;
/** Times that it is made at most, behind these out of the store alone, as of one slot. */
const MAX_ROUNDS = 5;

/**
 * Makes an answer out of sections of several tokens, again until all of them stand at one slot, and stamps it with
 * that: a block may come while one is read and the others are there.
 *
 * @throws {ApiError} as {@link notSettled} says, when they do not.
 */
export async function asOfOneSlot(
  shelf: Pick<BookShelf, 'follow' | 'followStore'>,
  make: (following: Following) => Promise<Buffer>,
): Promise<Buffer> {
  for (let round = 1; ; round += 1) {
    const following = round > BOOK_ROUNDS ? shelf.followStore() : shelf.follow();
    const body = await make(following);
    const { least, most } = following.stand();
    if (least === most) return stampBody(body, least);
    if (round === MAX_ROUNDS) throw notSettled();
  }
}
