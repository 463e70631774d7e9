/**
 * Short strings recur (an event's `ix_name` is one of a handful), and making a
 * string costs more than comparing a few bytes: the ones seen last are kept.
 */
const SHORT_TEXT_BYTES = 24;
const KEPT_TEXTS = 256;

const keptBytes = new Uint8Array(KEPT_TEXTS * SHORT_TEXT_BYTES);
const keptLengths = new Int32Array(KEPT_TEXTS).fill(-1);
const keptTexts: string[] = new Array(KEPT_TEXTS).fill('');

/** Malformed UTF-8 becomes U+FFFD, as on chain nothing checks it again. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The UTF-8 text in `length` bytes at `offset`. */
export function readText(bytes: Uint8Array, offset: number, length: number): string {
  if (length === 0) return '';
  if (length > SHORT_TEXT_BYTES) return utf8.decode(bytes.subarray(offset, offset + length));
  let hash = length;
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + bytes[offset + i]!) | 0;
  const slot = hash & (KEPT_TEXTS - 1);
  const kept = slot * SHORT_TEXT_BYTES;
  if (keptLengths[slot] === length) {
    let same = 0;
    while (same < length && keptBytes[kept + same] === bytes[offset + same]) same++;
    if (same === length) return keptTexts[slot]!;
  }
  const text = utf8.decode(bytes.subarray(offset, offset + length));
  for (let i = 0; i < length; i++) keptBytes[kept + i] = bytes[offset + i]!;
  keptLengths[slot] = length;
  keptTexts[slot] = text;
  return text;
}
