/** What the account of a mint tells. */
export interface MintFields {
  /** Raw units. */
  readonly supply: bigint;
  readonly decimals: number;
  /** Of a mint whose amounts are shown scaled: the multiplier, and the one that holds from a time on, Unix seconds. */
  readonly scaling: MintScaling | undefined;
}

export interface MintScaling {
  readonly multiplier: number;
  readonly nextFrom: bigint;
  readonly nextMultiplier: number;
}

const MINT_BYTES = 82;
const SUPPLY_OFFSET = 36;
const DECIMALS_OFFSET = 44;
const INITIALIZED_OFFSET = 45;
/** Extensions begin behind the length of a token account and the kind of account. */
const EXTENSIONS_OFFSET = 166;
const KIND_MINT = 1;
const SCALED_UI_AMOUNT = 25;
const SCALED_UI_AMOUNT_BYTES = 56;
const HEADER_BYTES = 4;
const AUTHORITY_BYTES = 32;

/** The account of a mint as the token programs keep it, with the extension for scaled amounts where it has one. */
export function encodeMint({ supply, decimals, scaling }: MintFields): Buffer {
  const isScaled = scaling !== undefined;
  const data = Buffer.alloc(isScaled ? EXTENSIONS_OFFSET + HEADER_BYTES + SCALED_UI_AMOUNT_BYTES : MINT_BYTES);
  data.writeBigUInt64LE(supply, SUPPLY_OFFSET);
  data[DECIMALS_OFFSET] = decimals;
  data[INITIALIZED_OFFSET] = 1;
  if (!isScaled) return data;
  data[EXTENSIONS_OFFSET - 1] = KIND_MINT;
  data.writeUInt16LE(SCALED_UI_AMOUNT, EXTENSIONS_OFFSET);
  data.writeUInt16LE(SCALED_UI_AMOUNT_BYTES, EXTENSIONS_OFFSET + 2);
  const at = EXTENSIONS_OFFSET + HEADER_BYTES + AUTHORITY_BYTES;
  data.writeDoubleLE(scaling.multiplier, at);
  data.writeBigInt64LE(scaling.nextFrom, at + 8);
  data.writeDoubleLE(scaling.nextMultiplier, at + 16);
  return data;
}
