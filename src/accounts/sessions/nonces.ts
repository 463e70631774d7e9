import { randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../chain/keys/base58.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { IssuedNonce } from './sign-in-check.ts';

/** Milliseconds that a message waits for its signature. */
export const NONCE_MS = 300_000;
/** Nonces kept at once, in all processes together. */
const MAX_NONCES = 50_000;
/** Nonces that one process gives out between two looks at how many there are. */
const LOOK_EVERY = 128;
const NONCE_BYTES = 16;

type Database = Pick<AccountsDatabase, 'db'>;

export interface Nonces {
  issue(wallet: string): Promise<IssuedNonce>;
  /** Takes a nonce away, whatever comes of it: of several who try it, one gets it. Undefined when it is unknown, used, another wallet's or expired. */
  take(nonce: string, wallet: string): Promise<IssuedNonce | undefined>;
}

export interface NoncesOptions extends Database {
  readonly clock: Pick<Clock, 'now'>;
  readonly capacity?: number;
}

/**
 * Nonces are given to anybody who asks, so there is a bound: beyond it the oldest
 * go. Refusing new ones instead would let a few strangers keep everybody out for
 * as long as a nonce lives.
 */
export function createNonces({ db, clock, capacity = MAX_NONCES }: NoncesOptions): Nonces {
  let sinceLook = 0;
  const lookEvery = Math.min(LOOK_EVERY, capacity);

  async function bound(now: number): Promise<void> {
    await sweepNonces({ db }, now);
    await db
      .deleteFrom('nonces')
      .where('nonce', 'in', (query) =>
        query
          .selectFrom('nonces')
          .select('nonce')
          .orderBy('expires_at', 'desc')
          .orderBy('nonce')
          .limit(MAX_NONCES)
          .offset(capacity),
      )
      .execute();
  }

  return {
    async issue(wallet) {
      const now = clock.now();
      sinceLook += 1;
      if (sinceLook >= lookEvery) {
        sinceLook = 0;
        await bound(now);
      }
      const nonce = encodeBase58(randomBytes(NONCE_BYTES));
      const expiresAt = now + NONCE_MS;
      await db.insertInto('nonces').values({ nonce, wallet, expires_at: expiresAt }).execute();
      return { nonce, wallet, expiresAt };
    },
    async take(nonce, wallet) {
      const taken = await db.deleteFrom('nonces').where('nonce', '=', nonce).returningAll().executeTakeFirst();
      if (taken === undefined || taken.wallet !== wallet || taken.expires_at <= clock.now()) return undefined;
      return { nonce, wallet, expiresAt: taken.expires_at };
    },
  };
}

/** Forgets nonces that nobody can use any more. There are never many: they are bounded. */
export async function sweepNonces({ db }: Database, now: number): Promise<void> {
  await db.deleteFrom('nonces').where('expires_at', '<=', now).execute();
}
