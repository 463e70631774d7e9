import type { ListOwner } from '../../accounts/lists/list-owner.ts';
import type { Done } from '../contract/resources/lists.ts';
import { accountOf, ownerOf } from '../plugins/caller.ts';
import type { Call } from '../plugins/serve-route.ts';

/** The wallet that asks, its account, and the key that it asks with. */
export function listOwnerOf(call: Pick<Call, 'keyHolder' | 'sessionHolder'>): ListOwner {
  const wallet = ownerOf(call);
  return { accountId: accountOf(call).accountId, wallet, keyId: call.keyHolder?.id };
}

/** A resource as bytes; undefined stays undefined, which answers with what the contract calls absent. */
export async function bodyOf<T extends object>(resource: Promise<T | undefined>): Promise<Buffer | undefined> {
  const found = await resource;
  return found === undefined ? undefined : Buffer.from(JSON.stringify(found));
}

/** Rows as `{data: […]}`. */
export async function listBody(rows: Promise<readonly object[]>): Promise<Buffer> {
  return Buffer.from(JSON.stringify({ data: await rows }));
}

const DONE = Buffer.from(JSON.stringify({ ok: true } satisfies Done));

/** `{ok: true}`; undefined when there was nothing to do it to. */
export async function doneBody(done: Promise<boolean>): Promise<Buffer | undefined> {
  return (await done) ? DONE : undefined;
}
