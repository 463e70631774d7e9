import type { Address } from '../../chain/address.ts';
import type { Instruction, Transaction } from '../../chain/block.ts';
import { internAddress } from '../../chain/keys/address-table.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import { readU64 } from '../little-endian.ts';

/**
 * An instruction that moves, makes or ends tokens. Accounts are indexes into the transaction's keys; amounts are raw.
 */
export type TokenInstruction = TokenTransfer | TokenMint | TokenBurn | TokenClose | TokenUnwrap | TokenOwnerChange;

export interface TokenTransfer {
  readonly kind: 'transfer';
  readonly source: number;
  readonly destination: number;
  readonly authority: number;
  /** Named by the checked forms alone. */
  readonly mint: number | undefined;
  readonly amount: bigint;
  /** Withheld at the destination, out of `amount`: Token-2022's transfers with a fee. */
  readonly fee: bigint | undefined;
}

export interface TokenMint {
  readonly kind: 'mint';
  readonly mint: number;
  readonly account: number;
  readonly authority: number;
  readonly amount: bigint;
}

export interface TokenBurn {
  readonly kind: 'burn';
  readonly account: number;
  readonly mint: number;
  readonly authority: number;
  readonly amount: bigint;
}

/** All lamports of the account, wrapped SOL included, go to the destination. */
export interface TokenClose {
  readonly kind: 'close';
  readonly account: number;
  readonly destination: number;
  readonly authority: number;
}

/** Wrapped SOL paid out as lamports without closing the account. */
export interface TokenUnwrap {
  readonly kind: 'unwrap';
  readonly account: number;
  readonly destination: number;
  readonly authority: number;
  /** Undefined = all of it. */
  readonly amount: bigint | undefined;
}

/** The account, with what it holds, changes hands. */
export interface TokenOwnerChange {
  readonly kind: 'owner_change';
  readonly account: number;
  readonly authority: number;
  readonly owner: Address;
}

const TRANSFER = 3;
const SET_AUTHORITY = 6;
const MINT_TO = 7;
const BURN = 8;
const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const BURN_CHECKED = 15;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
const UNWRAP_LAMPORTS = 45;
const BATCH = 255;

const SUPPLY_TAGS: readonly number[] = [MINT_TO, BURN, MINT_TO_CHECKED, BURN_CHECKED, BATCH];

/** False for calls of a token program that neither mint nor burn, told without reading them: nearly all. */
export function mayChangeSupply({ tag }: Instruction): boolean {
  return SUPPLY_TAGS.includes(tag);
}

const ACCOUNT_OWNER_AUTHORITY = 2;
const NOTHING: readonly TokenInstruction[] = [];

/**
 * The token instructions in one call, in order: one for an ordinary call, as
 * many as it carries for a batch, none for other programs, for instructions
 * that move nothing, and for cut-off data.
 */
export function readTokenInstructions(tx: Transaction, instruction: Instruction): readonly TokenInstruction[] {
  const program = tx.keys.at(instruction.programIndex);
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return NOTHING;
  const { data, accounts } = instruction;
  if (data[0] === BATCH) return readBatch(data, accounts);
  const single = readOne(data, 0, data.length, accounts, 0, accounts.length);
  return single === undefined ? NOTHING : [single];
}

/** Behind the tag: number of accounts, length of data, data; over and over, each taking the next accounts. */
function readBatch(data: Uint8Array, accounts: ArrayLike<number>): TokenInstruction[] {
  const instructions: TokenInstruction[] = [];
  let account = 0;
  for (let at = 1; at + 2 <= data.length; ) {
    const lastAccount = account + data[at]!;
    const start = at + 2;
    const end = start + data[at + 1]!;
    if (end > data.length || lastAccount > accounts.length) break;
    const inner = readOne(data, start, end, accounts, account, lastAccount);
    if (inner !== undefined) instructions.push(inner);
    account = lastAccount;
    at = end;
  }
  return instructions;
}

/** Reads data[start, end) with accounts[first, last). */
function readOne(
  data: Uint8Array,
  start: number,
  end: number,
  accounts: ArrayLike<number>,
  first: number,
  last: number,
): TokenInstruction | undefined {
  const length = end - start;
  const tag = length > 0 ? data[start]! : -1;
  const a = accounts[first]!;
  const b = accounts[first + 1]!;
  const c = accounts[first + 2]!;
  const count = last - first;
  if (tag === SET_AUTHORITY) return count >= 2 ? readOwnerChange(data, start, length, a, b) : undefined;
  if (count < 3) return undefined;
  if (tag === CLOSE_ACCOUNT) return { kind: 'close', account: a, destination: b, authority: c };
  if (tag === UNWRAP_LAMPORTS) return readUnwrap(data, start, length, a, b, c);
  if (tag === TRANSFER_FEE_EXTENSION) {
    if (length < 19 || count < 4 || data[start + 1] !== TRANSFER_CHECKED_WITH_FEE) return undefined;
    return checkedTransfer(accounts, first, readU64(data, start + 2), readU64(data, start + 11));
  }
  if (length < 9) return undefined;
  const amount = readU64(data, start + 1);
  switch (tag) {
    case TRANSFER:
      return { kind: 'transfer', source: a, destination: b, authority: c, mint: undefined, amount, fee: undefined };
    case TRANSFER_CHECKED:
      return count < 4 ? undefined : checkedTransfer(accounts, first, amount, undefined);
    case MINT_TO:
    case MINT_TO_CHECKED:
      return { kind: 'mint', mint: a, account: b, authority: c, amount };
    case BURN:
    case BURN_CHECKED:
      return { kind: 'burn', account: a, mint: b, authority: c, amount };
    default:
      return undefined;
  }
}

function checkedTransfer(
  accounts: ArrayLike<number>,
  first: number,
  amount: bigint,
  fee: bigint | undefined,
): TokenTransfer {
  return {
    kind: 'transfer',
    source: accounts[first]!,
    mint: accounts[first + 1]!,
    destination: accounts[first + 2]!,
    authority: accounts[first + 3]!,
    amount,
    fee,
  };
}

/** Tag, presence of an amount, amount. */
function readUnwrap(
  data: Uint8Array,
  start: number,
  length: number,
  account: number,
  destination: number,
  authority: number,
): TokenUnwrap | undefined {
  const amount = length >= 10 && data[start + 1] === 1 ? readU64(data, start + 2) : undefined;
  return length < 2 ? undefined : { kind: 'unwrap', account, destination, authority, amount };
}

/** Tag, kind of authority, presence of a new one, its address. */
function readOwnerChange(
  data: Uint8Array,
  start: number,
  length: number,
  account: number,
  authority: number,
): TokenOwnerChange | undefined {
  if (length < 35 || data[start + 1] !== ACCOUNT_OWNER_AUTHORITY || data[start + 2] !== 1) return undefined;
  return { kind: 'owner_change', account, authority, owner: internAddress(data, start + 3) };
}
