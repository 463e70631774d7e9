import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { type Random, zipfRank } from './random.ts';

const SWAPS_PER_MINT = 500;
const SWAPS_PER_TRADER = 20;
const NEWCOMERS = 0.5;
export const MINT_ZIPF = 0.72;
export const TRADER_ZIPF = 0.8;
/** Share of the mints, the most traded ones, that have left the curve. */
const IN_POOLS = 0.04;

export const VIRTUAL_QUOTE = 30_000_000_000;
const VIRTUAL_TOKEN = 1_073_000_000_000_000;
export const REAL_TOKEN_OFFSET = 279_900_000_000_000;
const ROUND_SOL = [0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5];
const POOL_FEES = [
  { lp: 20, protocol: 5, creator: 5 },
  { lp: 20, protocol: 5, creator: 30 },
  { lp: 20, protocol: 5, creator: 95 },
];

/** A token with its market, as its trades have left it. */
interface Coin {
  readonly mint: Address;
  readonly pool: Address | '';
  readonly creator: Address;
  readonly fees: (typeof POOL_FEES)[number];
  quote: number;
  token: number;
  /** Wallets with a position, in the order in which they came. */
  readonly wallets: { readonly trader: Address; tokens: number }[];
}

/** Who and what there is in a made-up market. */
export interface World {
  readonly random: Random;
  readonly coins: readonly Coin[];
  readonly traders: readonly Address[];
  readonly routers: readonly Address[];
  readonly tipWallets: readonly Address[];
  readonly hubs: readonly Address[];
}

export function createWorld(random: Random, swaps: number): World {
  const addresses = (count: number) => Array.from({ length: count }, () => encodeAddress(random.bytes(32)));
  const mints = Math.ceil(swaps / SWAPS_PER_MINT);
  const traders = addresses(Math.ceil(swaps / SWAPS_PER_TRADER));
  const coins = addresses(mints).map((mint, rank): Coin => {
    const inPool = rank < mints * IN_POOLS;
    const scale = inPool ? random.around(4, 0.8) : 1;
    return {
      mint,
      pool: inPool ? encodeAddress(random.bytes(32)) : '',
      creator: random.pick(traders),
      fees: random.pick(POOL_FEES),
      quote: inPool ? Math.floor(85_000_000_000 * scale) : VIRTUAL_QUOTE,
      token: inPool ? Math.floor(206_900_000_000_000 / scale) : VIRTUAL_TOKEN,
      wallets: [],
    };
  });
  return { random, coins, traders, routers: addresses(12), tipWallets: addresses(16), hubs: addresses(40) };
}

/** One trade with the coin's reserves, of a wallet that is new in it or has traded it before. */
export function trade({ random, traders }: World, coin: Coin) {
  const isNew = coin.wallets.length === 0 || random.chance(NEWCOMERS);
  // Those who came last are those who trade.
  const place = coin.wallets.length - 1 - zipfRank(random, Math.max(1, coin.wallets.length), 0.5);
  const wallet = isNew
    ? { trader: traders[zipfRank(random, traders.length, TRADER_ZIPF)]!, tokens: 0 }
    : coin.wallets[place]!;
  if (isNew) coin.wallets.push(wallet);
  const sells = wallet.tokens > 0 && random.chance(0.75);
  if (sells) {
    const token = Math.max(1, random.chance(0.7) ? wallet.tokens : Math.floor(wallet.tokens * random.unit()));
    const quote = Math.max(1, Math.floor((coin.quote * token) / (coin.token + token)));
    coin.quote -= quote;
    coin.token += token;
    wallet.tokens -= token;
    return { trader: wallet.trader, isBuy: false, quote, token };
  }
  const sol = random.chance(0.33) ? random.pick(ROUND_SOL) : random.around(0.3, 1.6);
  const quote = Math.max(1, Math.min(Math.floor((sol * 1e9) / 1.0125), Math.floor(coin.quote / 4)));
  const token = Math.max(1, Math.floor((coin.token * quote) / (coin.quote + quote)));
  coin.quote += quote;
  coin.token -= token;
  wallet.tokens += token;
  return { trader: wallet.trader, isBuy: true, quote, token };
}
