import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { TokenFacts } from '../../token/facts.ts';
import { newestSlotOf, readSettled, type SettledDeps } from '../../token/settled.ts';
import { tokenFields } from '../../token/state.ts';
import type { TweetToken } from './contract.ts';
import { MAX_TWEETS } from './contract-limits.ts';
import type { TweetRows } from './tweet-reads.ts';

export interface TweetDeps extends SettledDeps {
  readonly readTweets: (mark: number, limit: number) => Promise<TweetRows>;
  readonly readFacts: (mints: readonly Address[], mark: number) => Promise<readonly TokenFacts[]>;
}

/** Rows of a list of any length, and the slot that they tell of. */
export interface TweetList {
  readonly rows: readonly Written<TweetToken>[];
  readonly since: number | undefined;
  readonly slot: number;
}

/** The longest list, out of the store, as it stands at one slot. */
export async function readTweetList({ readTweets, readFacts, ...settled }: TweetDeps): Promise<TweetList> {
  const { rows, slot } = await readSettled(
    settled,
    async () => {
      const mark = settled.feed.committedSlot;
      const found = await readTweets(mark, MAX_TWEETS);
      const mints = found.rows.map(({ mint }) => mint as Address);
      return { ...found, mints, facts: await readFacts(mints, mark) };
    },
    ({ facts }) => newestSlotOf(facts.flatMap(newsOf), 0),
  );
  const { rows: links, since, mints, facts } = rows;
  return { rows: links.map(({ twitter }, place) => tweetRow(mints[place]!, facts[place]!, twitter)), since, slot };
}

export function tweetsBody({ rows, since, slot }: TweetList, limit: number): Buffer {
  const shown = rows.slice(0, limit);
  // A list that is full does not end where nothing was looked at.
  const known = shown.length === limit || since === undefined ? undefined : timeText(since);
  return stampBody(jsonBody({ data: shown, since: known }), slot);
}

/** Facts of a row that the store keeps the newest of alone. No row tells a token's high. */
function newsOf({ lastSwap, lastPriced }: TokenFacts) {
  return [lastSwap, lastPriced].filter((fact) => fact !== undefined);
}

function tweetRow(mint: Address, facts: TokenFacts, twitter: string): Written<TweetToken> {
  const fields = tokenFields({ mint, ...facts }, undefined);
  const { symbol, name, created_at, status, last_price, quote_mint, last_quote_price } = fields;
  return { mint, symbol, name, created_at, twitter, status, last_price, quote_mint, last_quote_price };
}
