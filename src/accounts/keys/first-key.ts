import type { Transaction } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { insertKey } from './insert-key.ts';

const FIRST_KEY_NAME = 'first';

/** A key of the operator's account for whoever starts the service first; undefined when there are keys already, of whomever. The transaction holds that account. */
export async function createFirstKey(
  transaction: Transaction<AccountsSchema>,
  accountId: number,
  clock: Pick<Clock, 'now'>,
): Promise<string | undefined> {
  const any = await transaction.selectFrom('api_keys').select('id').limit(1).executeTakeFirst();
  if (any !== undefined) return undefined;
  return (await insertKey(transaction, { accountId, name: FIRST_KEY_NAME, actor: 'service' }, clock)).text;
}
