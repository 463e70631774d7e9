import type { Body } from '../../src/books/body-cache.ts';
import { Absence } from '../../src/contract/stamp.ts';

/** The bytes of an answer; undefined where nothing is known of what was asked. */
export async function told(body: Body): Promise<Buffer | undefined> {
  const bytes = await body;
  return bytes instanceof Absence ? undefined : bytes;
}
