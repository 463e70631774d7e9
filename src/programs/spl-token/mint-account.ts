import { compileAccountReader } from '../account-reader.ts';
import type { LayoutTable } from '../layout.ts';
import type { TokenNames } from '../metaplex/accounts.ts';

/** The mint account of both token programs, and what Token-2022 may append to it. Neither has a discriminator. */
export const MINT_LAYOUTS = {
  Mint: {
    discriminator: '',
    fields: {
      /** 1 when there is a mint authority; its key means nothing otherwise. */
      hasMintAuthority: 'u32',
      mintAuthority: 'address',
      supply: 'u64',
      decimals: 'u8',
      isInitialized: 'bool',
      hasFreezeAuthority: 'u32',
      freezeAuthority: 'address',
    },
  },
  /** An extension's value; further key-value pairs may follow. */
  TokenMetadata: {
    discriminator: '',
    fields: { updateAuthority: 'address', mint: 'address', name: 'string', symbol: 'string', uri: 'string' },
  },
} as const satisfies LayoutTable;

export interface MintAccount {
  /** Raw units. */
  readonly supply: bigint;
  readonly decimals: number;
  /** Of a Token-2022 mint that carries its own metadata. */
  readonly names: TokenNames | undefined;
  /** Of a Token-2022 mint whose amounts are shown scaled; unknown where its bytes end before they tell. */
  readonly scaling: AmountScaling | 'unknown' | undefined;
}

/**
 * How many units are shown for a whole token: of a tokenized share, how many shares it stands for. No balance changes with
 * it. As the account has it: nobody has judged the numbers.
 */
export interface AmountScaling {
  readonly multiplier: number;
  /** Holds from a time on, Unix seconds. */
  readonly nextMultiplier: number;
  readonly nextFrom: bigint;
}

/** Token accounts have this length, and extended mints the kind of account behind it, so that no length is both. */
const ACCOUNT_TYPE_OFFSET = 165;
const MINT_BYTES = 82;
const ACCOUNT_TYPE_MINT = 1;
const EXTENSION_HEADER_BYTES = 4;
const TOKEN_METADATA_EXTENSION = 19;
const SCALED_UI_AMOUNT_EXTENSION = 25;
/** An authority, a multiplier, a time and the multiplier from then on. */
const SCALED_UI_AMOUNT_BYTES = 56;
const AUTHORITY_BYTES = 32;

const readBase = compileAccountReader(MINT_LAYOUTS.Mint);
const readExtension = compileAccountReader(MINT_LAYOUTS.TokenMetadata);

/**
 * Of an account that a token program owns; undefined for token accounts and mints that are not initialised. `isCut` when
 * there may be more of it than `data`.
 */
export function readMint(data: Uint8Array, { isCut = false } = {}): MintAccount | undefined {
  const isExtended = data.length > ACCOUNT_TYPE_OFFSET && data[ACCOUNT_TYPE_OFFSET] === ACCOUNT_TYPE_MINT;
  if (data.length !== MINT_BYTES && !isExtended) return undefined;
  const base = readBase(data);
  if (base === undefined || !base.isInitialized) return undefined;
  const extension = isExtended ? findExtension(data, TOKEN_METADATA_EXTENSION, isCut) : undefined;
  return {
    supply: base.supply,
    decimals: base.decimals,
    names: extension === undefined || extension === 'cut' ? undefined : readExtension(extension),
    scaling: isExtended ? readScaling(findExtension(data, SCALED_UI_AMOUNT_EXTENSION, isCut)) : undefined,
  };
}

function readScaling(value: Uint8Array | 'cut' | undefined): AmountScaling | 'unknown' | undefined {
  if (value === undefined) return undefined;
  if (value === 'cut' || value.length < SCALED_UI_AMOUNT_BYTES) return 'unknown';
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return {
    multiplier: view.getFloat64(AUTHORITY_BYTES, true),
    nextFrom: view.getBigInt64(AUTHORITY_BYTES + 8, true),
    nextMultiplier: view.getFloat64(AUTHORITY_BYTES + 16, true),
  };
}

/** The multiplier that holds at a time, Unix seconds; 1 without a scaling. */
export function multiplierAt(scaling: AmountScaling | undefined, time: number): number {
  if (scaling === undefined) return 1;
  return BigInt(time) >= scaling.nextFrom ? scaling.nextMultiplier : scaling.multiplier;
}

/**
 * Extensions are entries of type, length and value, one behind the other; type 0 is unused space. An entry that ends
 * behind the data is what there is of it. 'cut' when the data ends before it is told whether there is one.
 */
function findExtension(data: Uint8Array, wanted: number, isCut: boolean): Uint8Array | 'cut' | undefined {
  let at = ACCOUNT_TYPE_OFFSET + 1;
  while (at + EXTENSION_HEADER_BYTES <= data.length) {
    const type = data[at]! | (data[at + 1]! << 8);
    const length = data[at + 2]! | (data[at + 3]! << 8);
    if (type === 0) return undefined;
    const start = at + EXTENSION_HEADER_BYTES;
    if (type === wanted) return data.subarray(start, start + length);
    at = start + length;
  }
  // A few bytes that are no entry are unused space too.
  return isCut || at > data.length || data.subarray(at).some((byte) => byte !== 0) ? 'cut' : undefined;
}
