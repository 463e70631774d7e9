import { join } from 'node:path';
import { createApiKey, hashApiKey } from '../../src/accounts/keys/api-key.ts';
import type { AccountState, KeyState } from '../../src/contract/states.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Random } from '../../src/simulator/random.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { createWallet, type TestWallet } from '../support/wallets.ts';

/** A key that was put into the database before the service started. */
export interface WorldKey {
  readonly id: number;
  readonly text: string;
  readonly state: KeyState;
}

export interface WorldAccount {
  readonly id: number;
  /** Undefined for the operator's own. */
  readonly wallet: TestWallet | undefined;
  readonly state: AccountState;
  readonly keys: readonly WorldKey[];
}

/** Accounts of every kind, as they are before anything is asked. */
export interface World {
  readonly operator: WorldAccount;
  /** Wallets with lists, streams and keys of their own, who act against each other. */
  readonly owners: readonly WorldAccount[];
  /** Active accounts whose keys carry the bulk of what is asked. */
  readonly payers: readonly WorldAccount[];
  /** One key revoked, one suspended. */
  readonly lamed: WorldAccount;
  readonly suspended: WorldAccount;
  readonly banned: WorldAccount;
  readonly notReady: WorldAccount;
  /** Not a credit left. */
  readonly exhausted: WorldAccount;
  /** Some credits, which soon are none. */
  readonly poor: WorldAccount;
}

interface Wish {
  readonly state?: AccountState;
  readonly credits?: number;
  readonly keys?: readonly KeyState[];
  readonly hasWallet?: boolean;
}

const OWNERS = 6;
const PAYERS = 12;
/** Of ten: the rest is for keys that are made and taken away. */
const KEYS_OF_OWNER = 5;
const KEYS_OF_PAYER = 10;
const AMPLE_CREDITS = 50_000_000;
const FEW_CREDITS = 200;

/** Writes accounts into an empty data folder. Wallets and keys are those of the seed. */
export async function createWorld(dataDir: string, random: Random): Promise<World> {
  const accounts = await openAccountsDatabase({
    url: undefined,
    path: join(dataDir, 'accounts.db'),
    clock: systemClock,
  });
  try {
    const create = (wish: Wish) => createAccount(accounts, random, wish);
    const active = (count: number) => Array.from({ length: count }, (): KeyState => 'active');
    const several = async (count: number, wish: Wish) => {
      const list: WorldAccount[] = [];
      for (let made = 0; made < count; made += 1) list.push(await create(wish));
      return list;
    };
    return {
      operator: await create({ hasWallet: false, keys: active(KEYS_OF_PAYER) }),
      owners: await several(OWNERS, { keys: active(KEYS_OF_OWNER) }),
      payers: await several(PAYERS, { keys: active(KEYS_OF_PAYER) }),
      lamed: await create({ keys: ['active', 'suspended', 'revoked'] }),
      suspended: await create({ state: 'suspended' }),
      banned: await create({ state: 'banned' }),
      notReady: await create({ state: 'not_ready' }),
      exhausted: await create({ credits: 0 }),
      poor: await create({ credits: FEW_CREDITS }),
    };
  } finally {
    await accounts.close();
  }
}

async function createAccount({ db }: AccountsDatabase, random: Random, wish: Wish): Promise<WorldAccount> {
  const { state = 'active', credits = AMPLE_CREDITS, keys = ['active'], hasWallet = true } = wish;
  const wallet = hasWallet ? createWallet(random.bytes(32)) : undefined;
  const at = systemClock.now();
  const plan = hasWallet ? 'trial' : 'operator';
  const values = { wallet: wallet?.address ?? null, state, plan, created_at: at, reset_at: null };
  const { id } = await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow();
  const made: WorldKey[] = [];
  for (const keyState of keys) {
    const text = createApiKey(random.bytes(32));
    const row = await db
      .insertInto('api_keys')
      .values({
        account_id: id,
        name: `key ${made.length + 1}`,
        hash: hashApiKey(text),
        prefix: text.slice(0, 12),
        state: keyState,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    made.push({ id: row.id, text, state: keyState });
  }
  const pool = { account_id: id, key_id: null, balance: credits, capacity: credits, leased: 0 };
  const { id: poolId } = await db.insertInto('pools').values(pool).returning('id').executeTakeFirstOrThrow();
  if (credits > 0) {
    const entry = { pool_id: poolId, account_id: id, kind: 'grant' as const, amount: credits, at, reference: 'world' };
    await db.insertInto('ledger').values(entry).execute();
  }
  return { id, wallet, state, keys: made };
}
