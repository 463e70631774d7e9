import type { Address } from '../../chain/address.ts';

/**
 * Certainty of an entry: `high` an official document or two independent lists, `medium` one curated list, `low` a
 * single or conflicting note.
 */
export type Confidence = 'high' | 'medium' | 'low';

/**
 * Rows of a data file. JSON modules have no branded or literal types: this is
 * the one place that says which type the rows of a file have, and a test holds
 * every row to it.
 */
export function entriesOf<T>(file: { readonly entries: readonly object[] }): readonly T[] {
  return file.entries as readonly unknown[] as readonly T[];
}

/** Rows of a data file by their address. Throws when an address is listed twice. */
export function indexEntries<T>(rows: readonly T[], key: (row: T) => Address): ReadonlyMap<Address, T> {
  const index = new Map(rows.map((row) => [key(row), row]));
  if (index.size !== rows.length) throw new Error('a registry file lists an address twice');
  return index;
}

/** The rows that are sure enough to be told as facts: a wrong name is worse than none. */
export function trustedRows<T extends { readonly confidence: Confidence }>(rows: readonly T[]): readonly T[] {
  return rows.filter((row) => row.confidence !== 'low');
}
