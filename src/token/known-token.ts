import type { Following } from '../books/book-shelf.ts';
import type { Address } from '../chain/address.ts';
import { Absence } from '../contract/stamp.ts';
import { type TokenSection, tokenSection } from './section.ts';
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
