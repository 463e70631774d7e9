import type { Migration } from '../migration.ts';

/**
 * Every write of a lease moves its end, so that an index of the ends is written as often as the leases themselves. Ended
 * ones are looked for once a minute, among as many as there are pools in use: reading all of those takes a millisecond.
 */
export const leaseEndsWithoutIndex: Migration = async (db) => {
  await db.schema.dropIndex('leases_by_end').execute();
};
