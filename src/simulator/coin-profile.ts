import { createHash } from 'node:crypto';

/** Name of a coin and kind of its document: a function of the chain's seed and the coin's number. */
export interface CoinProfile {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly document: DocumentKind;
}

/** `broken` is no JSON; `gone` is an error of the host; `none` is a coin with an empty URI. */
export type DocumentKind = 'full' | 'sparse' | 'broken' | 'gone' | 'none';

const FIRST =
  'Doge Pepe Moon Giga Turbo Sad Based Tiny Royal Quantum Lazy Cosmic Angry Golden Feral Neon Spicy Frozen'.split(' ');
const SECOND =
  'Cat Frog Hat Rocket Goose Bonk Wizard Pigeon Noodle Shark Panda Toast Capybara Goblin Robot Ape Otter Duck'.split(
    ' ',
  );

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** Characters at the end of a content id that hold the coin's number, so that a document can be found by its URI. */
const NUMBER_CHARS = 8;
const HASH_CHARS = 44;
const GATEWAY = 'https://ipfs.io/ipfs/';
const PREFIX = 'bafkrei';

/** Numbers from here on are those of copies. */
export const FIRST_COPY = 2 ** 39;

export function coinProfile(seed: string, number: number): CoinProfile {
  const hash = hashOf(`${seed}/coin/${number}`);
  const first = FIRST[hash[0]! % FIRST.length]!;
  const second = SECOND[hash[1]! % SECOND.length]!;
  const document = documentKind(hash[2]!);
  return {
    name: hash[3]! < 40 ? `${first} ${second} 🚀` : `${first} ${second}`,
    symbol: `${first.slice(0, 3)}${second.slice(0, 4)}`.toUpperCase(),
    uri: document === 'none' ? '' : documentUri(hash, number),
    document,
  };
}

/** The URI of a document whose content has this hash. */
export function documentUri(hash: Uint8Array, number: number): string {
  return `${GATEWAY}${PREFIX}${base32(hash)}${encodeNumber(number)}`;
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Link to the post of a coin whose document has one; undefined for the others. */
export function coinPost(seed: string, number: number): string | undefined {
  const { symbol, document } = coinProfile(seed, number);
  if (document !== 'full' || number % 3 !== 0) return undefined;
  return `https://x.com/${symbol.toLowerCase()}/status/${1_900_000_000_000 + number}`;
}

/** Of 256: most documents are whole, some say little, a few are damaged or missing. */
function documentKind(byte: number): DocumentKind {
  if (byte < 190) return 'full';
  if (byte < 220) return 'sparse';
  if (byte < 232) return 'broken';
  return byte < 250 ? 'gone' : 'none';
}

/** The number of the coin that a URI belongs to; undefined for any other URI. */
export function coinNumber(uri: string): number | undefined {
  if (!uri.startsWith(GATEWAY + PREFIX)) return undefined;
  let number = 0;
  for (const char of uri.slice(-NUMBER_CHARS)) {
    const digit = BASE32.indexOf(char);
    if (digit < 0) return undefined;
    number = number * BASE32.length + digit;
  }
  return number;
}

function encodeNumber(number: number): string {
  let text = '';
  for (let rest = number, place = 0; place < NUMBER_CHARS; place++) {
    text = BASE32[rest % BASE32.length]! + text;
    rest = Math.floor(rest / BASE32.length);
  }
  return text;
}

function base32(hash: Uint8Array): string {
  let text = '';
  for (let at = 0; at < HASH_CHARS; at++) text += BASE32[(hash[at % hash.length]! + at) % BASE32.length];
  return text;
}
