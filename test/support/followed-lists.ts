import { createTokenLists, type TokenLists, type TokenListsDeps } from '../../src/features/tokens/lists.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createMarket } from '../../src/market/market.ts';
import type { WindowReads } from '../../src/market/market-reads.ts';

interface FollowedLists extends Omit<TokenListsDeps, 'market'> {
  readonly windows: WindowReads;
  readonly feed: Feed;
}

/** Lists with a market of their own that follows the same feed. Whoever asks waits until it stands. */
export function openLists({ windows, ...deps }: FollowedLists): TokenLists {
  const { feed, clock } = deps;
  const market = createMarket({ reads: windows, feed, clock, log: silentLogger });
  const lists = createTokenLists({ ...deps, market });
  return {
    async list(filter) {
      await market.open();
      return lists.list(filter);
    },
    rows: lists.rows,
    get memory() {
      return lists.memory;
    },
    close() {
      lists.close();
      market.close();
    },
  };
}
