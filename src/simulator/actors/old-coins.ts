import { TOKEN_PROGRAM } from '../../chain/well-known.ts';
import { giveTokens } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { TokenKind } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

const COINS = 30;
const HOLDERS_EACH = 4;
const DECIMALS = 6;
const SUPPLY = 10n ** 18n;
const HOLDER_LAMPORTS = 5_000_000_000_000n;
const MEDIAN_SENT = 5_000_000_000;
const SENT_SPREAD = 1.5;
/** Exponent by which the first coins move more than the last. */
const EXPONENT = 0.8;

/** Coins that were there before the chain began and trade elsewhere: all that is seen of them here is that they move. */
export interface OldCoins {
  /** Something that somebody sends. */
  pick(): { readonly token: TokenKind; readonly holder: Wallet; readonly amount: bigint };
}

export function createOldCoins(world: World, random: Random): OldCoins {
  const coins = Array.from({ length: COINS }, (_, place) => {
    const mint = world.keyring.wallet(`old-coin/${place}`).address;
    const token: TokenKind = { mint, tokenProgram: TOKEN_PROGRAM, decimals: DECIMALS };
    world.bank.createMint({ address: mint, decimals: DECIMALS, tokenProgram: TOKEN_PROGRAM, supply: 0n });
    const holders = Array.from({ length: HOLDERS_EACH }, (_, rank): Wallet => {
      const holder = world.keyring.wallet(`old-holder/${place}/${rank}`);
      world.bank.endow(holder.address, HOLDER_LAMPORTS);
      giveTokens(world.bank, holder.address, token, SUPPLY / BigInt(HOLDERS_EACH));
      return holder;
    });
    return { token, holders };
  });
  return {
    pick() {
      const { holders, token } = coins[random.zipf(COINS, EXPONENT)]!;
      return { token, holder: random.pick(holders), amount: random.amount(MEDIAN_SENT, SENT_SPREAD) };
    },
  };
}
