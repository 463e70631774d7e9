import type { Address } from '../../chain/address.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read, signWrite, write } from '../runtime/instruction.ts';
import { CLMM_PROGRAM } from '../scenery.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

const SWAP = Uint8Array.of(0xf8, 0xc6, 0x9e, 0x91, 0xe1, 0x75, 0x87, 0xc8);

/** Owner of all vaults of another program, whose events nobody reads. No key can sign for it. */
export const FOREIGN_MARKET: Address = findProgramAddress(
  [new TextEncoder().encode('vault_and_lp_mint_auth_seed')],
  CLMM_PROGRAM,
).address;

export interface ForeignSale {
  readonly user: Address;
  readonly coin: TokenKind;
  readonly money: TokenKind;
  readonly tokens: bigint;
  readonly paid: bigint;
}

/** Sells a coin on that program. */
export function foreignSale({ user, coin, money, tokens, paid }: ForeignSale): Instruction {
  const pool = FOREIGN_MARKET;
  const [from, to] = [associatedAccount(user, coin), associatedAccount(pool, coin)];
  const [vault, purse] = [associatedAccount(pool, money), associatedAccount(user, money)];
  return {
    program: CLMM_PROGRAM,
    accounts: [
      signWrite(user),
      ...[pool, from, purse, to, vault].map(write),
      ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM, coin.mint, money.mint].map(read),
    ],
    data: new ByteWriter(24).bytes(SWAP).u64(tokens).u64(paid).finish(),
    run(execution) {
      execution.log('Instruction: Swap');
      execution.invoke(transferTokens(coin, from, to, user, tokens));
      execution.invoke(transferTokens(money, vault, purse, pool, paid));
      const { mint } = coin;
      execution.record.unexplained.push({ mint, owner: user, delta: -tokens }, { mint, owner: pool, delta: tokens });
    },
  };
}
