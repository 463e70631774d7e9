import type { Address } from '../chain/address.ts';
import { MAX_ACCOUNTS_PER_CALL } from '../chain/rpc/account-answers.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { HYDRATED_POOLS, HYDRATED_TOKENS } from '../store/clickhouse/schema/background-tables.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';
import { runPasses } from './passes.ts';
import { hydratePools } from './pool-accounts.ts';
import { hydrateTokens } from './token-accounts.ts';
import { createTokenNews } from './token-news.ts';
import { findPoolsWanted, findTokensWanted, type Page, readNewestSlot } from './wanted.ts';

export interface HydratorDeps {
  readonly client: StoreClient;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Awaited when the store has more tokens' facts, before anybody is told of them. */
  readonly stored?: () => Promise<unknown>;
  /** Told of mints about which the store knows more than before. */
  readonly changed: (mints: readonly Address[]) => void;
}

export interface Hydrator {
  /** Asks the chain for all that is wanted now. Returns how many tokens and pools it asked for. */
  pass(signal: AbortSignal): Promise<number>;
  /** Passes until the signal aborts. Trouble is logged and passes. */
  run(signal: AbortSignal): Promise<void>;
}

/** Late blocks bring trades of earlier slots: so often everything is looked through. */
const WHOLE_PASS_EVERY_MS = 600_000;

/**
 * Tokens and pools that were there before us, read from the chain's accounts
 * and remembered. What is wanted is asked of the store each time, a batch after
 * the other, so that there is no queue to lose or to overflow.
 */
export function createHydrator({ client, rpc, clock, log, stored = async () => {}, changed }: HydratorDeps): Hydrator {
  const news = createTokenNews({ client, log, stored, changed });
  let lookedUpTo = 0;
  let wholePassAt = Number.NEGATIVE_INFINITY;

  async function drain(
    after: number,
    find: (client: StoreClient, of: Page) => Promise<Address[]>,
    hydrate: (addresses: readonly Address[], now: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const now = Math.floor(clock.now() / 1_000);
      const wanted = await find(client, { after, now, limit: MAX_ACCOUNTS_PER_CALL });
      if (wanted.length === 0) break;
      await hydrate(wanted, now);
      count += wanted.length;
    }
    return count;
  }

  async function pass(signal: AbortSignal): Promise<number> {
    const started = clock.elapsed();
    const isWhole = started - wholePassAt >= WHOLE_PASS_EVERY_MS;
    const after = isWhole ? 0 : lookedUpTo;
    const newest = await readNewestSlot(client);
    await news.tell();
    const tokens = await drain(
      after,
      findTokensWanted,
      async (mints, now) => {
        const rows = await hydrateTokens(rpc, mints, now, signal);
        await appendRows(client, HYDRATED_TOKENS, rows);
        const found = rows.flatMap((row) => (row.found ? [row.mint] : []));
        news.add(found);
        await news.tell();
        log.info({ asked: rows.length, found: found.length }, 'tokens of before were read from the chain');
      },
      signal,
    );
    const pools = await drain(
      after,
      findPoolsWanted,
      async (addresses, now) => appendRows(client, HYDRATED_POOLS, await hydratePools(rpc, addresses, now, signal)),
      signal,
    );
    if (!signal.aborted) {
      lookedUpTo = newest;
      if (isWhole) wholePassAt = started;
    }
    return tokens + pools;
  }

  return {
    pass,
    run: (signal) =>
      runPasses(
        pass,
        { clock, log, trouble: 'tokens of before could not be read from the chain; tried again later' },
        signal,
      ),
  };
}
