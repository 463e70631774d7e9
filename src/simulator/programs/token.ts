import { type Address, WSOL_MINT } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import { tokenAccountAddress } from '../../programs/spl-token/addresses.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { read, signRead, signWrite, write } from '../runtime/instruction.ts';
import { createAccount, rentFor } from './system.ts';

const MINT_TO = 7;
const BURN_CHECKED = 15;
const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;
const SYNC_NATIVE = 17;
const INITIALIZE_ACCOUNT_3 = 18;
const INITIALIZE_MINT_2 = 20;
const GET_ACCOUNT_DATA_SIZE = 21;
const INITIALIZE_IMMUTABLE_OWNER = 22;
const CREATE_IDEMPOTENT = 1;

const ACCOUNT_BYTES = 165;
/** Token-2022 accounts carry the immutable-owner extension. */
const ACCOUNT_2022_BYTES = 170;

/** A mint as the programs that move it need it. */
export interface TokenKind {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
}

export const WSOL: TokenKind = { mint: WSOL_MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9 };

/** Account in which an owner keeps a mint by convention. */
export function associatedAccount(owner: Address, { mint, tokenProgram }: TokenKind): Address {
  return tokenAccountAddress(owner, mint, tokenProgram);
}

export function accountRent({ tokenProgram }: TokenKind): bigint {
  return rentFor(tokenProgram === TOKEN_2022_PROGRAM ? ACCOUNT_2022_BYTES : ACCOUNT_BYTES);
}

/** Opens the owner's associated account unless it is there. */
export function openAssociated(payer: Address, owner: Address, token: TokenKind): Instruction {
  const account = associatedAccount(owner, token);
  const { mint, tokenProgram } = token;
  return {
    program: ATA_PROGRAM,
    accounts: [signWrite(payer), write(account), read(owner), read(mint), read(SYSTEM_PROGRAM), read(tokenProgram)],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
    run(execution) {
      execution.log('CreateIdempotent');
      if (execution.bank.tokenAccount(account) !== undefined) return;
      openAccount(execution, payer, account, owner, token);
    },
  };
}

function openAccount(execution: Execution, payer: Address, account: Address, owner: Address, token: TokenKind): void {
  const { mint, tokenProgram } = token;
  const size = tokenProgram === TOKEN_2022_PROGRAM ? ACCOUNT_2022_BYTES : ACCOUNT_BYTES;
  const call = (accounts: Instruction['accounts'], data: Uint8Array, run?: Instruction['run']) =>
    execution.invoke({ program: tokenProgram, accounts, data, ...(run === undefined ? {} : { run }) });
  call([read(mint)], Uint8Array.of(GET_ACCOUNT_DATA_SIZE));
  execution.invoke(createAccount(payer, account, size, tokenProgram));
  execution.log('Initialize the associated token account');
  call([write(account)], Uint8Array.of(INITIALIZE_IMMUTABLE_OWNER));
  const initialize = new ByteWriter(33).u8(INITIALIZE_ACCOUNT_3).bytes(addressBytes(owner)).finish();
  call([write(account), read(mint)], initialize, ({ bank }) => bank.openTokenAccount(account, mint, owner));
}

/** Moves tokens between accounts that both exist. */
export function transferTokens(
  token: TokenKind,
  from: Address,
  to: Address,
  authority: Address,
  amount: bigint,
): Instruction {
  const { decimals, mint, tokenProgram } = token;
  return {
    program: tokenProgram,
    accounts: [write(from), read(mint), write(to), signRead(authority)],
    data: new ByteWriter(10).u8(TRANSFER_CHECKED).u64(amount).u8(decimals).finish(),
    run({ bank, record }) {
      bank.moveTokens(from, to, amount);
      const owner = bank.tokenAccount(from)!.owner;
      const receiver = bank.tokenAccount(to)!.owner;
      record.moves.push({ mint, decimals, from: owner, to: receiver, amount });
    },
  };
}

/** Destroys tokens of a holder. */
export function burnTokens(token: TokenKind, from: Address, owner: Address, amount: bigint): Instruction {
  const { decimals, mint } = token;
  const burn = burnShares(token, from, owner, amount);
  return {
    ...burn,
    run(execution) {
      burn.run?.(execution);
      execution.record.burns.push({ ixIndex: execution.nextIndex - 1, mint, owner, amount, decimals });
    },
  };
}

/** Destroys tokens that are nobody's holding: a pool's shares. */
export function burnShares(token: TokenKind, from: Address, owner: Address, amount: bigint): Instruction {
  const { decimals, mint, tokenProgram } = token;
  return {
    program: tokenProgram,
    accounts: [write(from), write(mint), signRead(owner)],
    data: new ByteWriter(10).u8(BURN_CHECKED).u64(amount).u8(decimals).finish(),
    run: ({ bank }) => bank.burnTokens(from, amount),
  };
}

export function mintTokens(token: TokenKind, to: Address, authority: Address, amount: bigint): Instruction {
  return {
    program: token.tokenProgram,
    accounts: [write(token.mint), write(to), signRead(authority)],
    data: new ByteWriter(9).u8(MINT_TO).u64(amount).finish(),
    run: ({ bank }) => bank.mintTokens(to, amount),
  };
}

export function initializeMint(token: TokenKind, authority: Address): Instruction {
  const { decimals, mint, tokenProgram } = token;
  return {
    program: tokenProgram,
    accounts: [write(mint)],
    data: new ByteWriter(35).u8(INITIALIZE_MINT_2).u8(decimals).bytes(addressBytes(authority)).u8(0).finish(),
    run: ({ bank }) => bank.createMint({ address: mint, decimals, tokenProgram, supply: 0n }),
  };
}

/** Gives the account's rent, and for wrapped SOL everything in it, to the owner. */
export function closeAccount(token: TokenKind, account: Address, owner: Address): Instruction {
  return {
    program: token.tokenProgram,
    accounts: [write(account), write(owner), signRead(owner)],
    data: Uint8Array.of(CLOSE_ACCOUNT),
    run: ({ bank }) => bank.closeTokenAccount(account, owner),
  };
}

/** Turns lamports that were sent to a wrapped-SOL account into tokens. */
export function syncNative(account: Address): Instruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [write(account)],
    data: Uint8Array.of(SYNC_NATIVE),
    run: ({ bank }) => bank.syncNative(account, accountRent(WSOL)),
  };
}
