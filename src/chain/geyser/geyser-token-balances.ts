import type { Address } from '../address.ts';
import type { TokenBalance } from '../block.ts';
import { internAddressText } from '../keys/address-table.ts';
import { MAX_DECIMALS } from '../limits.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { type GeyserLayout, POST_TOKEN_BALANCE, PRE_TOKEN_BALANCE } from './geyser-layout.ts';
import { BYTES, ProtobufCursor, tagOf, VARINT } from './protobuf-cursor.ts';

/** Token balances before and after, one per account, in the order in which accounts first appear. Throws MalformedWire. */
export function readTokenBalances(bytes: Uint8Array, layout: GeyserLayout): TokenBalance[] {
  const balances: GeyserTokenBalance[] = [];
  const end = layout.tokensTo;
  const cursor = new ProtobufCursor(bytes, layout.tokensFrom);
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag !== PRE_TOKEN_BALANCE && tag !== POST_TOKEN_BALANCE) {
      cursor.skip(tag, end);
      continue;
    }
    readSide(cursor, cursor.delimited(end));
    // Bounds the search below too: there are as many balances as keys at most.
    if (side.accountIndex >= layout.keyOffsets.length)
      throw new MalformedWire(`a token balance of key ${side.accountIndex}`);
    if (side.decimals > MAX_DECIMALS) throw new MalformedWire(`a token of ${side.decimals} decimals`);
    const balance = balances.find(isOfAccount) ?? addBalance(balances, bytes);
    balance.set(tag === POST_TOKEN_BALANCE, side);
  }
  return balances;
}

interface Side {
  accountIndex: number;
  decimals: number;
  amount: bigint;
  mintAt: number;
  mintLength: number;
  ownerAt: number;
  /** 0 when the owner is not known. */
  ownerLength: number;
}

// Scratch of one entry, filled anew for each.
const side: Side = { accountIndex: 0, decimals: 0, amount: 0n, mintAt: 0, mintLength: 0, ownerAt: 0, ownerLength: 0 };

function isOfAccount(balance: GeyserTokenBalance): boolean {
  return balance.accountIndex === side.accountIndex;
}

function addBalance(balances: GeyserTokenBalance[], bytes: Uint8Array): GeyserTokenBalance {
  const balance = new GeyserTokenBalance(bytes, side);
  balances.push(balance);
  return balance;
}

/** Mints and owners become strings only when asked for: most balances that a transaction lists did not change. */
class GeyserTokenBalance implements TokenBalance {
  readonly accountIndex: number;
  readonly decimals: number;
  pre = 0n;
  post = 0n;
  private readonly bytes: Uint8Array;
  private readonly mintAt: number;
  private readonly mintLength: number;
  private preOwnerAt = 0;
  private preOwnerLength = 0;
  private postOwnerAt = 0;
  private postOwnerLength = 0;
  private readMint: Address | undefined = undefined;
  private readPreOwner: Address | undefined = undefined;
  private readPostOwner: Address | undefined = undefined;

  constructor(bytes: Uint8Array, first: Side) {
    this.bytes = bytes;
    this.accountIndex = first.accountIndex;
    this.decimals = first.decimals;
    this.mintAt = first.mintAt;
    this.mintLength = first.mintLength;
  }

  set(isPost: boolean, from: Side): void {
    if (isPost) {
      this.post = from.amount;
      this.postOwnerAt = from.ownerAt;
      this.postOwnerLength = from.ownerLength;
    } else {
      this.pre = from.amount;
      this.preOwnerAt = from.ownerAt;
      this.preOwnerLength = from.ownerLength;
    }
  }

  get mint(): Address {
    this.readMint ??= internAddressText(this.bytes, this.mintAt, this.mintLength);
    return this.readMint;
  }

  get preOwner(): Address | undefined {
    if (this.preOwnerLength === 0) return undefined;
    this.readPreOwner ??= internAddressText(this.bytes, this.preOwnerAt, this.preOwnerLength);
    return this.readPreOwner;
  }

  get postOwner(): Address | undefined {
    if (this.postOwnerLength === 0) return undefined;
    this.readPostOwner ??= internAddressText(this.bytes, this.postOwnerAt, this.postOwnerLength);
    return this.readPostOwner;
  }
}

const ACCOUNT_INDEX = tagOf(1, VARINT);
const MINT = tagOf(2, BYTES);
const UI_TOKEN_AMOUNT = tagOf(3, BYTES);
const OWNER = tagOf(4, BYTES);
const DECIMALS = tagOf(2, VARINT);
const AMOUNT = tagOf(3, BYTES);

function readSide(cursor: ProtobufCursor, end: number): void {
  side.accountIndex = side.decimals = side.mintLength = side.ownerLength = 0;
  side.amount = 0n;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === MINT) {
      const stop = cursor.delimited(end);
      side.mintAt = cursor.at;
      side.mintLength = stop - cursor.at;
      cursor.at = stop;
    } else if (tag === OWNER) {
      const stop = cursor.delimited(end);
      side.ownerAt = cursor.at;
      side.ownerLength = stop - cursor.at;
      cursor.at = stop;
    } else if (tag === UI_TOKEN_AMOUNT) readAmount(cursor, cursor.delimited(end));
    else if (tag === ACCOUNT_INDEX) side.accountIndex = cursor.varint(end);
    else cursor.skip(tag, end);
  }
}

function readAmount(cursor: ProtobufCursor, end: number): void {
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === AMOUNT) side.amount = readDecimal(cursor, cursor.delimited(end));
    else if (tag === DECIMALS) side.decimals = cursor.varint(end);
    else cursor.skip(tag, end);
  }
}

const ZERO = 48;
/** Digits of 2^64-1. */
const MAX_DIGITS = 20;
/** Any number of this many digits is exact as a double. */
const EXACT_DIGITS = 15;

/** A u64 in decimal digits. */
function readDecimal(cursor: ProtobufCursor, end: number): bigint {
  const digits = end - cursor.at;
  if (digits === 0 || digits > MAX_DIGITS) throw new MalformedWire(`an amount of ${digits} digits`);
  const head = readDigits(cursor, Math.min(end, cursor.at + EXACT_DIGITS));
  if (digits <= EXACT_DIGITS) return BigInt(head);
  return BigInt(head) * 10n ** BigInt(end - cursor.at) + BigInt(readDigits(cursor, end));
}

function readDigits(cursor: ProtobufCursor, end: number): number {
  let value = 0;
  for (; cursor.at < end; cursor.at++) {
    const digit = cursor.bytes[cursor.at]! - ZERO;
    if (digit < 0 || digit > 9) throw new MalformedWire('an amount that is no number');
    value = value * 10 + digit;
  }
  return value;
}
