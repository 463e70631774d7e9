import type { Done } from '../contract/scalars.ts';

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
