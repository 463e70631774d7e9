import type { BookShelf, Opening } from '../books/book-shelf.ts';
import { stampBody } from '../contract/stamp.ts';

/** Times that an answer is made at most. From the second on everything is at hand, unless books are let go meanwhile. */
const MAX_ROUNDS = 4;

/**
 * Makes an answer out of sections of several tokens, again until all of them stand at one slot, and stamps it with
 * that: a block may come while one is read and the others are there.
 */
export async function asOfOneSlot(
  shelf: Pick<BookShelf, 'follow'>,
  make: (opening: Opening) => Promise<Buffer>,
): Promise<Buffer> {
  for (let round = 1; ; round += 1) {
    const following = shelf.follow();
    const body = await make(following);
    const { least, most } = following.stand();
    if (least === most || round === MAX_ROUNDS) return stampBody(body, least);
  }
}
