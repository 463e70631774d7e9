import type { LayoutTable } from './layout.ts';
import { readWord } from './little-endian.ts';

/** Bytes that Anchor writes before the discriminator of a self-CPI event. */
export const EVENT_TAG = 'e445a52e51cb9a1d';

/** Length in bytes of a discriminator, and of the tag before an event's. */
export const DISCRIMINATOR_BYTES = 8;

/** Half of a discriminator given as hex digits: 0 is its first four bytes, 1 its last. */
export function discriminatorWord(hex: string, half: 0 | 1): number {
  const digits = hex.slice(half * 8, half * 8 + 8).match(/../g) ?? [];
  return Number.parseInt(digits.reverse().join(''), 16);
}

/** Hex digits of the discriminator at `offset`, for the journal. */
export function discriminatorText(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.subarray(offset, offset + DISCRIMINATOR_BYTES)).toString('hex');
}

interface Entry<T> {
  readonly high: number;
  readonly value: T;
}

/** Look-up by the discriminator in the bytes, without allocation: first half as key, second half checked. */
export class DiscriminatorMap<T> {
  readonly #entries = new Map<number, Entry<T>>();

  static of<T>(table: LayoutTable, make: (name: string) => T): DiscriminatorMap<T> {
    const map = new DiscriminatorMap<T>();
    for (const [name, layout] of Object.entries(table)) map.add(layout.discriminator, make(name));
    return map;
  }

  add(discriminator: string, value: T): void {
    // Signed, so that the engine keeps the keys as small integers.
    const low = discriminatorWord(discriminator, 0) | 0;
    if (this.#entries.has(low)) throw new Error(`two layouts share the first half of ${discriminator}`);
    this.#entries.set(low, { high: discriminatorWord(discriminator, 1), value });
  }

  find(bytes: Uint8Array, offset: number): T | undefined {
    if (bytes.length < offset + DISCRIMINATOR_BYTES) return undefined;
    const entry = this.#entries.get(readWord(bytes, offset) | 0);
    return entry !== undefined && entry.high === readWord(bytes, offset + 4) ? entry.value : undefined;
  }
}
