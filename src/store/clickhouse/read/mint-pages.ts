import type { Address } from '../../../chain/address.ts';
import { addressBytes } from '../../../chain/keys/address-table.ts';
import { type StoreClient, streamRows } from '../client.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';

/** Some 64 MB, which the server keeps until we have them. Far more than the rows of a mint in one slot. */
export const PAGE_ROWS = 500_000;
/** Beside live flushes: one core at most. */
export const QUIET = 'SETTINGS max_threads = 1';
const NO_ADDRESS = '00'.repeat(32);

interface OfMint {
  readonly mint: Address;
  readonly slot: number;
}

/** A query whose rows come by mint in the order of bytes, and by place. */
export interface MintPages<T extends TableLayout, R extends OfMint> {
  readonly layout: T;
  /** The SELECT of rows that meet a condition, of which the first so many in order are enough. */
  readonly select: (where: string, limit: number) => string;
  readonly order: string;
  readonly convert: (row: RowOf<T>) => R;
  readonly pageRows?: number;
}

/**
 * All rows of some mints, a mint after the other in the order of bytes, each in order of place. In pieces that end
 * with a mint or a slot; neither side ever holds more than a page.
 */
export async function* streamMintPages<const T extends TableLayout, R extends OfMint>(
  client: StoreClient,
  /** SQL for the mints that are asked for. */
  condition: string,
  { layout, select, order, convert, pageRows = PAGE_ROWS }: MintPages<T, R>,
): AsyncGenerator<R[]> {
  let behind = '';
  for (;;) {
    const query = `${select(`${condition} ${behind}`, pageRows)} ORDER BY ${order} LIMIT ${pageRows} ${QUIET}`;
    let rowsRead = 0;
    // A page may end within a slot, whose rows may even stand at one place: its last slot is left to the next page.
    let lastSlot: R[] = [];
    for await (const rows of streamRows(client, layout, query)) {
      rowsRead += rows.length;
      const found = [...lastSlot, ...rows.map(convert)];
      const { mint, slot } = found.at(-1)!;
      const end = found.findLastIndex((each) => each.mint !== mint || each.slot !== slot) + 1;
      if (end > 0) yield found.slice(0, end);
      lastSlot = found.slice(end);
    }
    const [first] = lastSlot;
    if (rowsRead < pageRows || first === undefined) {
      if (lastSlot.length > 0) yield lastSlot;
      return;
    }
    // A comparison of tuples would not be looked up in the order of the table, and each page go through all before it.
    const mint = literal(first.mint);
    behind = `AND mint >= ${mint} AND (mint > ${mint} OR slot >= ${first.slot})`;
  }
}

/** A condition for these mints. */
export function ofMints(mints: readonly Address[]): string {
  return `mint IN (${literals(mints)})`;
}

/** Of the first two bytes of mints, by which they are told apart. */
export const PREFIXES = 65_536;

/** A condition for mints by these, a range of the order that tables have; no bound above all of them. */
export function ofPrefixes(first: number, end: number): string {
  const bound = (at: number) => `toFixedString(unhex('${at.toString(16).padStart(4, '0')}${'00'.repeat(30)}'), 32)`;
  return `mint >= ${bound(first)}${end < PREFIXES ? ` AND mint < ${bound(end)}` : ''}`;
}

export function literals(mints: readonly Address[]): string {
  return mints.map(literal).join(', ');
}

/** An address as SQL, 32 zero bytes for none. */
export function literal(address: Address | '' | undefined): string {
  const hex = address ? Buffer.from(addressBytes(address)).toString('hex') : NO_ADDRESS;
  return `toFixedString(unhex('${hex}'), 32)`;
}
