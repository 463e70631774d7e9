import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';

/** One step of the accounts database, in a transaction with its mark. */
export type Migration = (db: Kysely<AccountsSchema>, engine: Engine, clock: Clock) => Promise<void>;
