import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import type { RouterSums } from './routers-reads.ts';
import { flowLamports, rankRouters, routerRow } from './routers-rules.ts';

const A = 'FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9' as Address;
const sums = (changes: Partial<RouterSums>): RouterSums => ({
  ...{ router: '', swaps: 3n, sol: 0n, usd: 0n, transactions: 3n, medianTip: undefined, medianBid: undefined },
  ...changes,
});

describe('volume of a router', () => {
  it('is dollars by the price of SOL, rounded down, and not known while that is not', () => {
    expect(flowLamports({ sol: 5n, usd: 3_000_000_000n }, 150)).toBe(5n + 20_000_000n);
    expect(flowLamports({ sol: 5n, usd: 0n }, undefined)).toBe(5n);
    expect(flowLamports({ sol: 5n, usd: 1n }, undefined)).toBeUndefined();
  });

  it('is absent with its share where it is not known; SOL alone ranks then', () => {
    const routers = [
      sums({}),
      sums({ router: A, sol: 7n, usd: 9n }),
      sums({ router: '2'.repeat(43) as Address, sol: 8n }),
    ];
    const ranked = rankRouters({ routers, all: { swaps: 9n, sol: 15n, usd: 9n } }, undefined);
    expect(ranked.map(({ volume }) => volume)).toEqual([0n, 8n, undefined]);
    const row = routerRow(ranked[2]!, { volume: undefined, reverted: undefined, traders: new Map() });
    expect([row.volume, row.share, row.swaps]).toEqual([undefined, undefined, 3]);
  });
});

it('wallets are no more than swaps, whatever a sketch says', () => {
  const [direct] = rankRouters({ routers: [sums({ sol: 1n })], all: { swaps: 3n, sol: 1n, usd: 0n } }, 150);
  const told = (traders: number) =>
    routerRow(direct!, { volume: 1n, reverted: new Map(), traders: new Map([['', traders]]) }).traders;
  expect([told(2), told(3_000_000_000)]).toEqual([2, 3]);
});
