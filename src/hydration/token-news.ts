import type { Address } from '../chain/address.ts';
import type { Logger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { findTokensQuotedIn } from './wanted.ts';

/** Mints of which the store knows more than those were told who hold something about them. */
export interface TokenNews {
  add(mints: readonly Address[]): void;
  /** Tells of all of them. What cannot be told now is kept for the next call. */
  tell(): Promise<void>;
}

export interface TokenNewsDeps {
  readonly client: StoreClient;
  readonly log: Logger;
  /** Awaited before anybody is told. */
  readonly stored: () => Promise<unknown>;
  readonly changed: (mints: readonly Address[]) => void;
}

/** Mints that wait, some 2 MB of them. */
const MAX_WAITING = 20_000;
/** Calls behind which those that wait are told without what comes before it: answers are then of now, but for symbols. */
const MAX_TRIES = 12;

export function createTokenNews({ client, log, stored, changed }: TokenNewsDeps): TokenNews {
  const waiting = new Set<Address>();
  let failed = 0;

  return {
    add(mints) {
      for (const mint of mints) waiting.add(mint);
    },
    async tell() {
      if (waiting.size === 0) return;
      const mints = [...waiting];
      let quotedIn: readonly Address[] = [];
      try {
        await stored();
        quotedIn = await findTokensQuotedIn(client, mints);
        failed = 0;
      } catch (error) {
        failed += 1;
        if (failed === 1) log.warn({ err: String(error) }, 'tokens that were read cannot be told of yet; tried again');
        if (failed < MAX_TRIES && waiting.size < MAX_WAITING) return;
      }
      waiting.clear();
      changed([...new Set([...mints, ...quotedIn])]);
    },
  };
}
