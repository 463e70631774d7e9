import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Instruction } from '../runtime/execution.ts';
import { signWrite, write } from '../runtime/instruction.ts';
import { isTipWallet } from '../scenery.ts';

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;

const ACCOUNT_HEADER_BYTES = 128;
const LAMPORTS_PER_BYTE = 5_080;

/** Lamports that keep an account of so many data bytes alive. */
export function rentFor(dataLength: number): bigint {
  return BigInt((ACCOUNT_HEADER_BYTES + dataLength) * LAMPORTS_PER_BYTE);
}

/** Moves lamports between wallets: a tip when the receiver is a tip wallet, else a funding. */
export function transferLamports(from: Address, to: Address, lamports: bigint): Instruction {
  const transfer = moveLamports(from, to, lamports);
  if (isTipWallet(to)) return { ...transfer, tip: { from, wallet: to, lamports } };
  return {
    ...transfer,
    run(execution) {
      const { bank, record, nextIndex } = execution;
      const createdAccount = bank.lamports(to) === 0n;
      transfer.run?.(execution);
      record.fundings.push({ ixIndex: nextIndex - 1, wallet: to, funder: from, amount: lamports, createdAccount });
    },
  };
}

/** Moves lamports to what is nobody's wallet: a vault, a curve, a wrapped-SOL account. */
export function moveLamports(from: Address, to: Address, lamports: bigint): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [signWrite(from), write(to)],
    data: new ByteWriter(12).u32(TRANSFER).u64(lamports).finish(),
    run: ({ bank }) => bank.moveLamports(from, to, lamports),
  };
}

/** Gives a new account its rent, its size and the program that will own it. */
export function createAccount(payer: Address, account: Address, dataLength: number, owner: Address): Instruction {
  const rent = rentFor(dataLength);
  return {
    program: SYSTEM_PROGRAM,
    accounts: [signWrite(payer), write(account)],
    data: new ByteWriter(52).u32(CREATE_ACCOUNT).u64(rent).u64(BigInt(dataLength)).bytes(addressBytes(owner)).finish(),
    run: ({ bank }) => bank.moveLamports(payer, account, rent),
  };
}
