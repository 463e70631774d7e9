import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { findProgramAddress } from '../chain/keys/pda.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import {
  bondingCurveAddress,
  canonicalPoolAddress,
  creatorVaultAddress,
  curveTokenAccountAddress,
  holderRewardsAddress,
  poolAuthorityAddress,
} from '../programs/pump/addresses.ts';
import { COIN_DECIMALS, MAYHEM_PROGRAM } from '../programs/pump/ids.ts';
import { boostVaultAuthorityAddress, lpMintAddress } from '../programs/pump-amm/addresses.ts';
import type { Bank } from './bank.ts';
import { type CoinProfile, coinProfile } from './coin-profile.ts';
import { HolderList } from './holder-list.ts';
import type { Keyring, Wallet } from './keyring.ts';
import type { Coin } from './market.ts';
import { associatedAccount, type TokenKind, WSOL } from './programs/token.ts';
import type { Random } from './random.ts';

export interface CoinOptions {
  readonly dev: Wallet;
  /** Undefined = SOL. */
  readonly quote?: TokenKind;
  readonly mayhem?: boolean;
  readonly holderReward?: boolean;
  /** Made by the older `create`: an SPL token. */
  readonly legacy?: boolean;
  /** Name, ticker and document of a copy of another coin; its own when left out. */
  readonly profile?: CoinProfile;
}

const text = (value: string) => new TextEncoder().encode(value);

/** Attention falls with rank as a power law with about this exponent. */
const ATTENTION_EXPONENT = 0.9;
/** New coins enter among the first so many places. */
const ENTRY_PLACES = 24;

/** The coins that are traded, by the attention they get. The least noticed go when there are too many. */
export class CoinMarket {
  readonly #ranked: Coin[] = [];
  readonly #limit: number;
  readonly #seed: string;
  readonly #keyring: Keyring;
  readonly #bank: Bank;
  #made = 0;
  #copied = 0;

  constructor(options: {
    readonly limit: number;
    readonly seed: string;
    readonly keyring: Keyring;
    readonly bank: Bank;
  }) {
    this.#limit = options.limit;
    this.#seed = options.seed;
    this.#keyring = options.keyring;
    this.#bank = options.bank;
  }

  get coins(): readonly Coin[] {
    return this.#ranked;
  }

  /** A coin that is not on the chain yet. */
  design(options: CoinOptions): Coin {
    // Copies have numbers of their own: the other coins are who they were without them.
    const isCopy = options.profile !== undefined;
    const number = isCopy ? this.#copied++ : this.#made++;
    const mint = this.#keyring.wallet(isCopy ? `mint/copy/${number}` : `mint/${number}`);
    const tokenProgram = options.legacy === true ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
    const token: TokenKind = { mint: mint.address, tokenProgram, decimals: COIN_DECIMALS };
    const holderReward = options.holderReward ?? false;
    const feeCreator = holderReward ? holderRewardsAddress(mint.address) : options.dev.address;
    const { name, symbol, uri } = options.profile ?? coinProfile(this.#seed, number);
    return {
      token,
      mint,
      name,
      symbol,
      uri,
      dev: options.dev,
      feeCreator,
      quote: options.quote,
      mayhem: options.mayhem ?? false,
      holderReward,
      addresses: {
        curve: bondingCurveAddress(mint.address),
        curveToken: curveTokenAccountAddress(mint.address, tokenProgram),
        creatorVault: creatorVaultAddress(feeCreator),
        pool: canonicalPoolAddress(mint.address, options.quote?.mint),
        poolAuthority: poolAuthorityAddress(mint.address),
        metadata: derived(
          METADATA_PROGRAM,
          text('metadata'),
          addressBytes(METADATA_PROGRAM),
          addressBytes(mint.address),
        ),
        mayhemState: derived(MAYHEM_PROGRAM, text('mayhem-state'), addressBytes(mint.address)),
      },
      curve: undefined,
      pool: undefined,
      sidePool: undefined,
      retired: false,
      holders: new HolderList(),
    };
  }

  /** Puts a coin up for trade, once its creation has been sent. */
  list(coin: Coin, random: Random): void {
    this.#ranked.splice(random.below(Math.min(this.#ranked.length + 1, ENTRY_PLACES)), 0, coin);
  }

  /** A coin as traders notice them; undefined while there is none that anybody could trade. */
  notice(random: Random, fits: (coin: Coin) => boolean = () => true): Coin | undefined {
    if (this.#ranked.length === 0) return undefined;
    for (let tries = 0; tries < 8; tries++) {
      const coin = this.#ranked[random.zipf(this.#ranked.length, ATTENTION_EXPONENT)]!;
      if (coin.curve !== undefined && fits(coin)) return coin;
    }
    return undefined;
  }

  /** Lets go of the least noticed coins above the limit, with all their accounts. Coins on their way to a pool stay. */
  trim(): void {
    for (let place = this.#ranked.length - 1; place >= 0 && this.#ranked.length > this.#limit; place--) {
      const coin = this.#ranked[place]!;
      if (coin.curve?.complete === true && coin.pool === undefined) continue;
      this.#ranked.splice(place, 1);
      this.#retire(coin);
    }
  }

  #retire(coin: Coin): void {
    coin.retired = true;
    const { addresses, quote = WSOL } = coin;
    this.#bank.forgetMint(coin.token.mint);
    const pools = [addresses.pool, ...(coin.sidePool === undefined ? [] : [coin.sidePool.address])];
    for (const pool of pools) this.#bank.forgetMint(lpMintAddress(pool));
    const owners = [...pools, addresses.poolAuthority, addresses.curve, boostVaultAuthorityAddress(addresses.pool)];
    this.#bank.forget([
      ...pools,
      addresses.curve,
      addresses.metadata,
      ...owners.map((owner) => associatedAccount(owner, quote)),
    ]);
    coin.holders.clear();
  }
}

function derived(program: Address, ...seeds: Uint8Array[]): Address {
  return findProgramAddress(seeds, program).address;
}
