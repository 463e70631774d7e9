import type { Address } from '../../src/chain/address.ts';
import type { CountedSwap } from '../../src/market/trade-chunk.ts';
import { createRandom } from '../disk/random.ts';

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
const HOUR_S = 3_600;
const MINUTE_S = 60;
const ADDRESS_LENGTH = 44;
/** Wallets by Zipf's law with this exponent. */
const WALLET_EXPONENT = 0.8;
/** One token of so many is quoted in another than SOL. */
const TOKENS_PER_OTHER_QUOTE = 33;
const OTHER_QUOTE = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

export interface MarketSize {
  readonly swapsPerDay: number;
  /** Different ones in seven days. */
  readonly tokens: number;
  /** Traded within an hour: most of the others are no longer, or not yet. */
  readonly tokensAtOnce: number;
  readonly wallets: number;
}

/** What one bucket holds of one token. */
export interface MadeCell {
  readonly mint: Address;
  readonly quote: Address | '';
  readonly venue: number;
  readonly start: number;
  readonly buys: number;
  readonly sells: number;
  readonly volume: bigint;
}

type MadeSwap = { -readonly [Column in keyof CountedSwap<Address>]: CountedSwap<Address>[Column] };

const NO_SWAP: MadeSwap = {
  ...{ mint: '' as Address, quote_mint: '', trader: '', venue: 0, is_buy: false },
  ...{ protocol_actor: false, quote_amount: 0n, price: 0, priced: true },
};

/**
 * Swaps of seven days as mainnet has them by number: a token's rank among those of its hour decides how often it is
 * traded (one in `1 / rank`, Zipf's law), and the tokens of an hour make room for others until all have had their turn.
 */
export function createMadeMarket(size: MarketSize, weekStart: number) {
  const random = createRandom(16);
  const mints = new Map<number, Address>();
  const rows: MadeSwap[] = [];
  /** Sum of the shares of all ranks. */
  const harmonic = Array.from({ length: size.tokensAtOnce }, (_, at) => 1 / (at + 1)).reduce((sum, each) => sum + each);

  function mintOf(token: number): Address {
    const known = mints.get(token) ?? addressOf('m', token);
    mints.set(token, known);
    return known;
  }

  function firstToken(time: number): number {
    return Math.floor(((time - weekStart) / WEEK_S) * (size.tokens - size.tokensAtOnce));
  }

  /** A rank from 0 on, each as often as one over the next whole number tells. */
  function rank(): number {
    return Math.min(size.tokensAtOnce - 1, Math.floor(Math.exp(random.unit() * Math.log(size.tokensAtOnce + 1))) - 1);
  }

  function cell(token: number, start: number, swaps: number): MadeCell {
    const sells = swaps >> 1;
    return {
      mint: mintOf(token),
      quote: token % TOKENS_PER_OTHER_QUOTE === 0 ? OTHER_QUOTE : '',
      venue: token % 2,
      ...{ start, buys: swaps - sells, sells, volume: BigInt(swaps) * 300_000_000n },
    };
  }

  return {
    /** A minute's tokens, each drawn as a swap of it. */
    minute(start: number): MadeCell[] {
      const first = firstToken(start);
      const swaps = new Uint32Array(size.tokensAtOnce);
      for (let left = (size.swapsPerDay * MINUTE_S) / DAY_S; left > 0; left -= 1) swaps[rank()]! += 1;
      return Array.from(swaps).flatMap((count, at) => (count === 0 ? [] : [cell(first + at, start, count)]));
    },
    /** An hour's tokens, all of them with the share of their rank. */
    hour(start: number): MadeCell[] {
      const first = firstToken(start);
      const swaps = (size.swapsPerDay * HOUR_S) / DAY_S;
      return Array.from({ length: size.tokensAtOnce }, (_, at) =>
        cell(first + at, start, Math.max(1, Math.round(swaps / ((at + 1) * harmonic)))),
      );
    },
    /** Swaps of one block, in the place of those of the block before: windows are not to pay for the garbage of others. */
    block(time: number, swaps: number): readonly CountedSwap<Address>[] {
      const first = firstToken(time);
      while (rows.length < swaps) rows.push({ ...NO_SWAP });
      for (let at = 0; at < swaps; at += 1) {
        const row = rows[at]!;
        const token = first + rank();
        const wallet = Math.floor(size.wallets * random.unit() ** (1 / (1 - WALLET_EXPONENT)));
        row.price = 1 + random.unit();
        row.mint = mintOf(token);
        row.quote_mint = token % TOKENS_PER_OTHER_QUOTE === 0 ? OTHER_QUOTE : '';
        row.trader = addressOf('w', wallet);
        row.venue = token % 2;
        row.is_buy = random.chance(0.5);
        row.quote_amount = BigInt(random.below(2 ** 31));
      }
      return rows.length === swaps ? rows : rows.slice(0, swaps);
    },
    /** Lets go of addresses that were made: in a service nothing but the windows holds them. */
    forget(): void {
      mints.clear();
    },
  };
}

const written = Buffer.alloc(ADDRESS_LENGTH);

/** A text as long as an address, of its own in memory as those are that come with rows. */
function addressOf(kind: 'm' | 'w', number: number): Address {
  written.fill(kind);
  written.write(number.toString(36), 'latin1');
  return written.toString('latin1') as Address;
}
