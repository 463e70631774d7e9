import type { Address } from '../address.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { writeAddress } from './address-words.ts';
import { decodeBase58, encodeAddress } from './base58.ts';
import { InternTable } from './intern-table.ts';

/** The same few thousand keys (programs, mints, vaults, bots) fill every block: 131,072 of them take about 14 MB. */
const KEY_PLACES = 1 << 17;
/** Mints and owners of token balances come as text. */
const TEXT_PLACES = 1 << 16;
const TEXT_MIN_BYTES = 32;
const TEXT_MAX_BYTES = 44;

const keyTable = new InternTable(KEY_PLACES, 32, encodeAddress);
const textTable = new InternTable(TEXT_PLACES, TEXT_MAX_BYTES, (bytes, offset, length) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString('latin1');
  return internAddress(decodeAddress(text), 0);
});

/** The shared string of the address in 32 bytes at `offset`. Throws MalformedWire when they are not there. */
export function internAddress(bytes: Uint8Array, offset: number): Address {
  if (offset < 0 || offset + 32 > bytes.length) throw new MalformedWire('an address reaches past its bytes');
  return keyTable.intern(bytes, offset, 32);
}

/** The shared string of the address whose base58 text is in bytes[offset, offset + length). Throws MalformedWire. */
export function internAddressText(bytes: Uint8Array, offset: number, length: number): Address {
  if (length < TEXT_MIN_BYTES || length > TEXT_MAX_BYTES || offset < 0 || offset + length > bytes.length) {
    throw new MalformedWire(`an address text of ${length} bytes`);
  }
  const address = textTable.intern(bytes, offset, length);
  // The table takes a text with zero bytes behind it for the text alone.
  if (address.length !== length) throw new MalformedWire('an address text that ends in zero bytes');
  return address;
}

/** The 32 bytes of an address, for whoever needs them now and then. Throws MalformedWire when the text is not one. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = new Uint8Array(32);
  writeAddress(address, new DataView(bytes.buffer), 0);
  return bytes;
}

function decodeAddress(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes.length !== 32) throw new MalformedWire(`an address of ${bytes.length} bytes`);
  return bytes;
}
