import type { Address } from '../chain/address.ts';

/** Rows of several mints, by their mint. */
export function byMint<T extends { readonly mint: Address | '' }>(rows: readonly T[]): ReadonlyMap<Address | '', T[]> {
  const groups = new Map<Address | '', T[]>();
  for (const row of rows) {
    const group = groups.get(row.mint);
    if (group === undefined) groups.set(row.mint, [row]);
    else group.push(row);
  }
  return groups;
}
