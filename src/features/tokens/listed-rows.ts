import type { BookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Market } from '../../market/market.ts';
import type { MarketWindows } from '../../market/market-windows.ts';
import type { ListedToken } from '../../token/listed-reads.ts';
import { type ListingReads, listingSection } from '../../token/listing-section.ts';

export interface ListedRowsDeps {
  readonly shelf: BookShelf;
  readonly listings: ListingReads;
  readonly feed: Feed;
  readonly market: Pick<Market, 'windows'>;
}

/** Tokens of a list and the windows over their trades, as they stand now. */
export interface ListedRows {
  /** In the order asked for. */
  readonly tokens: readonly ListedToken[];
  readonly windows: MarketWindows;
  /** Slot that all of it tells of. */
  readonly slot: number;
}

/** Opens rows of a list in memory; undefined when blocks came while one was read: the next time all of them are at hand. */
export async function openListedRows(
  { shelf, listings, feed, market }: ListedRowsDeps,
  mints: readonly Address[],
): Promise<ListedRows | undefined> {
  const following = shelf.follow();
  const sections = await Promise.all(mints.map((mint) => following.open(mint, listingSection(listings, mint))));
  const { windows } = market;
  const { least, most } = following.stand();
  if (windows === undefined || least !== most) return undefined;
  const slot = Math.min(Math.max(feed.headSlot, feed.committedSlot), least);
  return { tokens: sections.map(({ token }) => token), windows, slot };
}
