import { type Address, WSOL_MINT } from '../chain/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { MAYHEM_SOL_VAULT } from '../programs/pump/ids.ts';
import { Bank } from './bank.ts';
import { CoinMarket } from './coin-market.ts';
import type { Keyring, Wallet } from './keyring.ts';
import type { Load } from './load.ts';
import { accountRent, associatedAccount, type TokenKind, WSOL } from './programs/token.ts';
import type { Random } from './random.ts';
import {
  BUYBACK_RECIPIENTS,
  EQUITIES,
  EXCHANGE_WALLETS,
  FEE_RECIPIENTS,
  MAYHEM_FEE_RECIPIENTS,
  TIP_WALLETS,
  USDC_DECIMALS,
  USDC_MINT,
} from './scenery.ts';
import { USDC, type World } from './world.ts';

export const SOL = 1_000_000_000n;
const USDC_UNIT = 10n ** BigInt(USDC_DECIMALS);

const EXCHANGE_SOL = 2_000_000n * SOL;
const MAYHEM_VAULT_SOL = 50_000n * SOL;
const PROTOCOL_SOL = 10n * SOL;
const TRADER_MEDIAN_LAMPORTS = 12e9;
const TRADER_SPREAD = 1.1;
/** Wallets made for one scheme that stay in the bank: far more than any scheme still counts on. */
const MAX_STRANGERS = 40_000;
/** Share of the traders that hold dollars to trade with. */
const DOLLAR_TRADERS = 0.15;

/** The world before its first slot: who is there, and what they have. */
export function createWorld(options: {
  readonly seed: string;
  readonly load: Load;
  readonly slotMs: number;
  readonly keyring: Keyring;
  readonly random: Random;
}): World {
  const { keyring, load, random, seed, slotMs } = options;
  const bank = new Bank();
  const traders: (Wallet | undefined)[] = new Array(load.traders).fill(undefined);
  const exchanges = EXCHANGE_WALLETS.map(
    (address): Wallet => ({ label: `exchange/${address}`, address, foreign: true }),
  );
  createMints(bank);
  endowProtocol(bank);
  for (const { address } of exchanges) {
    bank.endow(address, EXCHANGE_SOL);
    giveTokens(bank, address, USDC, 100_000_000n * USDC_UNIT);
  }
  /** Made when first seen: most of a large crowd never is. */
  function moveIn(place: number): Wallet {
    const trader = keyring.wallet(`trader/${place}`);
    bank.endow(trader.address, SOL + random.amount(TRADER_MEDIAN_LAMPORTS, TRADER_SPREAD));
    if (random.chance(DOLLAR_TRADERS)) giveTokens(bank, trader.address, USDC, USDC_UNIT * random.amount(4_000, 1));
    traders[place] = trader;
    return trader;
  }
  let newcomers = 0;
  const strangers: Address[] = [];

  /** An endless chain sees endless newcomers: those of long ago are let go of. */
  function moveOut(): void {
    if (strangers.length > MAX_STRANGERS) bank.forget(strangers.splice(0, MAX_STRANGERS / 10));
  }

  return {
    seed,
    load,
    slotMs,
    bank,
    keyring,
    traderCount: load.traders,
    trader: (place) => traders[place] ?? moveIn(place),
    exchanges,
    market: new CoinMarket({ limit: load.liveCoins, seed, keyring, bank }),
    newWallet(kind) {
      const wallet = keyring.wallet(`${kind}/${newcomers++}`);
      strangers.push(wallet.address);
      moveOut();
      return wallet;
    },
  };
}

function createMints(bank: Bank): void {
  bank.createMint({ address: WSOL_MINT, decimals: WSOL.decimals, tokenProgram: TOKEN_PROGRAM, supply: 0n });
  bank.createMint({ address: USDC_MINT, decimals: USDC_DECIMALS, tokenProgram: TOKEN_PROGRAM, supply: 0n });
  for (const { decimals, mint } of EQUITIES) {
    bank.createMint({ address: mint, decimals, tokenProgram: TOKEN_2022_PROGRAM, supply: 0n });
  }
}

/** The programs' own wallets exist, with accounts for the money that fees come in. */
function endowProtocol(bank: Bank): void {
  for (const address of TIP_WALLETS) bank.endow(address, PROTOCOL_SOL);
  bank.endow(MAYHEM_SOL_VAULT, MAYHEM_VAULT_SOL);
  for (const address of [...FEE_RECIPIENTS, ...MAYHEM_FEE_RECIPIENTS, ...BUYBACK_RECIPIENTS]) {
    bank.endow(address, PROTOCOL_SOL);
    for (const kind of [WSOL, USDC]) openAccount(bank, address, kind);
  }
}

/** Opens an account with its rent, and mints into it: only before the first slot. */
export function giveTokens(bank: Bank, owner: Address, kind: TokenKind, amount: bigint): void {
  openAccount(bank, owner, kind);
  bank.mintTokens(associatedAccount(owner, kind), amount);
}

function openAccount(bank: Bank, owner: Address, kind: TokenKind): void {
  const account = associatedAccount(owner, kind);
  bank.endow(account, accountRent(kind));
  bank.openTokenAccount(account, kind.mint, owner);
}
