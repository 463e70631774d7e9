import type { Address } from '../../chain/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import type { Bank } from '../bank.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read, signWrite, write } from '../runtime/instruction.ts';
import { PROP_AMM_PROGRAM } from '../scenery.ts';
import { recordEquitySwap } from './equity-swap.ts';
import { accountRent, associatedAccount, type TokenKind, transferTokens } from './token.ts';

const SWAP_TAG = 12;

/** A market of one maker. Each vault is an account of its program that is its own owner. */
export interface PropAmm {
  readonly address: Address;
  readonly shareVault: Address;
  readonly moneyVault: Address;
  readonly equity: TokenKind;
  readonly money: TokenKind;
}

export interface PropAmmSwap {
  readonly market: PropAmm;
  readonly user: Address;
  readonly isBuy: boolean;
  /** Raw units. */
  readonly dollars: bigint;
  readonly shares: bigint;
}

/** Opens a vault that owns itself, and mints into it: only before the first slot. */
export function ownVault(bank: Bank, vault: Address, kind: TokenKind, amount: bigint): void {
  bank.endow(vault, accountRent(kind));
  bank.openTokenAccount(vault, kind.mint, vault);
  bank.mintTokens(vault, amount);
}

/** A swap that no event tells, and no owner of both sides either: only the call ties the two vaults together. */
export function propAmmSwap({ market, user, isBuy, dollars, shares }: PropAmmSwap): Instruction {
  const { address, equity, money, moneyVault, shareVault } = market;
  const [userMoney, userShares] = [associatedAccount(user, money), associatedAccount(user, equity)];
  return {
    program: PROP_AMM_PROGRAM,
    accounts: [
      signWrite(user),
      write(address),
      write(userMoney),
      write(userShares),
      write(moneyVault),
      write(shareVault),
      read(money.mint),
      read(equity.mint),
      read(TOKEN_PROGRAM),
      read(TOKEN_2022_PROGRAM),
    ],
    data: new ByteWriter(18)
      .u8(SWAP_TAG)
      .u8(isBuy ? 1 : 0)
      .u64(isBuy ? dollars : shares)
      .u64(0n)
      .finish(),
    run(execution) {
      if (isBuy) {
        execution.invoke(transferTokens(money, userMoney, moneyVault, user, dollars));
        execution.invoke(transferTokens(equity, shareVault, userShares, shareVault, shares));
      } else {
        execution.invoke(transferTokens(equity, userShares, shareVault, user, shares));
        execution.invoke(transferTokens(money, moneyVault, userMoney, moneyVault, dollars));
      }
      recordEquitySwap(execution, { pool: shareVault, equity, money, user, isBuy, dollars, shares });
    },
  };
}
