import type { Address } from '../../chain/address.ts';
import type { Instruction } from '../runtime/execution.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

/** A router keeps some of the tokens it bought for its user: no event tells of it. */
export function skimTokens(token: TokenKind, user: Address, keeper: Address, amount: bigint): Instruction {
  const transfer = transferTokens(
    token,
    associatedAccount(user, token),
    associatedAccount(keeper, token),
    user,
    amount,
  );
  return {
    ...transfer,
    run(execution) {
      transfer.run?.(execution);
      execution.record.unexplained.push(
        { mint: token.mint, owner: user, delta: -amount },
        { mint: token.mint, owner: keeper, delta: amount },
      );
    },
  };
}
