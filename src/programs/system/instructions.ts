import type { Address } from '../../chain/address.ts';
import type { Instruction, Transaction } from '../../chain/block.ts';
import { internAddress } from '../../chain/keys/address-table.ts';
import { SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { readU64, readWord } from '../little-endian.ts';

/** Lamports that the System program moves. Accounts are indexes into the transaction's keys. */
export interface SystemTransfer {
  readonly kind: 'transfer';
  readonly from: number;
  readonly to: number;
  readonly lamports: bigint;
}

/** An account made and paid for. `owner` is the program it is given to. */
export interface SystemCreateAccount {
  readonly kind: 'create_account';
  /** Undefined when the new account brings its own lamports. */
  readonly from: number | undefined;
  readonly to: number;
  readonly lamports: bigint;
  readonly owner: Address;
}

export type SystemInstruction = SystemTransfer | SystemCreateAccount;

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;
const CREATE_ACCOUNT_ALLOW_PREFUND = 13;

const TAG_BYTES = 4;
const ADDRESS_BYTES = 32;

/** The System instruction that moves lamports; undefined for every other instruction and for cut-off data. */
export function readSystemInstruction(tx: Transaction, instruction: Instruction): SystemInstruction | undefined {
  if (tx.keys.at(instruction.programIndex) !== SYSTEM_PROGRAM) return undefined;
  const { data, accounts } = instruction;
  if (data.length < TAG_BYTES + 8) return undefined;
  switch (readWord(data, 0)) {
    case TRANSFER:
    case WITHDRAW_NONCE_ACCOUNT:
      return transfer(accounts[0], accounts[1], readU64(data, TAG_BYTES));
    case TRANSFER_WITH_SEED:
      return transfer(accounts[0], accounts[2], readU64(data, TAG_BYTES));
    case CREATE_ACCOUNT:
      return createAccount(accounts[0], accounts[1], data, TAG_BYTES);
    case CREATE_ACCOUNT_WITH_SEED:
      return createAccount(accounts[0], accounts[1], data, behindSeed(data));
    case CREATE_ACCOUNT_ALLOW_PREFUND:
      return createAccount(accounts[1], accounts[0], data, TAG_BYTES);
    default:
      return undefined;
  }
}

function transfer(from: number | undefined, to: number | undefined, lamports: bigint): SystemTransfer | undefined {
  return from === undefined || to === undefined ? undefined : { kind: 'transfer', from, to, lamports };
}

/** `offset` is where lamports, space and owner stand. */
function createAccount(
  from: number | undefined,
  to: number | undefined,
  data: Uint8Array,
  offset: number,
): SystemCreateAccount | undefined {
  if (to === undefined || data.length < offset + 16 + ADDRESS_BYTES) return undefined;
  return {
    kind: 'create_account',
    from,
    to,
    lamports: readU64(data, offset),
    owner: internAddress(data, offset + 16),
  };
}

/** Behind the base address and the seed text, whose length is a u64. */
function behindSeed(data: Uint8Array): number {
  const length = TAG_BYTES + ADDRESS_BYTES;
  return data.length < length + 8 ? data.length : length + 8 + readWord(data, length);
}
