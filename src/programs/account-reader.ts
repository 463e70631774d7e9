import type { DataOf, Layout } from './layout.ts';
import { LayoutCursor } from './layout-cursor.ts';
import { compileReader } from './layout-reader.ts';
import { discriminatorBytes } from './layout-writer.ts';

/** Undefined for data that are no such account: another discriminator, or an end before the first generation's. */
export type AccountReader<T> = (data: Uint8Array) => T | undefined;

/**
 * A reader of account data. Accounts are told by their owner first, which is
 * for the caller to check. They grow lazily, so that later fields may be
 * missing; and they are allocated longer than their fields, so that bytes
 * behind the last one mean nothing.
 */
export function compileAccountReader<const L extends Layout>(layout: L): AccountReader<DataOf<L>> {
  const read = compileReader(layout);
  const discriminator = discriminatorBytes(layout.discriminator);
  const cursor = new LayoutCursor();
  return (data) => {
    if (data.length < discriminator.length) return undefined;
    if (discriminator.some((byte, index) => data[index] !== byte)) return undefined;
    return read(cursor.open(data, discriminator.length));
  };
}
