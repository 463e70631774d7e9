import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { priceDouble } from '../../src/store/clickhouse/schema/price-double.ts';
import { FIRST_SLOT, type HandSwap, handBlock } from '../../test/support/market-chain.ts';
import type { WorldBlock } from '../../test/support/token-world-rows.ts';
import { type Random, zipfRank } from '../disk/random.ts';

const START = 1_790_000_000;
const MINTS = 150;
const TRADERS = 400;
const MOST_SWAPS = 40;
const MINT_ZIPF = 0.7;
/** What happens, beside a block at the head. */
const WITHDRAWN = 0.05;
const LATE = 0.06;
/** One slot of so many is skipped now; its block may come later. */
const SKIPPED = 0.12;
const MOST_SKIPPED = 400;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

export type Step = { readonly kind: 'newest' | 'late'; readonly block: WorldBlock } | { readonly kind: 'withdrawn' };

interface Hole {
  readonly index: number;
  readonly time: number;
}

/**
 * A chain that stands still at times, takes newest blocks back, and has slots whose blocks come late, some by seconds and
 * some by days. `leaps` is the share of blocks that come hours behind the one before: what makes a chain of a given
 * number of blocks last for longer than the longest window.
 */
export function createUnsteadyChain(random: Random, leaps: number) {
  const addresses = (count: number) => Array.from({ length: count }, () => encodeAddress(random.bytes(32)));
  const mints = addresses(MINTS);
  const traders = addresses(TRADERS);
  const quotes: readonly (Address | '')[] = ['', '', '', '', '', '', USDC, ...addresses(1)];
  const holes: Hole[] = [];
  let index = 0;
  let time = START;

  /** Seconds to the next block: mostly none or one, at times those that windows of minutes and hours turn on. */
  function pause(): number {
    if (random.chance(leaps)) return 3_600 + random.below(90_000);
    if (random.chance(0.03)) return 300 + random.below(900);
    if (random.chance(0.12)) return 20 + random.below(80);
    return random.below(2);
  }

  function swap(): HandSwap {
    const quoteAmount = BigInt(1 + random.below(2 ** 31)) * BigInt(1 + random.below(50));
    const tokenAmount = BigInt(1 + random.below(2 ** 31)) * 1_000n;
    const amounts = { quote_amount: quoteAmount, token_amount: tokenAmount };
    const quote = random.pick(quotes);
    return {
      ...{ mint: mints[zipfRank(random, MINTS, MINT_ZIPF)]!, trader: random.pick(traders), quote_mint: quote },
      ...{ venue: random.below(3), is_buy: random.chance(0.55), protocol_actor: random.chance(0.05) },
      ...{ quote_decimals: quote === '' ? 9 : 6, priced: random.chance(0.9), ...amounts },
      ...{ price_quote: quoteAmount, price_token: tokenAmount, price: priceDouble(quoteAmount, tokenAmount) },
    };
  }

  const blockAt = (at: number, blockTime: number) =>
    handBlock(at, blockTime, { swaps: Array.from({ length: random.below(MOST_SWAPS) }, swap) });

  function newest(): Step {
    index += 1;
    time += pause();
    if (random.chance(SKIPPED)) {
      holes.push({ index, time });
      if (holes.length > MOST_SKIPPED) holes.shift();
      index += 1;
    }
    return { kind: 'newest', block: blockAt(index, time) };
  }

  function late(): Step {
    // Many of the newest, and some of long ago.
    const [hole] = holes.splice(random.chance(0.6) ? -1 - random.below(Math.min(3, holes.length)) : 0, 1);
    return { kind: 'late', block: blockAt(hole!.index, hole!.time) };
  }

  return {
    mints,
    /** Time of the newest block. */
    get time() {
      return time;
    },
    /** Block time from the first block to the newest. */
    get seconds() {
      return time - START;
    },
    /** What happens until the next instant; `held` tells how many blocks can be withdrawn at the moment. */
    *steps(most: number, held: () => number): Generator<Step> {
      for (let left = 1 + random.below(most); left > 0; left -= 1) {
        if (random.chance(WITHDRAWN)) {
          for (let more = 1 + random.below(3); more > 0 && held() > 1; more -= 1) yield { kind: 'withdrawn' };
        } else if (holes.length > 0 && random.chance(LATE)) yield late();
        else yield newest();
      }
      // A chain ends with a block at an instant that is looked at, whatever was withdrawn before.
      if (held() === 0) yield newest();
    },
    /** The chain goes on behind this block. */
    takeBack(newestBlock: WorldBlock | undefined) {
      if (newestBlock === undefined) throw new Error('the oldest block was withdrawn');
      index = newestBlock.slot - FIRST_SLOT;
      time = newestBlock.time;
      // Slots that were skipped behind it are given anew.
      while (holes.length > 0 && holes.at(-1)!.index > index) holes.pop();
    },
  };
}
