import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';
import type { SecretBox } from './secret-box.ts';

/** One step of the accounts database, in a transaction with its mark. `adoptKey` gets what secrets are sealed with, for a step that finds some. */
export type Migration = (
  db: Kysely<AccountsSchema>,
  engine: Engine,
  clock: Clock,
  adoptKey: () => Promise<SecretBox>,
) => Promise<void>;
