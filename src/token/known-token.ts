import type { Following } from '../books/book-shelf.ts';
import type { Address } from '../chain/address.ts';
import { Absence } from '../contract/stamp.ts';
import { type TokenSection, tokenSection } from './section.ts';
import { absenceAt, newsOf, type SettledDeps, untilCommitted } from './settled.ts';
import type { TokenReads } from './token-reads.ts';

export interface KnownTokenDeps {
  readonly reads: TokenReads;
  readonly following: Pick<Following, 'open' | 'stand'>;
}

/** The token out of its book, following what comes in; an absence when nobody as much as tried to trade it, or sent it. */
export async function openKnownToken(
  { reads, following }: KnownTokenDeps,
  mint: Address,
): Promise<TokenSection | Absence> {
  const token = await following.open(mint, tokenSection(reads, mint));
  return token.known ? token : new Absence(following.stand().least);
}

export interface StoredTokenDeps extends KnownTokenDeps, Pick<SettledDeps, 'clock'> {
  readonly feed: SettledDeps['feed'] & { readonly headSlot: number };
}

/**
 * The same for an answer out of the store alone: one of a token whose first rows are still being written would say that
 * nobody knows it, beside others that tell of it, so it waits for them.
 *
 * @throws {ApiError} `storage_unavailable` when they take longer than a question can wait.
 */
export async function openStoredToken(deps: StoredTokenDeps, mint: Address): Promise<TokenSection | Absence> {
  const { reads, feed, clock } = deps;
  const token = await openKnownToken(deps, mint);
  if (token instanceof Absence) return token;
  const { state } = token;
  if ((await absenceAt(reads, state, feed.committedSlot)) === undefined) return token;
  // Attempts and sends have no slot in a book.
  const slots = newsOf(state);
  await untilCommitted(slots.length > 0 ? Math.min(...slots) : feed.headSlot, { feed, clock });
  return token;
}
