import type { Address } from '../../chain/address.ts';
import type { Instruction } from '../runtime/execution.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

/** Tokens that somebody hands on in a transaction that trades, a platform's share among them: no event tells of it. */
export function handOn(token: TokenKind, from: Address, to: Address, amount: bigint): Instruction {
  const transfer = transferTokens(token, associatedAccount(from, token), associatedAccount(to, token), from, amount);
  return {
    ...transfer,
    run(execution) {
      transfer.run?.(execution);
      execution.record.handed.push({ mint: token.mint, decimals: token.decimals, from, to, amount });
    },
  };
}
