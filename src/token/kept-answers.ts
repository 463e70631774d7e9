import type { Body, BodyKey } from '../books/body-cache.ts';
import type { BookShelf, Following } from '../books/book-shelf.ts';
import type { Address } from '../chain/address.ts';
import { Absence, slotOfBody, stampBody } from '../contract/stamp.ts';
import { openKnownToken } from './known-token.ts';
import { notSettled } from './settled.ts';
import type { TokenState } from './state.ts';
import type { TokenReads } from './token-reads.ts';

export interface KeptAnswersDeps {
  readonly reads: TokenReads;
  readonly shelf: BookShelf;
}

/** Of answers that time does not change. */
const ANY_TIME = 0;

/** Times that an answer is made of books: what it is made of may stand at two slots when one was let go meanwhile. */
const BOOK_ROUNDS = 2;
/** Times that it is made at most, behind these out of the store alone, as of one slot. */
const MAX_ROUNDS = 4;

/** Parts of an answer under way. */
export interface Making extends Pick<Following, 'open' | 'mark'> {
  /** The token as it stands when it is asked for. */
  token(): TokenState;
  /** Called when the answer is not to be kept. */
  passing(): void;
}

/** Makes a body out of sections that it opens here. One that tells of another slot than they do is stamped with it. */
type BodyMaker = (making: Making) => Promise<Buffer | Absence>;

/**
 * The kept answer, or a new one that is kept under `key` until the book changes.
 * Without a key, or when its maker calls `passing`, it is made anew every time.
 */
export type KeptAnswers = (mint: Address, key: BodyKey | undefined, build: BodyMaker) => Body;

/**
 * Answers about a token, kept in its book; an absence when nothing is known of it. One whose parts do not come to stand
 * at one slot is refused, see {@link notSettled}.
 */
export function createKeptAnswers({ reads, shelf }: KeptAnswersDeps): KeptAnswers {
  async function make(mint: Address, key: BodyKey | undefined, build: BodyMaker): Promise<Buffer | Absence> {
    for (let round = 1; ; round += 1) {
      const { epoch } = shelf;
      const following = round > BOOK_ROUNDS ? shelf.followStore() : shelf.follow();
      const token = await openKnownToken({ reads, following }, mint);
      if (token instanceof Absence) return token;
      const bodies = shelf.bodies(mint);
      const version = bodies?.version ?? 0;
      let keeps = key !== undefined;
      const passing = () => {
        keeps = false;
      };
      const { open, mark } = following;
      const body = await build({ open, mark, token: () => token.state, passing });
      if (body instanceof Absence) return body;
      const isStamped = slotOfBody(body) !== undefined;
      const { least, most, live } = following.stand();
      if (!isStamped && least !== most) {
        if (round < MAX_ROUNDS) continue;
        throw notSettled();
      }
      // A view is marked: a section may keep these very bytes, and tell them at another slot.
      if (!live) return isStamped ? body : stampBody(body.subarray(), least);
      // The book may be a newer one than what the answer is made of.
      if (key !== undefined && keeps && shelf.epoch === epoch) bodies?.set(key, body, version);
      return body;
    }
  }

  return (mint, key, build) => {
    const kept = key === undefined ? undefined : shelf.bodies(mint)?.get(key);
    return kept ?? make(mint, key, build);
  };
}

/** The key of an answer that only news of the token change. */
export function untilNews(name: string): BodyKey {
  return { name, stamp: ANY_TIME };
}
