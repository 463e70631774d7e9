import type { Selectable } from 'kysely';
import type { RateLimit } from '../../handlers/caller.ts';
import type { ApiKeysTable } from '../../store/accounts-db/schema.ts';
import type { KeyResource } from '../contract-shapes.ts';
import { rateOf } from './stored-keys.ts';

/** Columns of a key that are read to show it. */
export const SHOWN_COLUMNS = [
  'id',
  'name',
  'prefix',
  'state',
  'created_at',
  'last_used_at',
  'budget',
  'rps',
  'burst',
  'suspended_by',
] as const;

export type ShownKey = Pick<Selectable<ApiKeysTable>, (typeof SHOWN_COLUMNS)[number]>;

/** A key as its owner sees it, under the plan of its account. */
export function toKeyResource(row: ShownKey, plan: RateLimit): KeyResource {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    state: row.state,
    created_at: new Date(row.created_at).toISOString(),
    ...(row.last_used_at === null ? {} : { last_used_at: new Date(row.last_used_at).toISOString() }),
    pool: row.budget === null ? 'general' : 'dedicated',
    rate_limit: rateOf(row, plan),
    ...(row.budget === null ? {} : { budget: row.budget }),
  };
}
