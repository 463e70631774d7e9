import type { Body } from '../../books/body-cache.ts';
import { quoteJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';

/** Snapshots that are made at the same time: one that is not in memory takes several reads of the store. */
const AT_ONCE = 10;

/** `{"data":[snapshots],"missing":[mints]}`, both in the order of the mints. */
export async function batchBody(mints: readonly Address[], snapshot: (mint: Address) => Body): Promise<Buffer> {
  const parts: Buffer[] = [];
  const missing: Address[] = [];
  for (let first = 0; first < mints.length; first += AT_ONCE) {
    const some = mints.slice(first, first + AT_ONCE);
    const bodies = await Promise.all(some.map((mint) => snapshot(mint)));
    for (const [at, body] of bodies.entries()) {
      if (body === undefined) missing.push(some[at]!);
      else parts.push(parts.length === 0 ? OPEN : COMMA, body);
    }
  }
  if (parts.length === 0) parts.push(OPEN);
  return Buffer.concat([...parts, Buffer.from(`],"missing":[${missing.map(quoteJson)}]}`)]);
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');
