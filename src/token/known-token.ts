import type { Opening } from '../books/book-shelf.ts';
import type { Address } from '../chain/address.ts';
import { type TokenSection, tokenSection } from './section.ts';
import type { TokenReads } from './token-reads.ts';

export interface KnownTokenDeps {
  readonly reads: TokenReads;
  readonly shelf: Opening;
}

/** The token out of its book, following what comes in; undefined when nobody as much as tried to trade it, or sent it. */
export async function openKnownToken(
  { reads, shelf }: KnownTokenDeps,
  mint: Address,
): Promise<TokenSection | undefined> {
  const token = await shelf.open(mint, tokenSection(reads, mint));
  return token.known ? token : undefined;
}
