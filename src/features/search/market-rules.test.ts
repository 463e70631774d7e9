import { expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { EQUITIES } from '../../programs/registry/index.ts';
import { marketRank } from './market-rules.ts';

const MINT = '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const at = (price_quote: bigint, price_token: bigint, quote_mint: Address | '' = '') =>
  marketRank(MINT, true, { quote_mint, price_quote, price_token });

it('ranks listed shares, then dearer tokens, then what trades in other currencies, then what never traded', () => {
  const ranks = [
    marketRank(EQUITIES[0]!.mint, false, undefined),
    at(2n ** 63n, 1n),
    at(64n, 1_000n),
    at(31n, 1_000n),
    at(1n, 2n ** 63n),
    at(9n, 1n, MINT),
    marketRank(MINT, false, undefined),
  ];
  expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => b - a));
  expect(ranks.every((rank) => Number.isInteger(rank) && rank >= 0 && rank < 2 ** 20)).toBe(true);
});

it('moves by doublings alone', () => {
  expect(at(33n, 1_000n)).toBe(at(60n, 1_000n));
  expect(at(33n, 1_000n)).toBeLessThan(at(66n, 1_000n));
});

it('compares dollars with SOL roughly', () => {
  // A dollar a token of six decimals, and a 128th of a SOL.
  expect(at(1_000_000n, 1_000_000n, USDC)).toBe(at(7_812_500n, 1_000_000n));
});

it('takes a trade without amounts for no price', () => {
  expect(at(0n, 0n)).toBe(marketRank(MINT, true, undefined));
  expect(at(5n, 0n)).toBe(marketRank(MINT, true, undefined));
});
