import type { Address } from '../../chain/address.ts';
import { internAddress } from '../../chain/keys/address-table.ts';

/** The key that marks an account of the Config program as one that tells of a validator. */
export const VALIDATOR_INFO_KEY = 'Va1idator1nfo111111111111111111111111111111' as Address;
/** Where that key stands, behind the number of keys. */
export const VALIDATOR_INFO_OFFSET = 1;

/** What a validator says of itself, as it stands there. */
export interface ValidatorInfo {
  readonly identity: Address;
  readonly name: string;
}

/** Two keys, each with a byte that says whether it signs, behind a byte for their number. */
const KEY_COUNT = 2;
const IDENTITY = 34;
const IDENTITY_SIGNS = 66;
const TEXT_LENGTH = 67;
const TEXT = 75;
/** More than the program lets anybody write. */
const MAX_TEXT_BYTES = 4_096;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads an account of the Config program that a validator has signed for its identity: its keys, then a text of JSON.
 * Undefined for every other account, and for one without a name.
 */
export function readValidatorInfo(data: Uint8Array): ValidatorInfo | undefined {
  if (data.length < TEXT || data[0] !== KEY_COUNT) return undefined;
  if (internAddress(data, VALIDATOR_INFO_OFFSET) !== VALIDATOR_INFO_KEY) return undefined;
  // Without its signature anybody could name it.
  if (data[IDENTITY_SIGNS] !== 1) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const length = view.getBigUint64(TEXT_LENGTH, true);
  if (length > MAX_TEXT_BYTES || TEXT + Number(length) > data.length) return undefined;
  const name = nameIn(data.subarray(TEXT, TEXT + Number(length)));
  return name === undefined ? undefined : { identity: internAddress(data, IDENTITY), name };
}

function nameIn(text: Uint8Array): string | undefined {
  try {
    const json: unknown = JSON.parse(utf8.decode(text));
    const name: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'name') : undefined;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    // Strangers write it.
    return undefined;
  }
}
