import type { Address } from '../address.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { RadixTable } from './radix-table.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Five base58 digits at a time: 58^5 is the largest power below 2^30. */
const LIMB_DIGITS = 5;
const LIMB = 58 ** LIMB_DIGITS;
/** Two bytes at a time: 2^16 * 58^5 leaves room for 64 sums below 2^53. */
const WORD = 65_536;

/** Longest text and bytes that go through the tables in one piece; longer ones go in pieces. */
const PIECE_CHARS = 1_600;
const PIECE_BYTES = 1_170;
/** Longest text decoded at all: 10 KiB of instruction data, the largest the chain allows, has 13,985 digits. */
const MAX_CHARS = 14_000;
const MAX_BYTES = 10_240;

const ADDRESS_BYTES = 32;
const ADDRESS_MIN_CHARS = 32;
const ADDRESS_MAX_CHARS = 44;

const toLimbs = new RadixTable(WORD, LIMB);
const toWords = new RadixTable(LIMB, WORD);

// Scratch: everything here is synchronous, so one set of columns serves all calls.
const words = new Float64Array(PIECE_BYTES / 2 + 8);
const limbs = new Float64Array(PIECE_CHARS / LIMB_DIGITS + 8);
const chars = Buffer.alloc(limbs.length * LIMB_DIGITS);

const ONE = ALPHABET.charCodeAt(0);
const DIGIT_CHAR = Uint8Array.from(ALPHABET, (char) => char.charCodeAt(0));
/** The two characters of 0 … 58^2-1, the earlier one in the low byte. */
const PAIR_CHARS = Uint16Array.from({ length: 58 * 58 }, (_, pair) => {
  return DIGIT_CHAR[Math.floor(pair / 58)]! | (DIGIT_CHAR[pair % 58]! << 8);
});
/** Value of a character code that is no base58 digit. */
const NO_DIGIT = 255;
const CHAR_DIGIT = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < 58; digit++) CHAR_DIGIT[DIGIT_CHAR[digit]!] = digit;

/** Base58 of any bytes, up to 10 KiB. Throws a RangeError beyond. */
export function encodeBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new RangeError(`base58: ${bytes.length} bytes are more than ${MAX_BYTES}`);
  return bytes.length <= PIECE_BYTES ? encodePiece(bytes, 0, bytes.length) : encodeLong(bytes);
}

/** The address held in 32 bytes at `offset`. */
export function encodeAddress(bytes: Uint8Array, offset = 0): Address {
  if (offset < 0 || offset + ADDRESS_BYTES > bytes.length) throw new RangeError('an address has 32 bytes');
  return encodePiece(bytes, offset, offset + ADDRESS_BYTES) as Address;
}

/** Base58 of a 64-byte signature. */
export function encodeSignature(bytes: Uint8Array): string {
  if (bytes.length !== 64) throw new RangeError('a signature has 64 bytes');
  return encodePiece(bytes, 0, 64);
}

/** The bytes of a base58 text. Throws MalformedWire for other characters and for more than 14,000 of them. */
export function decodeBase58(text: string): Uint8Array {
  if (text.length > MAX_CHARS) throw new MalformedWire(`base58: ${text.length} characters are more than ${MAX_CHARS}`);
  const zeros = leadingOnes(text);
  if (text.length <= PIECE_CHARS) {
    const count = loadWords(text, 0, text.length);
    const length = wordBytes(count);
    const bytes = new Uint8Array(zeros + length);
    storeWords(bytes, length);
    return bytes;
  }
  return decodeLong(text, zeros);
}

/** The address that `text` spells, or undefined when it is not base58 of exactly 32 bytes. */
export function parseAddress(text: string): Address | undefined {
  if (text.length < ADDRESS_MIN_CHARS || text.length > ADDRESS_MAX_CHARS) return undefined;
  for (let i = 0; i < text.length; i++) if (!isDigit(text.charCodeAt(i))) return undefined;
  const length = wordBytes(loadWords(text, 0, text.length));
  return leadingOnes(text) + length === ADDRESS_BYTES ? (text as Address) : undefined;
}

function encodePiece(bytes: Uint8Array, start: number, end: number): string {
  let zeros = 0;
  while (start + zeros < end && bytes[start + zeros] === 0) zeros++;
  let count = 0;
  let at = end - 1;
  for (; at > start; at -= 2) words[count++] = (bytes[at - 1]! << 8) | bytes[at]!;
  if (at === start) words[count++] = bytes[at]!;
  const limbCount = toLimbs.convert(words, count, limbs);
  const length = writeChars(limbCount);
  let first = 0;
  while (first < length && chars[first] === ONE) first++;
  // The leading zero digits of the columns, of which there are more than bytes, double as the ones for zero bytes.
  return chars.toString('latin1', first - zeros, length);
}

/** Writes the digits of the limbs, most significant first, and returns how many. */
function writeChars(limbCount: number): number {
  let at = 0;
  for (let i = limbCount - 1; i >= 0; i--) {
    const limb = limbs[i]! | 0;
    const high = (limb / 3364) | 0;
    const low = PAIR_CHARS[limb - high * 3364]!;
    const top = (high / 3364) | 0;
    const middle = PAIR_CHARS[high - top * 3364]!;
    chars[at] = DIGIT_CHAR[top]!;
    chars[at + 1] = middle & 255;
    chars[at + 2] = middle >> 8;
    chars[at + 3] = low & 255;
    chars[at + 4] = low >> 8;
    at += LIMB_DIGITS;
  }
  return at;
}

function isDigit(code: number): boolean {
  return code < 128 && CHAR_DIGIT[code] !== NO_DIGIT;
}

function leadingOnes(text: string): number {
  let ones = 0;
  while (ones < text.length && text.charCodeAt(ones) === ONE) ones++;
  return ones;
}

/** Converts text[start, end) into `words` and returns their count. */
function loadWords(text: string, start: number, end: number): number {
  let count = 0;
  let stop = end;
  for (; stop - start >= LIMB_DIGITS; stop -= LIMB_DIGITS) {
    let limb = digitAt(text, stop - 5);
    limb = limb * 58 + digitAt(text, stop - 4);
    limb = limb * 58 + digitAt(text, stop - 3);
    limb = limb * 58 + digitAt(text, stop - 2);
    limbs[count++] = limb * 58 + digitAt(text, stop - 1);
  }
  if (stop > start) {
    let limb = 0;
    for (let i = start; i < stop; i++) limb = limb * 58 + digitAt(text, i);
    limbs[count++] = limb;
  }
  return toWords.convert(limbs, count, words);
}

function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const digit = code < 128 ? CHAR_DIGIT[code]! : NO_DIGIT;
  if (digit === NO_DIGIT) throw new MalformedWire(`base58: character ${index} is not a digit`);
  return digit;
}

/** Bytes needed for `words`, without leading zeros. */
function wordBytes(count: number): number {
  let used = count;
  while (used > 0 && words[used - 1] === 0) used--;
  return used === 0 ? 0 : used * 2 - (words[used - 1]! < 256 ? 1 : 0);
}

/** Writes the low `length` bytes of `words` to the end of `bytes`. */
function storeWords(bytes: Uint8Array, length: number): void {
  let at = bytes.length;
  for (let i = 0; i * 2 < length; i++) {
    const word = words[i]!;
    bytes[--at] = word & 255;
    if (i * 2 + 1 < length) bytes[--at] = word >> 8;
  }
}

/**
 * Texts past the tables are rare (memos, oversized calls): their pieces are
 * put together as one bigint, which keeps the cost far from quadratic steps in
 * script.
 */
function decodeLong(text: string, zeros: number): Uint8Array {
  let value = 0n;
  for (let start = 0; start < text.length; start += PIECE_CHARS) {
    const end = Math.min(start + PIECE_CHARS, text.length);
    const length = wordBytes(loadWords(text, start, end));
    const piece = Buffer.alloc(length);
    storeWords(piece, length);
    value = value * 58n ** BigInt(end - start) + BigInt(`0x0${piece.toString('hex')}`);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const tail = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const bytes = new Uint8Array(zeros + tail.length);
  bytes.set(tail, zeros);
  return bytes;
}

function encodeLong(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  let value = BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`);
  const divisor = 58n ** BigInt(LONG_DIGITS);
  let text = '';
  while (value > 0n) {
    const hex = (value % divisor).toString(16);
    const piece = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
    value /= divisor;
    const digits = encodePiece(piece, 0, piece.length).replace(/^1+/, '');
    text = (value > 0n ? digits.padStart(LONG_DIGITS, '1') : digits) + text;
  }
  return '1'.repeat(zeros) + text;
}

/** Digits per piece of a long encoding: fewer bytes than a piece may have. */
const LONG_DIGITS = 1_500;
