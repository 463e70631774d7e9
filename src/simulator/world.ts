import type { Address } from '../chain/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import type { Bank } from './bank.ts';
import type { CoinMarket } from './coin-market.ts';
import type { Keyring, Wallet } from './keyring.ts';
import type { Load } from './load.ts';
import type { TokenKind } from './programs/token.ts';
import type { SlotDesk } from './runtime/plan.ts';
import { EQUITIES, USDC_DECIMALS, USDC_MINT } from './scenery.ts';

/** Everything actors see and share. */
export interface World {
  readonly seed: string;
  readonly load: Load;
  readonly slotMs: number;
  readonly bank: Bank;
  readonly keyring: Keyring;
  readonly market: CoinMarket;
  readonly traderCount: number;
  /** An ordinary trader by rank; the first ones trade most. */
  trader(place: number): Wallet;
  /** Wallets that sign as exchanges do, by their real addresses; nobody has their keys. */
  readonly exchanges: readonly Wallet[];
  /** A wallet nobody has seen before, without lamports. */
  newWallet(kind: string): Wallet;
}

/** Plays a part in the chain: sends transactions when a slot comes. */
export interface Actor {
  act(desk: SlotDesk): void;
}

export const USDC: TokenKind = { mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM, decimals: USDC_DECIMALS };

export function equityKind(mint: Address): TokenKind {
  const equity = EQUITIES.find((candidate) => candidate.mint === mint);
  if (equity === undefined) throw new Error(`${mint} is no equity of the scenery`);
  return { mint, tokenProgram: TOKEN_2022_PROGRAM, decimals: equity.decimals };
}
