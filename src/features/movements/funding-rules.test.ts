import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import {
  ALIKE_SECONDS,
  BUSY_DAY_SHARE,
  BUSY_FUNDER_WALLETS,
  clusterByFunder,
  type FundedBuyer,
  type FunderProfile,
  type FundingContext,
} from './funding-rules.ts';

const wallet = (name: string) => name as Address;
const NOON = 1_790_000_000;

function buyer(name: string, funder?: string, amount = 1_000_000_000n, time = NOON): FundedBuyer {
  return { wallet: wallet(name), funder: funder === undefined ? undefined : wallet(funder), amount, time };
}

function context(profiles: Readonly<Record<string, Partial<FunderProfile>>> = {}, dev?: string): FundingContext {
  const entries = Object.entries(profiles).map(([name, profile]) => {
    return [wallet(name), { label: undefined, wallets: 0, busiestDay: 0, ...profile }] as const;
  });
  return {
    creator: wallet('dev'),
    creatorFunder: dev === undefined ? undefined : wallet(dev),
    profiles: new Map(entries),
  };
}

describe('clusters of buyers by funder', () => {
  it('hold two buyers or more that the same wallet funded, the largest first', () => {
    const buyers = [
      buyer('a', 'f'),
      buyer('b', 'g'),
      buyer('c', 'f'),
      buyer('d', 'g'),
      buyer('e', 'g'),
      buyer('x', 'h'),
    ];
    expect(clusterByFunder(buyers, context())).toEqual([
      { funder: 'g', label: undefined, isDev: false, wallets: ['b', 'd', 'e'] },
      { funder: 'f', label: undefined, isDev: false, wallets: ['a', 'c'] },
    ]);
  });

  it('hold nobody whose funder is not known', () => {
    expect(clusterByFunder([buyer('a'), buyer('b'), buyer('c')], context())).toEqual([]);
  });

  it('hold the funder when it bought early itself', () => {
    expect(clusterByFunder([buyer('f'), buyer('a', 'f')], context())).toMatchObject([
      { funder: 'f', wallets: ['f', 'a'] },
    ]);
  });

  it('begin with one buyer where the creator funded it, however many others it funded', () => {
    const busy = context({ dev: { wallets: 50_000, busiestDay: 9_000 } });
    expect(clusterByFunder([buyer('a', 'dev')], busy)).toMatchObject([{ funder: 'dev', isDev: true, wallets: ['a'] }]);
  });

  it("are the dev's where its own funder funded them, unless that one serves the public", () => {
    const buyers = [buyer('a', 'f'), buyer('b', 'f')];
    expect(clusterByFunder(buyers, context({}, 'f'))).toMatchObject([{ isDev: true }]);
    expect(clusterByFunder(buyers, context({}, 'g'))).toMatchObject([{ isDev: false }]);
    const alike = ['a', 'b', 'c'].map((name) => buyer(name, 'f'));
    const exchange = context({ f: { label: 'Exchange' } }, 'f');
    expect(clusterByFunder(alike, exchange)).toMatchObject([{ isDev: false, label: 'Exchange' }]);
  });
});

describe('a funder that serves the public', () => {
  // Amounts differ, times too.
  const clients = Array.from({ length: 4 }, (_, i) => buyer(`c${i}`, 'f', BigInt(10 ** 9 + i), NOON + i * 86_400));

  it.each([
    ['is on a list', { label: 'Exchange' }],
    ['made more wallets than anybody who makes a crew', { wallets: BUSY_FUNDER_WALLETS + 1 }],
    ['made many more in a day than bought here', { busiestDay: 4 * BUSY_DAY_SHARE + 1 }],
  ])('links nobody by being shared: it %s', (_, profile) => {
    expect(clusterByFunder(clients, context({ f: profile }))).toEqual([]);
  });

  it('is none at the bounds', () => {
    const profile = { wallets: BUSY_FUNDER_WALLETS, busiestDay: 4 * BUSY_DAY_SHARE };
    expect(clusterByFunder(clients, context({ f: profile }))).toMatchObject([{ wallets: ['c0', 'c1', 'c2', 'c3'] }]);
  });

  it('links three that it paid the same within minutes, and nobody else', () => {
    const exchange = context({ f: { label: 'Exchange' } });
    const alike = [0, 300, ALIKE_SECONDS].map((late, i) => buyer(`a${i}`, 'f', 500n, NOON + late));
    expect(clusterByFunder([...clients, ...alike], exchange)).toMatchObject([{ wallets: ['a0', 'a1', 'a2'] }]);
    expect(clusterByFunder(alike.slice(0, 2), exchange)).toEqual([]);
    const late = buyer('a2', 'f', 500n, NOON + ALIKE_SECONDS + 1);
    expect(clusterByFunder([...alike.slice(0, 2), late], exchange)).toEqual([]);
    const more = { ...alike[1]!, amount: 501n };
    expect(clusterByFunder([alike[0]!, more, alike[2]!], exchange)).toEqual([]);
    const undated = alike.map((each) => ({ ...each, time: 0 }));
    expect(clusterByFunder(undated, exchange)).toEqual([]);
  });
});

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const crowd = fc.uniqueArray(
  fc.record({
    wallet: fc.constantFrom(...names.map(wallet)),
    funder: fc.option(fc.constantFrom(wallet('f'), wallet('g'), wallet('x'), wallet('y'), wallet('dev')), {
      nil: undefined,
    }),
    amount: fc.constantFrom(1n, 2n),
    time: fc.constantFrom(0, NOON, NOON + 500, NOON + 5_000),
  }),
  { selector: (each) => each.wallet },
);
const publicFunder = context({ x: { label: 'Exchange' } });

describe('whatever the buyers', () => {
  it('clusters are of buyers that the funder funded and itself, and nobody is left out whom a private funder shares', () => {
    fc.assert(
      fc.property(crowd, (buyers) => {
        const clusters = clusterByFunder(buyers, publicFunder);
        const funderOf = new Map(buyers.map((each) => [each.wallet, each.funder]));
        for (const { funder, wallets } of clusters) {
          expect(wallets.length).toBeGreaterThanOrEqual(funder === 'dev' ? 1 : 2);
          for (const each of wallets) expect([funderOf.get(each), each]).toContain(funder);
        }
        for (const funder of ['f', 'g', 'y']) {
          const expected = buyers.filter((each) => each.funder === funder || each.wallet === funder);
          const found = clusters.find((cluster) => cluster.funder === funder)?.wallets ?? [];
          const linked = expected.length >= 2 && expected.some((each) => each.funder === funder);
          expect(found).toEqual(linked ? expected.map((each) => each.wallet) : []);
        }
      }),
    );
  });

  it('clusters do not depend on their order', () => {
    fc.assert(
      fc.property(crowd, fc.infiniteStream(fc.nat()), (buyers, keys) => {
        const order = new Map(buyers.map((each) => [each.wallet, keys.next().value]));
        const shuffled = buyers.toSorted((a, b) => order.get(a.wallet)! - order.get(b.wallet)!);
        const sets = (some: readonly FundedBuyer[]) =>
          clusterByFunder(some, publicFunder).map(({ wallets, ...rest }) => ({ ...rest, wallets: wallets.toSorted() }));
        expect(sets(shuffled)).toEqual(sets(buyers));
      }),
    );
  });
});
