import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { POST_LINK } from './tweet-rules.ts';

const TWEETS = { name: 'tweet_tokens', columns: { mint: 'account', twitter: 'string' } } as const;

export type TweetRow = RowOf<typeof TWEETS>;

const tweets = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./tweet-tokens.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    among: Type.Integer(),
    post: Type.String(),
    limit: Type.Integer(),
  }),
  layout: TWEETS,
});

const oldest = defineQuery({
  sql: new URL('./tweet-oldest.sql', import.meta.url),
  params: Type.Object({ mark: Type.Integer(), older: Type.Integer() }),
  row: Type.Object({ time: Type.Integer() }),
});

/** Newest tokens that are looked at, more where fewer are not enough; the last is about a week of the whole chain. */
const AMONG = [1_000, 20_000, 200_000] as const;

export interface TweetRows {
  /** Newest first. */
  readonly rows: readonly TweetRow[];
  /** Unix seconds since when all tokens were looked at; undefined where that makes no difference. */
  readonly since: number | undefined;
}

/** The newest tokens up to slot `mark` whose document links a post. `among` is for tests. */
export async function readTweets(
  client: StoreClient,
  mark: number,
  limit: number,
  among: readonly number[] = AMONG,
): Promise<TweetRows> {
  let rows: readonly TweetRow[] = [];
  for (const each of among) {
    rows = await tweets(client, { mark, among: each, post: POST_LINK, limit });
    if (rows.length === limit) return { rows, since: undefined };
    const [older] = await oldest(client, { mark, older: each });
    // All tokens that there are have been looked at.
    if (older === undefined) return { rows, since: undefined };
  }
  const [last] = await oldest(client, { mark, older: among.at(-1)! - 1 });
  return { rows, since: last?.time };
}
