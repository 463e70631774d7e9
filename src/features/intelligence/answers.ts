import type { Body } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, slotOfBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { openStoredToken } from '../../token/known-token.ts';
import { createRowReads } from '../../token/row-reads.ts';
import { absenceAt } from '../../token/settled.ts';
import type { TokenState } from '../../token/state.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import type { HolderSnapshots } from '../holders/snapshot-rules.ts';
import { createCounters, type HolderFigures } from './counters.ts';
import { createIntelligence } from './intelligence.ts';

/** Answers about the insiders of a token. Bodies are shared for a few seconds: they say when they were made. */
export interface IntelligenceAnswers {
  counters(mint: Address): Body;
  intelligence(mint: Address): Body;
}

export interface IntelligenceDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot' | 'headSlot'>;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly stats: HolderFigures;
  /** Snapshots of holders that a node tells; without them, trades tell. */
  readonly holderSnapshots?: HolderSnapshots | undefined;
}

export function createIntelligenceAnswers(deps: IntelligenceDeps): IntelligenceAnswers {
  const { client, feed, clock, shelf, stats, holderSnapshots: snapshots } = deps;
  const tokens = createTokenReads(client);
  const reads = createRowReads(client);
  const counters = createCounters({ client, reads, clock, shelf, feed, stats });
  const intelligence = createIntelligence({ client, reads, tokens, clock, shelf, feed, stats, snapshots });

  /** Makes the body of a token when none is ready, and only then asks the store. */
  async function ofToken(mint: Address, make: (state: TokenState) => Promise<Buffer>): Promise<Buffer | Absence> {
    const token = await openStoredToken({ reads: tokens, following: shelf.follow(), feed, clock }, mint);
    if (token instanceof Absence) return token;
    const body = await make(token.state);
    return (await absenceAt(tokens, token.state, slotOfBody(body) ?? feed.committedSlot)) ?? body;
  }

  return {
    counters: (mint) => counters.ready(mint) ?? ofToken(mint, counters.get),
    intelligence: (mint) => intelligence.ready(mint) ?? ofToken(mint, intelligence.get),
  };
}
